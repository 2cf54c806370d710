//! Sentences for events, for the GM or for players. Only this module turns events into words.

mod attack;
mod character;
mod clock;
mod combat;
mod opposed;
mod read;
mod record;
mod text;

pub use character::RULING;

use crate::record::change::Change;
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{
    AttackOn, CheckEvent, DamageEvent, Event, Mitigated, NoteEvent, Phrasing, RollNote, TableRollEvent, UndoneEvent,
};
use crate::record::purpose::OPPOSING;
use crate::record::state::{NoteKind, Track};
use crate::view::Audience;

pub use attack::{Sentence, Told, told};
pub use read::{read, read_name};
use text::as_sentence;
pub use text::{arithmetic, in_brackets};

/// The sentence; `None` when the audience sees nothing. `whole`: nothing of the entry is secret.
pub fn narrate(entry: &Entry, audience: Audience, whole: bool) -> Option<String> {
    if audience == Audience::Player {
        match entry.visibility {
            Visibility::Gm => return None,
            Visibility::Blind => return Some(blind(entry)),
            Visibility::OutcomeOnly => return Some(outcome_only(entry)),
            Visibility::Public => {}
        }
    }
    Some(match &entry.event {
        Event::CampaignCreated { name, adventure, .. } if adventure.is_empty() => {
            format!("The campaign {name} begins.")
        }
        Event::CampaignCreated { name, adventure, .. } => format!("The campaign {name} begins ({adventure})."),
        Event::CampaignRenamed { from, to, .. } => format!("The campaign {from} is called {to} from now on."),
        Event::RulesLoaded { changed: Some(changed), .. } if audience == Audience::Player => changed.for_players()?,
        Event::RulesLoaded { title, version, files, changed, .. } => {
            record::rules(title.as_deref(), version.as_deref(), files, changed.as_deref())
        }
        Event::SessionStarted { number, title } => match title {
            Some(title) => format!("Session {number} begins: {title}."),
            None => format!("Session {number} begins."),
        },
        Event::SessionEnded { number, .. } => format!("Session {number} ends."),
        Event::LossAccepted(loss) => record::loss_accepted(loss, audience),
        Event::Restored { from, loss } => record::restored(from, loss.as_ref(), audience),
        Event::Continued(event) => record::continued(event),
        Event::Revealed(event) => {
            let opened = event.opened().map(record::shown);
            let session = opened.as_ref().map_or(0, |entry| entry.session);
            let told = opened.and_then(|entry| narrate(&entry, audience, true)).unwrap_or_default();
            record::revealed(event, session, &told, audience)
        }
        Event::Note(event) => note(event, audience),
        Event::Clock(event) => clock::render(event, audience),
        Event::Deck(event) => clock::shuffled(event),
        Event::Time(event) => clock::time(event, audience),
        Event::Roll { context, .. } => roll(&entry.actor, entry.rolls.first(), &purpose(context.as_deref())),
        Event::RollSet { context, .. } => roll_set(&entry.actor, &entry.rolls, &purpose(context.as_deref())),
        Event::TableRoll(event) => table_roll(entry, event, audience),
        Event::Check(event) => check(entry, event, audience, whole),
        Event::Damage(event) if whole || event.open => damage(event, track_images(entry), audience),
        Event::Damage(event) => damage_without_figures(event, track_images(entry)),
        Event::CharacterCreated { .. }
        | Event::CharacterUpdated { .. }
        | Event::Items { .. }
        | Event::Awarded { .. }
        | Event::LevelUp { .. }
        | Event::Improved { .. }
        | Event::Retired { .. }
        | Event::Rested { .. } => character::render(entry, audience, whole),
        Event::Undone(event) => undone(event, audience),
        Event::CombatPrepared { .. }
        | Event::CombatStarted { .. }
        | Event::CombatantJoined { .. }
        | Event::Combatant { .. }
        | Event::TurnBegan { .. }
        | Event::TurnTakenBack { .. }
        | Event::StructureChanged { .. }
        | Event::RoundBegan { .. }
        | Event::Effects { .. }
        | Event::CombatEnded { .. } => combat::render(entry, audience, whole),
    })
}

/// How the sentence of an undo begins, and that of one that undoes an undo.
const BACK: &str = "Taken back";
const AGAIN: &str = "Done again";

/// Whether an undo did something again, and what players read of it.
pub fn read_undone(text: &str) -> Option<(bool, &str)> {
    let (what, told) = text.split_once(": ")?;
    match what {
        BACK => Some((false, told)),
        AGAIN => Some((true, told)),
        _ => None,
    }
}

/// Players see no entry number: it would show how many hidden entries there are.
fn undone(event: &UndoneEvent, audience: Audience) -> String {
    let what = if event.again { AGAIN } else { BACK };
    match audience {
        Audience::Gm => format!("{what}, #{}: {}", event.entry, event.told.join(" ")),
        Audience::Player => format!("{what}: {}", event.seen.join(" ")),
    }
}

/// A note, on one line. Players see no entry number, and nothing of a thread that they do not know.
fn note(event: &NoteEvent, audience: Audience) -> String {
    let head = match event.note {
        NoteKind::Note => "Note",
        NoteKind::Scene => "Scene",
        NoteKind::Discovery => "Discovery",
        NoteKind::Thread => "Open thread",
    };
    let gm = audience == Audience::Gm;
    let closed = event.closes.as_ref().filter(|thread| gm || !thread.hidden).map(|thread| {
        let number = if gm { format!(" #{}", thread.entry) } else { String::new() };
        format!(" Closed{number}: {}", as_sentence(&thread.text))
    });
    format!("{head}: {}{}", as_sentence(&event.text), closed.unwrap_or_default())
}

fn blind(entry: &Entry) -> String {
    let what = if entry.rolls.is_empty() { "Something happens" } else { "Dice fall" };
    format!("{what} behind the screen.")
}

/// The outcome alone.
fn outcome_only(entry: &Entry) -> String {
    match &entry.event {
        Event::Damage(event) => damage_without_figures(event, track_images(entry)),
        Event::Check(event) => {
            let label = event.label.as_deref().map_or("done".to_owned(), str::to_lowercase);
            let opposed = event.opposed.as_ref();
            let against = opposed.map_or(String::new(), |opposed| opposed::against(opposed, &entry.rolls, false));
            let what = event.skill.as_deref().unwrap_or(&event.check);
            format!("{}, {what}{}: {label}{against}.", entry.actor, stated(event, Audience::Player))
        }
        Event::Clock(event) => clock::render(event, Audience::Player),
        Event::TableRoll(event) => {
            let results: Vec<&str> = event.drawn.iter().map(|drawn| drawn.result.as_str()).collect();
            as_sentence(&results.join("; "))
        }
        _ => format!("{} rolls.", name(&entry.actor)),
    }
}

/// What a roll is for, in brackets, since it may be a whole sentence.
fn purpose(context: Option<&str>) -> String {
    in_brackets(context.map(str::trim).filter(|context| !context.is_empty()))
}

/// "GM rolls on Rumours: 1d6: \[3\] = 3 (Night.md:8): 3 wolves. On Weather: …". Where the row stands is the GM's.
fn table_roll(entry: &Entry, event: &TableRollEvent, audience: Audience) -> String {
    let context = purpose(event.context.as_deref());
    let rows = (0..).zip(&event.drawn).map(|(nth, drawn)| {
        let begins = if nth == 0 { format!("{} rolls on", name(&entry.actor)) } else { "On".to_owned() };
        let context = if nth == 0 { context.as_str() } else { "" };
        let dice = entry.rolls.get(drawn.roll).map_or(String::new(), arithmetic);
        let place = if audience == Audience::Gm { format!(" ({})", drawn.place) } else { String::new() };
        format!("{begins} {}{context}: {dice}{place}: {}", drawn.table, as_sentence(&drawn.result))
    });
    rows.collect::<Vec<String>>().join(" ")
}

fn roll(actor: &str, record: Option<&RollRecord>, purpose: &str) -> String {
    let dice = record.map_or("nothing".to_owned(), arithmetic);
    let colon = if purpose.is_empty() { "" } else { ":" };
    format!("{} rolls{purpose}{colon} {dice}.", name(actor))
}

/// Rolls shown in a sentence; the rest are counted.
const ROLLS_SHOWN_MAX: usize = 12;

/// A set of one roll reads as that roll.
fn roll_set(actor: &str, rolls: &[RollRecord], purpose: &str) -> String {
    if let [only] = rolls {
        return roll(actor, Some(only), purpose);
    }
    let rolls_shown: Vec<String> = rolls.iter().take(ROLLS_SHOWN_MAX).map(arithmetic).collect();
    let more = rolls.len().saturating_sub(ROLLS_SHOWN_MAX);
    let more = if more > 0 { format!(" | and {more} more") } else { String::new() };
    format!("{} makes {} rolls{purpose}: {}{more}.", name(actor), rolls.len(), rolls_shown.join(" | "))
}

/// A check in one sentence. Unless `whole`, without a foe's dice and numbers of its sheet.
fn check(entry: &Entry, event: &CheckEvent, audience: Audience, whole: bool) -> String {
    let (actor, rolls) = (entry.actor.as_str(), entry.rolls.as_slice());
    let what = event.what();
    let open = whole || !event.target_hidden;
    let mut dice = rolls.first().map_or(String::new(), arithmetic);
    if let Some(successes) = event.successes {
        dice.push_str(&format!(", {successes} {}", if successes == 1 { "success" } else { "successes" }));
    }
    let opposing = rolls.iter().find(|record| record.purpose == OPPOSING);
    let opposing = opposing.map_or(String::new(), |record| format!(" against {}", joined_faces(&record.roll.faces())));
    let target = event.target.filter(|_| open).map_or(String::new(), |target| format!(" against {target}"));
    let label = event.label.as_ref().map_or(String::new(), |label| format!(": {}", label.to_lowercase()));
    // Without a target it shows what the opponent came to.
    let margin = match event.margin.filter(|_| open && (whole || event.target.is_some())) {
        Some(0) if event.target.is_none() => String::new(),
        Some(0) => ", exactly".to_owned(),
        Some(margin) => format!(" by {}", margin.abs()),
        None => String::new(),
    };
    let results = opposed::results(event, whole);
    let flags: String = event.flags.iter().map(|flag| format!("; {flag}")).collect();
    let against = event.opposed.as_ref().map_or(String::new(), |own| opposed::against(own, rolls, whole));
    let again = event.again.as_ref().map_or(String::new(), |again| format!(" ({})", again.rule));
    let stated = stated(event, audience);
    let context = in_brackets(event.context.as_deref());
    let at = attacked(event, whole).map_or(String::new(), |name| format!(" at {name}"));
    format!(
        "{}, {what}{at}{again}{stated}{context}: {dice}{opposing}{target}{label}{margin}{results}{flags}{against}.",
        name(actor)
    )
}

/// How a sentence says that the call states the check.
pub const STATED: &str = " (stated)";

/// That the call states the check, and where it sets aside what the rules have.
fn stated(event: &CheckEvent, audience: Audience) -> String {
    let mark = if event.stated.is_some() { STATED } else { "" };
    format!("{mark}{}", character::ruling(event.override_reason(), audience))
}

/// Whom an attack is aimed at, where the audience may know it.
fn attacked(event: &CheckEvent, whole: bool) -> Option<&str> {
    let seen = event.attack.is_some_and(|on| whole || on == AttackOn::Seen);
    event.against.as_ref().filter(|_| seen).map(|own| own.name.as_str())
}

fn joined_faces(faces: &[i64]) -> String {
    faces.iter().map(i64::to_string).collect::<Vec<_>>().join(" and ")
}

/// The sentence for damage that is only previewed.
pub fn preview_damage(event: &DamageEvent, moved: &[(Track, Track)]) -> String {
    damage(event, moved.iter().filter(|(was, is)| was != is).map(|(was, is)| (Some(was), is)), Audience::Gm)
}

fn damage<'a>(
    event: &DamageEvent,
    images: impl Iterator<Item = (Option<&'a Track>, &'a Track)>,
    audience: Audience,
) -> String {
    let mut text = damage_clause(event, Some(event.amount));
    if audience == Audience::Player {
        text.push_str(&from(event));
    }
    text.push_str(&in_brackets(roll_note(event, audience).as_deref()));
    text.push_str(&in_brackets(event.reason.as_deref()));
    if let Some(moved) = moved(images) {
        text.push_str(&format!(": {moved}"));
    }
    with_conditions(text, event)
}

/// "Hit points 7 to 0/7"; `None` where no track moved.
fn moved<'a>(images: impl Iterator<Item = (Option<&'a Track>, &'a Track)>) -> Option<String> {
    let moved: Vec<String> = images
        .map(|(before, after)| {
            let max = after.max.map_or(String::new(), |max| format!("/{max}"));
            format!("{} {} to {}{max}", after.name, before.map_or(after.min, |track| track.value), after.value)
        })
        .collect();
    (!moved.is_empty()).then(|| moved.join(", "))
}

/// Damage to a foe as players see it, without figures.
fn damage_without_figures<'a>(
    event: &DamageEvent,
    mut images: impl Iterator<Item = (Option<&'a Track>, &'a Track)>,
) -> String {
    let moved = images.next().is_some();
    let mut text = damage_clause(event, None);
    text.push_str(&from(event));
    text.push_str(&in_brackets(roll_note_without_figures(event).as_deref()));
    if let Some(health) = event.health.filter(|_| moved && !event.aside) {
        text.push_str(&format!(" and is {}", health.as_str()));
    }
    with_conditions(text, event)
}

/// " from Wrecker", where players see the blow alone.
fn from(event: &DamageEvent) -> String {
    let by = event.by.as_ref().filter(|_| event.told.is_none() && event.amount >= 0);
    by.map_or(String::new(), |by| format!(" from {}", by.name))
}

/// The players' note on damage with the dice of a check.
const LIKE_A_CHECK: &str = "a roll with the dice of a check";

/// What players are told where the amount is not what was rolled, and they may not know one of the two.
const NOT_AS_ROLLED: &str = "not the amount that was rolled";

/// How the damage departs from the roll it names: "9 instead of 4 rolled, #13". Players get no entry's number, nor an unseen roll's total.
fn roll_note(event: &DamageEvent, audience: Audience) -> Option<String> {
    let note = event.roll_note.as_ref()?;
    if audience == Audience::Player && note.hidden {
        return unseen_note(note);
    }
    let seq = event.roll.unwrap_or(0);
    let (who, gm) = (&event.subject.name, audience == Audience::Gm);
    let instead = (!note.rolled.is_empty()).then(|| {
        let rolled: Vec<String> = note.rolled.iter().map(i64::to_string).collect();
        let by = if gm { format!(", #{seq}") } else { String::new() };
        format!("{} instead of {} rolled{by}", event.amount.abs(), rolled.join(", "))
    });
    let before = note.before.map(|before| match gm {
        true => format!("#{seq} was used on {who} before, by #{before}"),
        false => format!("a roll that was used on {who} before"),
    });
    let like = note.like_check.then(|| match gm {
        true => format!("#{seq} has the dice of a check"),
        false => LIKE_A_CHECK.to_owned(),
    });
    Some(instead.into_iter().chain(before).chain(like).collect::<Vec<_>>().join("; "))
}

/// The same of a roll that players did not see.
fn unseen_note(note: &RollNote) -> Option<String> {
    note.changed_unseen.then(|| NOT_AS_ROLLED.to_owned())
}

/// The same without figures.
fn roll_note_without_figures(event: &DamageEvent) -> Option<String> {
    let note = event.roll_note.as_ref()?;
    if note.hidden {
        return unseen_note(note);
    }
    let instead = (!note.rolled.is_empty()).then(|| NOT_AS_ROLLED.to_owned());
    let before = note.before.map(|_| format!("a roll that was used on {} before", event.subject.name));
    let like = note.like_check.then(|| LIKE_A_CHECK.to_owned());
    Some(instead.into_iter().chain(before).chain(like).collect::<Vec<_>>().join("; "))
}

fn damage_clause(event: &DamageEvent, amount: Option<i64>) -> String {
    let kind = event.damage_type.as_ref().map_or(String::new(), |kind| format!("{kind} "));
    let who = &event.subject.name;
    let eased = event.eased.as_ref().filter(|_| amount.is_some());
    let before = |eased: &Mitigated| format!("{} before {}", event.amount.abs(), eased.by.join(" and "));
    let before = in_brackets(eased.map(before).as_deref());
    let points = eased.map_or(event.amount.abs(), |eased| eased.left);
    match (event.told, event.amount, amount) {
        (Some(Phrasing::Idle), ..) => no_change_clause(event, &kind, amount),
        (Some(Phrasing::Counted), _, Some(_)) => format!("{who}{before}"),
        (_, 0, _) if event.roll.is_some() => format!("{who} takes no {kind}damage"),
        (_, 0, _) => who.clone(),
        (_, 1.., Some(_)) => format!("{who} takes {points} {kind}damage{before}"),
        (_, 1.., None) => format!("{who} takes {kind}damage"),
        (_, _, Some(_)) => format!("{who} recovers {points}{before}"),
        (_, _, None) => format!("{who} recovers"),
    }
}

/// Damage or healing that changed nothing.
fn no_change_clause(event: &DamageEvent, kind: &str, amount: Option<i64>) -> String {
    let points = amount.map_or(String::new(), |amount| format!("{} ", amount.abs()));
    let what = if event.amount < 0 { "healing".to_owned() } else { format!("{kind}damage") };
    let eased = event.eased.as_ref().filter(|_| amount.is_some());
    let left = eased.map(|eased| format!("{} after {}", eased.left, eased.by.join(" and ")));
    let text = format!("{points}{what}{} changes nothing for {}", in_brackets(left.as_deref()), event.subject.name);
    // Without an amount it begins with a word.
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn with_conditions(text: String, event: &DamageEvent) -> String {
    let changes = [("now", &event.gained), ("no longer", &event.lost)];
    let changes = changes.into_iter().filter(|(_, names)| !names.is_empty());
    let changes = changes.map(|(word, names)| format!("{word} {}", names.join(", ")));
    match event.told {
        Some(Phrasing::Conditions) => format!("{text} is {}.", changes.collect::<Vec<_>>().join(" and ")),
        _ => std::iter::once(text).chain(changes).collect::<Vec<_>>().join("; ") + ".",
    }
}

/// The tracks that moved, before and after.
fn track_images(entry: &Entry) -> impl Iterator<Item = (Option<&Track>, &Track)> {
    entry.changes.iter().filter_map(|change| match change {
        Change::Track(images) => Some((images.before.as_ref(), images.after.as_ref()?)),
        _ => None,
    })
}

fn name(actor: &str) -> &str {
    if actor == "gm" { "The GM" } else { actor }
}
