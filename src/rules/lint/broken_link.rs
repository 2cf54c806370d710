use super::entry::lint;
use super::link::Link;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::suggest;

lint!("document/broken-link", Link);

pub(super) fn lint<'a>(link: &Link, known: impl Iterator<Item = &'a str>, found: &mut Vec<Diagnostic>) {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    let message = format!("there is no file `{}`", link.file);
    let diagnostic = Diagnostic::warning(LINT.code, message).at(link.span, "leads nowhere");
    let folder = link.file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = known.iter().filter(|name| name.rsplit_once('/').map_or("", |(folder, _)| folder) == folder).copied();
    found.push(match suggest(&link.file, beside).first() {
        None => diagnostic.help("name a file of the adventure, from the folder in which this one lies"),
        Some(meant) => {
            let name = meant.rsplit('/').next().unwrap_or(meant);
            let path = link.written.rsplit_once('/').map_or(String::new(), |(path, _)| format!("{path}/"));
            let anchor = link.anchor.as_ref().map_or(String::new(), |anchor| format!("#{anchor}"));
            let fix = Fix {
                span: link.span,
                replacement: format!("{path}{name}{anchor}"),
                message: format!("link to `{meant}`"),
            };
            diagnostic.help(format!("did you mean `{meant}`?")).perhaps(fix)
        }
    });
}
