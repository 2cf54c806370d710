//! Reads the random tables of a text.

use super::{RandomTable, TableRow};
use crate::document::{self, Block, Section, Table};
use crate::limits::Limits;
use rollbook_text::diagnostic::Sources;

/// The most tables of all files.
const TABLES_MAX: usize = 1_000;

/// The random tables of all files, in order.
pub fn read(sources: &Sources) -> Vec<RandomTable> {
    let layers = sources
        .iter()
        .map(|(_, file)| file.layer)
        .max()
        .map_or(0, |last| last + 1);
    let documents: Vec<_> = (0..layers)
        .map(|layer| document::build(sources, layer, &Limits::DEFAULT))
        .collect();
    let sections = documents.iter().flat_map(|document| &document.sections);
    let sections =
        sections.flat_map(|section| std::iter::once(section).chain(&section.subsections));
    sections
        .flat_map(|section| section_tables(section, sources))
        .take(TABLES_MAX)
        .collect()
}

/// The tables of a section without its subsections, each named by the heading above it.
fn section_tables(section: &Section, sources: &Sources) -> Vec<RandomTable> {
    let mut heading = section
        .heading
        .as_ref()
        .map(|text| text.as_str())
        .unwrap_or_default();
    let mut all = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Heading(text) => heading = text.as_str(),
            Block::Table(rows) => all.extend(table(rows, heading, sources)),
            Block::Paragraph(_) | Block::Bullet(_) | Block::Fence { .. } => {}
        }
    }
    all
}

fn table(written: &Table, heading: &str, sources: &Sources) -> Option<RandomTable> {
    let (first, second) = (written.header.first()?, written.header.get(1)?);
    let dice = stated_dice(first.as_str())?;
    let totals = rollbook_dice::parse(&dice).ok()?.odds().ok()?.totals;
    let (from, to) = (totals.min()?, totals.max()?);
    let mut rows = Vec::new();
    for cells in written.rows.iter().take(Limits::DEFAULT.items) {
        let (number, rest) = cells.split_first()?;
        // Other words beside the number: this is no random table.
        let (low, high) = range(number.as_str(), &dice)?;
        // Open ends are the ends of the dice.
        let low = if low == i64::MIN { from } else { low };
        let high = if high == i64::MAX { to.max(low) } else { high };
        let rest: Vec<&str> = rest
            .iter()
            .map(|cell| cell.as_str())
            .filter(|cell| !cell.is_empty())
            .collect();
        let span = number.span();
        rows.push(TableRow {
            low,
            high,
            text: rest.join("; "),
            place: sources.place(span),
            span,
        });
    }
    if rows.len() < 2 || rows.iter().all(|row| row.text.is_empty()) {
        return None;
    }
    let column = second.as_str().to_owned();
    let name = if heading.is_empty() {
        column.clone()
    } else {
        heading.to_owned()
    };
    let span = first.span();
    Some(RandomTable {
        name,
        column,
        dice,
        rows,
        place: sources.place(span),
        span,
    })
}

/// The dice that a header names: `d20`, `2d6`, `d66`, `Roll d%`, `1d100`.
fn stated_dice(cell: &str) -> Option<String> {
    let word = cell.split([' ', '(', ')']).find(|word| {
        let die = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        die.starts_with(['d', 'D'])
            && die
                .get(1..)
                .is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit() || c == '%'))
    })?;
    let word = word.to_lowercase();
    let dice = rollbook_dice::parse(&word).ok()?;
    Some(dice.to_string())
}

/// `3`, `4-6`, `4–6`, `4 to 6`, `01-05`, `00`, `6+`, `2 or less`.
fn range(cell: &str, dice: &str) -> Option<(i64, i64)> {
    let text = cell.to_lowercase().replace(rollbook_dice::is_minus, "-");
    let hundred = dice.contains("100") || dice.contains('%');
    let number = |text: &str| match text.trim() {
        "00" | "000" if hundred => Some(100),
        text if text.len() <= 6 && !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) => {
            text.parse().ok()
        }
        _ => None,
    };
    if let Some(one) = number(&text) {
        return Some((one, one));
    }
    if let Some(from) = text.strip_suffix('+').and_then(number) {
        return Some((from, i64::MAX));
    }
    if let Some(to) = text.strip_suffix(" or less").and_then(number) {
        return Some((i64::MIN, to));
    }
    let (low, high) = text.split_once('-').or_else(|| text.split_once(" to "))?;
    Some((number(low)?, number(high)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollbook_text::diagnostic::SourceFile;

    fn tables(text: &str) -> Vec<RandomTable> {
        read(&Sources::new(vec![SourceFile::new("Night.md", text)]))
    }

    fn rows(text: &str) -> (String, Vec<String>) {
        let table = tables(text).remove(0);
        let rows = table
            .rows
            .iter()
            .map(|row| format!("{}={}", row.range(), row.text));
        (table.dice.clone(), rows.collect())
    }

    #[test]
    fn the_dice_are_those_of_the_header() {
        for (text, dice, expected) in [
            (
                "# A\n| d6 | X |\n|---|---|\n| 1-2 | a |\n| 3–6 | b |\n",
                "1d6",
                ["1-2=a", "3-6=b"],
            ),
            (
                "# A\n| Roll 2d6 | X |\n|---|---|\n| 2 or less | a |\n| 3+ | b |\n",
                "2d6",
                ["2=a", "3-12=b"],
            ),
            (
                "# A\n| d% | X |\n|---|---|\n| 01-95 | a |\n| 96-00 | b |\n",
                "1d%",
                ["1-95=a", "96-100=b"],
            ),
            (
                "# A\n| d66 | X |\n|---|---|\n| 11-36 | a |\n| 41-66 | b |\n",
                "10 * 1d6 + 1d6",
                ["11-36=a", "41-66=b"],
            ),
            (
                "# A\n| d2 | X | Y |\n|---|---|---|\n| 1 | a | c |\n| 2 | **b** | [d](D.md) |\n",
                "1d2",
                ["1=a; c", "2=b; d"],
            ),
        ] {
            assert_eq!(
                rows(text),
                (dice.to_owned(), expected.map(str::to_owned).to_vec()),
                "{text}"
            );
        }
    }

    #[test]
    fn a_table_without_dice_in_its_header_is_not_rolled_on() {
        for header in ["Time", "Hour", "#", "Roll", "Page", "No."] {
            assert_eq!(
                tables(&format!(
                    "# A\n| {header} | X |\n|---|---|\n| 1-6 | a |\n| 7-12 | b |\n"
                )),
                [],
                "{header}"
            );
        }
        for header in ["d12", "Time (1d12)", "Roll d12"] {
            let text = format!("# A\n| {header} | X |\n|---|---|\n| 1-6 | a |\n| 7-12 | b |\n");
            assert_eq!(tables(&text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_table_has_the_name_above_it_and_its_rows_their_lines() {
        let all = tables(
            "# Night\n\n## Rumours\n\n| d4 | Rumour |\n|---|---|\n| 1-3 | a |\n| 4 | b |\n\n| Who | What |\n|---|---|\n| Ann | b |\n| Bea | c |\n\n```\n| 1 | x |\n|---|---|\n| 1 | x |\n| 2 | x |\n```\n",
        );
        assert_eq!(all.len(), 1);
        assert_eq!(
            (all[0].name.as_str(), all[0].place.to_string()),
            ("Rumours", "Night.md:5".to_owned())
        );
        assert_eq!(all[0].rows[1].place.to_string(), "Night.md:8");
        assert_eq!(super::super::find(&all, "rumour").len(), 1);
        assert_eq!(super::super::find(&all, "Night.md#Rumours").len(), 1);
        assert_eq!(super::super::find(&all, "Day.md#Rumours").len(), 0);
    }
}
