//! What `rollbook --help` shows to a person who has read nothing.

use std::path::Path;

use super::ran;

#[test]
fn has_a_line_for_each_command_below_a_heading_and_is_shown_without_arguments_too() {
    let here = Path::new(".");
    let help = ran(here, &["--help"]).ends(0).out.clone();
    assert_eq!(ran(here, &[]).err, help);
    assert!(help.lines().all(|line| line.len() <= 100), "{help}");
    let mut below = "";
    let (mut seen, mut headings) = (0, Vec::new());
    for line in help.lines() {
        if let Some(heading) = line.strip_suffix(':') {
            below = heading;
            headings.push(heading);
        } else if let Some(command) = line.strip_prefix("  ").filter(|_| headings.len() < 6) {
            let (name, about) = command.split_once("  ").expect("a name and what it does");
            let first = ran(here, &[name, "-h"])
                .out
                .lines()
                .next()
                .map(str::to_owned);
            assert_eq!(first.as_deref(), Some(about.trim()), "{below}: {name}");
            assert!(line.len() <= 80, "{line}");
            seen += 1;
        }
    }
    let wanted = [
        "Play", "Rules", "Record", "Serve", "Set up", "Options", "Try it",
    ];
    assert_eq!(headings, wanted);
    assert!(seen > 25, "{seen}");
}
