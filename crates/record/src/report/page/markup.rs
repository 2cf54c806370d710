//! HTML and SVG as text: elements nest by being closures, and all text and all values are escaped.

use rollbook_text::names::undirected;

#[derive(Debug, Default)]
pub struct Markup(String);

impl Markup {
    pub fn element(
        &mut self,
        name: &'static str,
        attributes: &[(&'static str, &str)],
        inside: impl FnOnce(&mut Markup),
    ) {
        self.open(name, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    pub fn leaf(&mut self, name: &'static str, attributes: &[(&'static str, &str)], text: &str) {
        self.element(name, attributes, |inside| inside.text(text));
    }

    pub fn open(&mut self, name: &'static str, attributes: &[(&'static str, &str)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    pub fn text(&mut self, text: &str) {
        for letter in undirected(text).chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(letter),
                // No page may hold them.
                letter if letter.is_control() => self.0.push('\u{fffd}'),
                letter => self.0.push(letter),
            }
        }
    }

    /// What the program itself says, as it is: a style sheet, the document's type.
    pub fn verbatim(&mut self, text: &'static str) {
        self.0.push_str(text);
    }

    pub fn line(&mut self) {
        self.0.push('\n');
    }

    pub fn append(&mut self, other: Markup) {
        self.0.push_str(&other.0);
    }

    pub fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn nothing_that_people_wrote_becomes_markup() {
        let mut page = Markup::default();
        page.leaf("p", &[("title", "\"><script>")], "<b>&'\u{202e}\u{0}</b>");
        let text = page.finish();
        assert_eq!(
            text,
            "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;&#39;\u{fffd}\u{fffd}&lt;/b&gt;</p>"
        );
    }
}
