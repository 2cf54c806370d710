//! What the values of a block set on a foe, and the questions about those that are not read.

use super::labels::{Label, Labels, may_be_misspelt};
use super::text::{
    Number, begins_number, first_number, is_arithmetic, item_text, note_text, value_text,
};
use crate::import::question::{Part, Question, armour_place};
use crate::import::{attack, foe::Foe};
use rollbook_text::names::{fold, same};

/// Sets a number of the foe. Asked about: one that is there already with another value.
pub fn set_number(
    foe: &mut Foe,
    labels: &Labels,
    (label, name): (Label, &str),
    number: Number,
) -> Option<Question> {
    let Number { value, of, .. } = number;
    if let Some(inner) = number.inner.filter(|inner| !is_arithmetic(inner)) {
        let is_class = label == Label::Level;
        let value = format!("{value} ({inner})");
        foe.words
            .push(note_text(name, if is_class { &inner } else { &value }));
    }
    let other = match label {
        Label::Health | Label::HealthMax if of.is_none() => set_once(&mut foe.hp, value),
        Label::Health | Label::HealthMax | Label::HealthNow => {
            let max = of.and_then(|max| set_once(&mut foe.hp, max));
            max.or(set_once(&mut foe.hp_now, value))
        }
        Label::Armour => set_once(&mut foe.armour, value),
        Label::Worth => set_once(&mut foe.worth, value),
        Label::Level => set_once(&mut foe.level, value),
        Label::Skill => set_named(&mut foe.bonuses, name, value),
        Label::Track => set_named(&mut foe.tracks, name, (value, of)).map(|(other, _)| other),
        Label::Attribute => {
            let attribute = labels.system.named_attribute(name)?;
            if number.signed && attribute.modifier(value).ok() != Some(value) {
                let why = format!(
                    "`{name} {value:+}` is what a score adds, and these rules count scores"
                );
                return Some(asking(label, name, value, why));
            }
            if let [modifier, save] = number.others[..]
                && modifier != save
            {
                foe.words.push(format!("{name} save {save:+}"));
            }
            set_named(&mut foe.scores, &attribute.name, value)
        }
        Label::Name
        | Label::Challenge
        | Label::HitDice
        | Label::Scores
        | Label::Skills
        | Label::Attacks
        | Label::Defence(_)
        | Label::Column
        | Label::Words => None,
    };
    let why = format!("`{name}` is {} in another line and {value} here", other?);
    Some(asking(label, name, value, why))
}

/// Sets what is not set; the other number that is there.
fn set_once(slot: &mut Option<i64>, value: i64) -> Option<i64> {
    Some(*slot.get_or_insert(value)).filter(|known| *known != value)
}

fn set_named<T: Copy + PartialEq>(all: &mut Vec<(String, T)>, name: &str, value: T) -> Option<T> {
    if let Some((_, known)) = all.iter().find(|(known, _)| same(known, name)) {
        return Some(*known).filter(|known| *known != value);
    }
    all.push((name.to_owned(), value));
    None
}

/// `Attributes: STR 12, DEX 10; Reflex +4`, `Skills: Melee +3`. A name that the rules do not have is
/// kept as words; asked about where it is nearly one of theirs, or others of the list are.
pub fn set_list(
    foe: &mut Foe,
    labels: &Labels,
    (list, colon): (Label, bool),
    pairs: Vec<(String, Number)>,
) -> Option<Question> {
    let (of_list, what) = match list {
        Label::Skills => (Label::Skill, "skill"),
        _ => (Label::Attribute, "attribute"),
    };
    let known = |name: &str| {
        let known = labels.get(name);
        known.filter(|label| *label == of_list || (list == Label::Scores && is_number(*label)))
    };
    let some_known = pairs.iter().any(|(name, _)| known(name).is_some());
    let mut asked = None;
    for (name, number) in pairs {
        let value = number.value;
        let set = match known(&name) {
            // With their attribute's modifier, unless a colon is before them.
            Some(Label::Skill) if !colon || list == Label::Scores => {
                foe.totals.push((name, value));
                None
            }
            Some(label) => set_number(foe, labels, (label, &name), number),
            None => {
                let shown = if list == Label::Skills {
                    format!("{value:+}")
                } else {
                    value.to_string()
                };
                foe.words.push(format!("{name} {shown}"));
                let near = labels.misspelt(&name).filter(|(near, _)| *near == of_list);
                let hint = near.map_or(String::new(), |(_, near)| {
                    format!(" (did you mean `{near}`?)")
                });
                let why = format!("no {what} of the rules is called {name}{hint}");
                let question = asking(
                    of_list,
                    near.map_or(name.as_str(), |(_, near)| near),
                    value,
                    why,
                );
                let (part, form) = part_of(list, "").unwrap_or_default();
                let part = if near.is_some() { part } else { Part::Names };
                (some_known || near.is_some()).then_some(Question {
                    part,
                    form,
                    ..question
                })
            }
        };
        asked = asked.or(set);
    }
    asked
}

/// Whether a label is of a number that a list of scores may hold.
fn is_number(label: Label) -> bool {
    matches!(
        label,
        Label::Attribute | Label::Skill | Label::Track | Label::Armour | Label::Health
    )
}

const SCORES_FORM: &str = "- Attributes: STR 12, DEX 10";
const SKILLS_FORM: &str = "- Skills: Melee +3, Aim +1";

/// The part of the sheet that a label is about, and the form that is read.
pub fn part_of(label: Label, name: &str) -> Option<(Part, String)> {
    let number = |number: &str| format!("- {name}: {number}");
    Some(match label {
        Label::Health | Label::HealthMax | Label::HealthNow => {
            (Part::Health, "- Hit points: 7".to_owned())
        }
        Label::Armour => (Part::Armour, "- Armour: 12".to_owned()),
        Label::Attribute => (Part::Scores, number("12")),
        Label::Track => (Part::Tracks, number("3")),
        Label::Skill => (Part::Skills, number("+3")),
        Label::Scores => (Part::Scores, SCORES_FORM.to_owned()),
        Label::Skills => (Part::Skills, SKILLS_FORM.to_owned()),
        Label::Attacks => (
            Part::Attacks,
            "- Attack: cudgel +3, damage 1d6+1".to_owned(),
        ),
        Label::Defence(_) => (Part::Defences, "- Resistances: fire, cold".to_owned()),
        Label::Name
        | Label::Worth
        | Label::Challenge
        | Label::HitDice
        | Label::Level
        | Label::Column
        | Label::Words => return None,
    })
}

pub fn asking(label: Label, name: &str, number: i64, why: String) -> Question {
    let (part, form) = part_of(label, name).unwrap_or((Part::Notes, String::new()));
    Question {
        part,
        why,
        form,
        number,
        name: name.to_owned(),
        line: String::new(),
    }
}

/// The question about a label whose value is not read; `None`: its value is words.
pub fn question(
    labels: &Labels,
    line: &str,
    (label, name, value): (Label, &str, &str),
) -> Option<Question> {
    let has_digit = value.contains(|letter: char| letter.is_ascii_digit());
    let is_asked = match label {
        Label::Health | Label::HealthMax | Label::HealthNow => {
            has_digit || !["hits", "health"].contains(&fold(name).as_str())
        }
        Label::Armour => (has_digit || value.is_empty()) && armour_place(labels.system).is_some(),
        Label::Defence(_) => !["", "none", "-", "—", "–"].contains(&fold(value).as_str()),
        // A track in the words of rules.
        Label::Track => has_digit && !fold(value).starts_with("max "),
        _ => has_digit,
    };
    let why = format!("what stands behind `{name}` cannot be read");
    part_of(label, name).filter(|_| is_asked)?;
    let number = first_number(value).unwrap_or_default();
    let mut question = asking(label, name, number, why);
    question.line = value_text(item_text(line));
    if let Label::Defence(defence) = label {
        // Where the rules have no such defence, it is a note.
        let rule = defence.rule(labels.system)?;
        let kind = value.split([' ', ',', ';']).next().unwrap_or_default();
        (question.name, question.number) = (format!("{rule} ({})", kind.to_lowercase()), 1);
    }
    Some(question)
}

/// The question about an unknown label that is nearly one that is read, or an attack's.
pub fn unknown_label(labels: &Labels, line: &str, label: &str, value: &str) -> Option<Question> {
    let text = value_text(value);
    let asked = |label: Label, name: &str, why: String| {
        let question = asking(label, name, first_number(&text).unwrap_or_default(), why);
        Question {
            line: value_text(item_text(line)),
            ..question
        }
    };
    if attack::is_printed(&text) {
        let why = "this attack cannot be read".to_owned();
        return Some(asked(Label::Attacks, label, why));
    }
    let (meant, known) = labels
        .misspelt(label)
        .filter(|_| may_be_misspelt(label) && labels.get(label).is_none())?;
    let is_list = matches!(meant, Label::Scores | Label::Skills | Label::Attacks);
    part_of(meant, known).filter(|_| is_list || begins_number(&text))?;
    Some(asked(
        meant,
        known,
        format!("`{label}` is no label (did you mean `{known}`?)"),
    ))
}
