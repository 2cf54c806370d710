//! The pictures of the table in `docs/pictures`: what a terminal shows of a scene, drawn as SVG.
//!
//! `INSTA_UPDATE=always cargo test --test all play::picture` draws them anew; look at them.

use std::path::Path;

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};

use super::terminal::Terminal;

const SCENE: [&str; 7] = [
    "/new Characters.md#Jory Penrake",
    "/new Characters.md#Sabeth Quoin",
    "/check Sabeth Lockpicking 15 entered=[13] # the harbour-master's lock",
    "/fight start Jory init 14, Sabeth init 9, Foes.md#Wrecker x2 init 5 # The Mess",
    "/attack Jory Wrecker 1 with Melee 1d12+2 entered=[11, 4] # the boat hook",
    "/next",
    "/fight",
];

/// Colours as GitHub has them: text, ground, then black, red, green, yellow, blue, magenta, cyan
/// and white; bright ones are the same.
const SCHEMES: [(&str, &str); 2] = [
    (
        "table-light.svg",
        "1f2328 ffffff 24292f cf222e 116329 7d4e00 0969da 8250df 1b7c83 59636e",
    ),
    (
        "table-dark.svg",
        "e6edf3 0d1117 484f58 ff7b72 3fb950 d29922 58a6ff bc8cff 39c5cf 9198a1",
    ),
];

fn term(scheme: &str) -> Term {
    let colours = scheme.split(' ').map(|hex| {
        let [_, red, green, blue] = u32::from_str_radix(hex, 16).expect("hex").to_be_bytes();
        RgbColor(red, green, blue)
    });
    let colours: Vec<RgbColor> = colours.collect();
    Term::new()
        .palette(Palette(std::array::from_fn(|at| colours[2 + at % 8])))
        .fg_color(colours[0].into())
        .bg_color(colours[1].into())
}

#[test]
fn the_pictures_of_the_table_are_what_it_shows() {
    let Some(terminal) = Terminal::start("") else {
        return;
    };
    terminal.ends("\n>");
    for line in SCENE {
        terminal.answers(line);
    }
    let screen = terminal.coloured();
    let typed = screen.find("\n> /").expect("what was typed first");
    let screen = &screen[typed + 1..];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    for (name, scheme) in SCHEMES {
        let drawn = term(scheme).render_svg(screen);
        let path = folder.join(name);
        if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
            std::fs::write(&path, &drawn).expect("written");
        }
        assert!(
            std::fs::read_to_string(&path).is_ok_and(|kept| kept == drawn),
            "docs/pictures/{name} shows another table than this. {}\n{screen}",
            "INSTA_UPDATE=always cargo test --test all play::picture draws it anew"
        );
    }
}
