//! Text as a terminal gets it: what people wrote is shown and never obeyed, and lines are as long as
//! there is room.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::LazyLock;

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};

use crate::names::{printable, undirected};

/// A text as it may reach a terminal, a file or a pager: what people wrote is shown and never
/// obeyed. Control characters are escaped but for the ends of lines and tabs; what the program
/// itself says with them is known by [`KEY`]. What turns the direction of writing becomes `U+FFFD`,
/// so that JSON stays JSON.
pub fn harmless(text: &str) -> String {
    let shown = undirected(text)
        .split(&**KEY)
        .map(printable)
        .collect::<Vec<_>>()
        .join(SEQUENCE);
    // The beginning of the line is found where colours are taken out, too.
    shown.replace(LINE_START, "\r")
}

const LINE_START: &str = "\u{1b}[1G"; // To the first column (ECMA-48, CHA)

const SEQUENCE: &str = "\u{1b}["; // With what begins whatever a terminal obeys here (ECMA-48, CSI)

/// Replaces it in what the program itself writes, until that is printed. It is another one in each
/// process: no file can hold it.
static KEY: LazyLock<String> =
    LazyLock::new(|| format!("\u{1b}[{};", RandomState::new().build_hasher().finish()));

/// A text in which every sequence is the program's own.
pub fn as_ours(text: &str) -> String {
    text.replace(SEQUENCE, &KEY)
}

/// A colour: `{colour}` begins it, `{colour:#}` ends it.
#[derive(Clone, Copy)]
pub struct Colour(pub Style);

/// No colour.
pub const PLAIN: Colour = Colour(Style::new());
/// What is seen first.
pub const BOLD: Colour = Colour(Style::new().bold());
/// What is beside it.
pub const DIM: Colour = Colour(Style::new().dimmed());
/// What players do not see.
pub const SECRET: Colour = Colour(AnsiColor::Magenta.on_default());

impl std::fmt::Display for Colour {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Colour(style) = self;
        to.write_str(&as_ours(&if to.alternate() {
            format!("{style:#}")
        } else {
            style.to_string()
        }))
    }
}

/// What begins the line of a terminal again, without what is there.
pub fn anew() -> String {
    as_ours("\u{1b}[1G\u{1b}[K")
}

/// Text broken at blanks into lines of so many characters, colours not counted, its further lines
/// indented under the first. Lines that it has stay lines.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let indent = format!("\n{}", " ".repeat(indent));
    let mut out = String::new();
    for (nth, line) in text.split('\n').enumerate() {
        if nth > 0 {
            out.push_str(&indent);
        }
        let mut column = 0;
        for word in line.split(' ') {
            let taken = strip_str(word).to_string().chars().count();
            if column > 0 && column + 1 + taken > width {
                out.push_str(&indent);
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += taken;
        }
    }
    out
}

/// Rows as lines whose cells are below each other. `side` gives of each column its least width, and
/// whether its cells are on the right.
pub fn columns(rows: &[Vec<String>], side: impl Fn(usize) -> (usize, bool)) -> String {
    let letters = |text: &String| text.chars().count();
    let width = |nth: usize| {
        rows.iter()
            .filter_map(|row| row.get(nth))
            .map(letters)
            .fold(side(nth).0, usize::max)
    };
    let widths: Vec<usize> = (0..rows.iter().map(Vec::len).max().unwrap_or(0))
        .map(width)
        .collect();
    let cell = |(nth, (cell, width)): (usize, (&String, &usize))| match side(nth).1 {
        true => format!("{cell:>width$}"),
        false => format!("{cell:width$}"),
    };
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// A bar of so great a part (0 to 1) of so many cells, to an eighth of a cell.
pub fn bar(part: f64, cells: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 8 times the cells by the bounds of a share"
    )]
    let eighths = (part.clamp(0.0, 1.0) * cells as f64 * 8.0).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(rest) = EIGHTHS.get(eighths % 8).filter(|rest| **rest != ' ') {
        bar.push(*rest);
    }
    bar
}

#[test]
fn what_people_wrote_is_shown_and_the_program_s_own_colours_are_kept() {
    for (text, shown) in [
        (
            "a\u{1b}[2Jb\u{1b}]0;x\u{7}",
            "a\\u{1b}[2Jb\\u{1b}]0;x\\u{7}",
        ),
        ("\u{1b}[8mhidden\u{1b}[0m", "\\u{1b}[8mhidden\\u{1b}[0m"),
        ("\u{1b}[1;31mred", "\\u{1b}[1;31mred"),
        (
            "one\rtwo\u{9b}2J\u{1b}\n\tb",
            "one\\u{d}two\\u{9b}2J\\u{1b}\n\tb",
        ),
        ("\u{202e}txt", "\u{fffd}txt"),
    ] {
        assert_eq!(harmless(text), shown);
    }
    let (red, none) = (as_ours("\u{1b}[31m"), as_ours("\u{1b}[0m"));
    assert_eq!(
        harmless(&format!("{red}a\u{1b}[0mb{none}")),
        "\u{1b}[31ma\\u{1b}[0mb\u{1b}[0m"
    );
    assert_eq!(harmless(&format!("a{}b", anew())), "a\r\u{1b}[Kb");
}
