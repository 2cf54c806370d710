use super::conditions::line;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::dice::Mode;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::resolve::Swapping;
use crate::rules::when::facts::Succeed;

lint!("dice/turned-advantage", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for mode in [Mode::Advantage, Mode::Disadvantage] {
        let mut turned = system.checks.iter().filter_map(|check| match system.swapping(mode, check) {
            Swapping::Own(swap) if check.target.is_some() => {
                let keeps = kept(&swap.roll.to_string())?;
                let better = (mode == Mode::Advantage) == (check.succeed == Succeed::AtLeast);
                ((keeps == Keeps::High) != better).then_some((check, swap))
            }
            Swapping::By(_) | Swapping::Added(_) | Swapping::Own(_) | Swapping::Elsewhere(_) | Swapping::Nowhere => {
                None
            }
        });
        let Some((check, swap)) = turned.next() else { continue };
        let (does, good) = match check.succeed {
            Succeed::AtLeast => ("rolls against a target", "high"),
            Succeed::AtMost => ("rolls under its target", "low"),
        };
        let word = match mode {
            Mode::Advantage => "advantage keeps the worse die",
            Mode::Disadvantage => "disadvantage keeps the better die",
        };
        let place = swap.place.as_ref().and_then(|place| line(ledger.sources, place)).unwrap_or(check.span);
        ledger.report(
            Diagnostic::warning(LINT.code, format!("{word} in `{}`", check.name))
                .at(place, format!("{} is rolled", swap.roll))
                .and(check.span, format!("{does}, so {good} is good"))
                .help("leave both bullets out: every check on one d20 then has its own better and worse die"),
        );
    }
}

/// Which of several dice an expression keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    High,
    Low,
}

fn kept(notation: &str) -> Option<Keeps> {
    let keeps = [("kh", Keeps::High), ("dl", Keeps::High), ("kl", Keeps::Low), ("dh", Keeps::Low)];
    keeps.into_iter().find(|(written, _)| notation.contains(written)).map(|(_, keeps)| keeps)
}
