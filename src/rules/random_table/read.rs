//! Reads the random tables of a text.

use super::{D66, RandomTable, TableRow};
use crate::diagnostic::{FileId, Sources, Span};
use crate::dice;
use crate::names::fold;

/// Tables of all files, and rows of one table, that are read.
const TABLES_MAX: usize = 1_000;
const ROWS_MAX: usize = 1_000;
/// Dice that are thrown together where no header says how many.
const DICE_MAX: i64 = 20;
/// Words of a header that say that it is rolled without saying on what.
const ROLLED: [&str; 4] = ["roll", "die", "dice", "die roll"];
/// Words of a header whose numbers are times, in the singular.
const TIMES: [&str; 13] =
    ["time", "hour", "clock", "o'clock", "minute", "date", "day", "night", "week", "month", "year", "century", "when"];

/// The random tables of all files, in their order.
pub fn read(sources: &Sources) -> Vec<RandomTable> {
    let mut all = Vec::new();
    for (id, file) in sources.iter() {
        read_file(sources, id, &file.text, &mut all);
    }
    all
}

/// A line with the byte it begins at.
type Line<'t> = (usize, &'t str);

fn read_file(sources: &Sources, id: FileId, text: &str, all: &mut Vec<RandomTable>) {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line.trim_end_matches(['\n', '\r'])));
        at += line.len();
    }
    let (mut heading, mut fence) = (String::new(), None::<&str>);
    let mut lines = lines.into_iter().peekable();
    while let Some((at, line)) = lines.next() {
        let bare = line.trim_start_matches(['>', ' ']);
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (Some(_), _) => {}
            (None, None) if bare.starts_with('#') => heading = plain(bare.trim_start_matches('#')),
            (None, None) if bare.starts_with('|') && lines.peek().is_some_and(|(_, next)| is_rule(next)) => {
                lines.next();
                let mut rows: Vec<Line> = Vec::new();
                while let Some(row) = lines.next_if(|(_, next)| next.trim_start_matches(['>', ' ']).starts_with('|')) {
                    rows.push(row);
                }
                rows.truncate(ROWS_MAX);
                all.extend(table(sources, id, &heading, (at, line), &rows).filter(|_| all.len() < TABLES_MAX));
            }
            (None, None) => {}
        }
    }
}

/// `|---|:-:|`
fn is_rule(line: &str) -> bool {
    let bare = line.trim_start_matches(['>', ' ']);
    bare.starts_with('|') && bare.contains('-') && bare.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn table(sources: &Sources, id: FileId, heading: &str, header: Line, lines: &[Line]) -> Option<RandomTable> {
    let head = cells(header.1);
    let first = head.first().map_or("", |(_, cell)| *cell);
    let column = head.get(1).map(|(_, cell)| plain(cell)).unwrap_or_default();
    let stated = stated_dice(first);
    let mut rows = Vec::new();
    for (at, line) in lines {
        let cells = cells(line);
        let (offset, number) = cells.first()?;
        // A number beside other words is no table that is rolled on.
        let (low, high) = range(number, stated.as_deref())?;
        let rest = cells.iter().skip(1).map(|(_, cell)| plain(cell)).filter(|cell| !cell.is_empty());
        let span = Span::new(id, at + offset..at + offset + number.len());
        let text = rest.collect::<Vec<_>>().join("; ");
        rows.push(TableRow { low, high, text, place: sources.place(span), span });
    }
    if rows.len() < 2 || rows.iter().all(|row| row.text.is_empty()) {
        return None;
    }
    if stated.is_none() && is_of_times(first) {
        return None;
    }
    let (least, most) = (rows.iter().map(|row| row.low).min()?, rows.iter().map(|row| row.high).max()?);
    let dice = stated.clone().unwrap_or_else(|| dice_for(least, most, &rows));
    let rolled = ROLLED.contains(&fold(first).as_str());
    let totals = dice::parse(&dice).ok().and_then(|dice| dice.odds().ok()).map(|odds| odds.totals);
    let bounds = totals.and_then(|totals| Some((totals.min()?, totals.max()?)));
    // Years, hours, pages: numbers that no die begins with.
    if stated.is_none() && !rolled && least != i64::MIN && bounds.map(|(low, _)| low) != Some(least) {
        return None;
    }
    let offset = head.first().map_or(0, |(offset, _)| *offset);
    let span = Span::new(id, header.0 + offset..header.0 + offset + first.len());
    // Open ends reach to the dice's.
    let (from, to) = bounds.unwrap_or((least, most));
    for row in &mut rows {
        row.low = if row.low == i64::MIN { from } else { row.low };
        row.high = if row.high == i64::MAX { to.max(row.low) } else { row.high };
    }
    let name = if heading.is_empty() { column.clone() } else { heading.to_owned() };
    let stated = stated.is_some() || rolled;
    Some(RandomTable { name, column, dice, stated, rows, place: sources.place(span), span })
}

/// Whether a header says that its numbers are times.
fn is_of_times(cell: &str) -> bool {
    let folded = fold(&plain(cell));
    let words = || folded.split([' ', '/', '(', ')']);
    words().any(|word| TIMES.contains(&word.strip_suffix('s').unwrap_or(word)))
        && !words().any(|word| ROLLED.contains(&word))
}

/// The cells of a row, each with its place in the line.
fn cells(line: &str) -> Vec<(usize, &str)> {
    let start = line.find('|').map_or(0, |at| at + 1);
    let mut all = Vec::new();
    let (mut from, mut escaped) = (start, false);
    for (at, letter) in line.char_indices().filter(|(at, _)| *at >= start) {
        if letter == '|' && !escaped {
            all.push((from, line.get(from..at).unwrap_or_default()));
            from = at + 1;
        }
        escaped = letter == '\\' && !escaped;
    }
    if line.get(from..).is_some_and(|rest| !rest.trim().is_empty()) {
        all.push((from, line.get(from..).unwrap_or_default()));
    }
    all.into_iter().map(|(at, cell)| (at + cell.len() - cell.trim_start().len(), cell.trim())).collect()
}

/// The dice that a header names: `d20`, `2d6`, `d66`, `Roll d%`, `1d100`.
fn stated_dice(cell: &str) -> Option<String> {
    let bare = plain(cell);
    let word = bare.split([' ', '(', ')']).find(|word| {
        let die = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        die.starts_with(['d', 'D'])
            && die.get(1..).is_some_and(|sides| sides.starts_with(|c: char| c.is_ascii_digit() || c == '%'))
    })?;
    let word = word.to_lowercase();
    match word.as_str() {
        "d66" | "1d66" => Some(D66.to_owned()),
        _ => dice::parse(&word).ok().map(|dice| dice.to_string()),
    }
}

/// Without the header's word: 1 to 6 is 1d6, 2 to 12 is 2d6, 11 to 66 in digits up to 6 is d66.
fn dice_for(least: i64, most: i64, rows: &[TableRow]) -> String {
    let digits = |number: i64| (1..=6).contains(&(number / 10)) && (1..=6).contains(&(number % 10));
    let least = if least == i64::MIN { 1 } else { least };
    let most = match most {
        i64::MAX => rows.iter().map(|row| if row.high == i64::MAX { row.low } else { row.high }).max().unwrap_or(1),
        most => most,
    };
    match (least, most) {
        (11, 66) if rows.iter().all(|row| digits(row.low) && digits(row.high)) => D66.to_owned(),
        (least, most) if (2..=DICE_MAX).contains(&least) && most % least == 0 && most / least > 1 => {
            format!("{least}d{}", most / least)
        }
        (_, most) => format!("1d{}", most.max(1)),
    }
}

/// `3`, `4-6`, `4–6`, `4 to 6`, `01-05`, `00`, `6+`, `6 or more`, `2 or less`.
fn range(cell: &str, dice: Option<&str>) -> Option<(i64, i64)> {
    let text = plain(cell).to_lowercase().replace(['–', '—', '−'], "-");
    let hundred = dice.is_none_or(|dice| dice.contains("100") || dice.contains('%'));
    let number = |text: &str| match text.trim() {
        "00" | "000" if hundred => Some(100),
        text if text.len() <= 6 && !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    };
    if let Some(one) = number(&text) {
        return Some((one, one));
    }
    let open = [("+", true), (" or more", true), (" or higher", true), (" or less", false), (" or lower", false)];
    for (end, up) in open {
        if let Some(from) = text.strip_suffix(end).and_then(number) {
            return Some(if up { (from, i64::MAX) } else { (i64::MIN, from) });
        }
    }
    let (low, high) = text.split_once('-').or_else(|| text.split_once(" to "))?;
    Some((number(low)?, number(high)?))
}

/// Without emphasis, and links by their words.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once('[') {
        match inner.split_once("](").and_then(|(words, after)| Some((words, after.split_once(')')?.1))) {
            Some((words, after)) => {
                plain.push_str(before);
                plain.push_str(words);
                rest = after;
            }
            None => {
                plain.push_str(before);
                plain.push('[');
                rest = inner;
            }
        }
    }
    plain.push_str(rest);
    plain.replace(['*', '`'], "").replace("\\|", "|").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;

    fn tables(text: &str) -> Vec<RandomTable> {
        read(&Sources::new(vec![SourceFile::new("Night.md", text)]))
    }

    fn rows(text: &str) -> (String, Vec<String>) {
        let table = tables(text).remove(0);
        let rows = table.rows.iter().map(|row| format!("{}={}", row.range(), row.text));
        (table.dice.clone(), rows.collect())
    }

    #[test]
    fn the_dice_are_those_of_the_header_or_follow_from_the_rows() {
        for (text, dice, expected) in [
            ("# A\n| d6 | X |\n|---|---|\n| 1-2 | a |\n| 3–6 | b |\n", "1d6", ["1-2=a", "3-6=b"]),
            ("# A\n| Roll 2d6 | X |\n|---|---|\n| 2 or less | a |\n| 3+ | b |\n", "2d6", ["2=a", "3-12=b"]),
            ("# A\n| d% | X |\n|---|---|\n| 01-95 | a |\n| 96-00 | b |\n", "1d%", ["1-95=a", "96-100=b"]),
            ("# A\n| d66 | X |\n|---|---|\n| 11-36 | a |\n| 41-66 | b |\n", D66, ["11-36=a", "41-66=b"]),
            (
                "# A\n| # | X | Y |\n|---|---|---|\n| 1 | a | c |\n| 2 | **b** | [d](D.md) |\n",
                "1d2",
                ["1=a; c", "2=b; d"],
            ),
            ("# A\n| Roll | X |\n|---|---|\n| 2-6 | a |\n| 7-12 | b |\n", "2d6", ["2-6=a", "7-12=b"]),
            ("> # A\n> | d6 | X |\n> |---|---|\n> | 1-2 | a |\n> | 3-6 | b |\n", "1d6", ["1-2=a", "3-6=b"]),
        ] {
            assert_eq!(rows(text), (dice.to_owned(), expected.map(str::to_owned).to_vec()), "{text}");
        }
    }

    #[test]
    fn a_table_of_times_is_not_rolled_on() {
        for (header, rows) in [
            ("Time", ["08:00", "09:30"]),
            ("Hour", ["1-6", "7-12"]),
            ("Time of day", ["1", "2"]),
            ("Year", ["1890", "1891-1895"]),
            ("#", ["1890", "1900"]),
            ("Since", ["1000", "2000"]),
            ("When (hours)", ["1", "2-3"]),
            ("Page", ["12", "14"]),
        ] {
            let text = format!("# A\n| {header} | X |\n|---|---|\n| {} | a |\n| {} | b |\n", rows[0], rows[1]);
            assert_eq!(tables(&text), [], "{text}");
        }
        for header in ["d12", "Time (1d12)", "Roll", "#"] {
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
        assert_eq!((all[0].name.as_str(), all[0].place.to_string()), ("Rumours", "Night.md:5".to_owned()));
        assert_eq!(all[0].rows[1].place.to_string(), "Night.md:8");
        assert_eq!(super::super::find(&all, "rumour").len(), 1);
        assert_eq!(super::super::find(&all, "Night.md#Rumours").len(), 1);
        assert_eq!(super::super::find(&all, "Day.md#Rumours").len(), 0);
    }
}
