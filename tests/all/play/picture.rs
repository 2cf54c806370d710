//! The pictures of the table in `docs/pictures`: what a terminal shows of a scene, drawn as SVG.
//!
//! `INSTA_UPDATE=always cargo test --test all play::picture` draws them anew; look at them.

use std::path::Path;

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};

use super::terminal::Terminal;

/// Colours of a terminal as GitHub shows text: dark on light, and light on dark.
const SCHEMES: [(&str, [u32; 10]); 2] = [
    (
        "table-light.svg",
        [
            0x1f2328, 0xffffff, 0x24292f, 0xcf222e, 0x116329, 0x7d4e00, 0x0969da, 0x8250df,
            0x1b7c83, 0x59636e,
        ],
    ),
    (
        "table-dark.svg",
        [
            0xe6edf3, 0x0d1117, 0x484f58, 0xff7b72, 0x3fb950, 0xd29922, 0x58a6ff, 0xbc8cff,
            0x39c5cf, 0x9198a1,
        ],
    ),
];

/// A terminal with these colours: text, ground, then black, red, green, yellow, blue, magenta, cyan
/// and white; bright ones are the same.
fn term(colours: [u32; 10]) -> Term {
    let [text, ground, eight @ ..] = colours.map(|hex| {
        let [_, red, green, blue] = hex.to_be_bytes();
        RgbColor(red, green, blue)
    });
    let sixteen: [RgbColor; 16] = std::array::from_fn(|at| eight[at % 8]);
    Term::new()
        .palette(Palette(sixteen))
        .fg_color(text.into())
        .bg_color(ground.into())
}

#[test]
fn the_pictures_of_the_table_are_what_it_shows() {
    let Some(terminal) = Terminal::start("") else {
        return;
    };
    terminal.ends("\n>");
    let scene = [
        ("/new Characters.md#Jory Penrake", ">"),
        ("/new Characters.md#Sabeth Quoin", ">"),
        (
            "/check Sabeth Lockpicking 15 entered=[13] # the harbour-master's lock",
            ">",
        ),
        (
            "/fight start Jory init 14, Sabeth init 9, Foes.md#Wrecker x2 init 5 # The Mess",
            "round 1, Jory Penrake>",
        ),
        (
            "/attack Jory Wrecker 1 with Melee 1d12+2 entered=[11, 4] # the boat hook",
            "round 1, Jory Penrake>",
        ),
        ("/next", "round 1, Sabeth Quoin>"),
        ("/fight", "round 1, Sabeth Quoin>"),
    ];
    for (line, prompt) in scene {
        terminal.types(line).ends(&format!("\n{prompt}"));
    }
    let screen = terminal.coloured();
    let typed = screen.find("\n> /").expect("what was typed first");
    let screen = &screen[typed + 1..];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    for (name, colours) in SCHEMES {
        let drawn = term(colours).render_svg(screen);
        let path = folder.join(name);
        if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            std::fs::write(&path, &drawn).expect("written");
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "docs/pictures/{name} shows another table than this. {}\n{screen}",
            "INSTA_UPDATE=always cargo test --test all play::picture draws it anew"
        );
    }
}
