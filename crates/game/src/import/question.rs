//! What became of a line of a source: read, kept as a note, or asked about; and the question.

use crate::decide::character::{SheetCall, Unread};
use crate::mechanics::tracks::main_name;
use crate::record::state::Kind;
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{printable, quoted, same, shortened};
use std::collections::BTreeMap;

/// How a line of a source ends. There is no fourth way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Read,
    /// Kept as words; labelled values before them are read.
    Note,
    Asked(Question),
}

/// A line that begins like a number of the game and cannot be read to its last word.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Question {
    pub part: Part,
    pub line: String,
    pub why: String,
    /// The form that is read.
    pub form: String,
    /// The name that the line gives, and the first number of its value.
    pub name: String,
    pub number: i64,
}

/// The part of a sheet that a question is about.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Health,
    Armour,
    Scores,
    Tracks,
    Skills,
    Defences,
    Attacks,
    /// A name in a list that the rules do not have; it is a note.
    Names,
    #[default]
    Notes,
    /// More lines than one creature has.
    Length,
}

const ARMOUR: &str =
    "armour class, armor class, ac, armour, armor, defence, defense, evasion, guard";

/// Where armour goes by these rules, by its name: a score, a skill, or a defence on a track.
pub fn armour_place(system: &System) -> Option<(Part, &str)> {
    let is_armour = |name: &str| ARMOUR.split(", ").any(|word| same(word, name));
    let attributes = system.attributes.iter().map(|attribute| {
        let is_short = attribute.abbr.as_deref().is_some_and(is_armour);
        (Part::Scores, &attribute.name, is_short)
    });
    let skills = system.skills.iter();
    let skills = skills.map(|skill| (Part::Skills, &skill.name, false));
    let defences = system.defences.iter();
    let defences = defences.map(|defence| (Part::Tracks, &defence.rule.name, false));
    let mut all = attributes.chain(skills).chain(defences);
    let found = all.find(|(_, name, is_short)| *is_short || is_armour(name));
    found.map(|(part, name, _)| (part, name.as_str()))
}

impl Question {
    /// Whether the rules would have a number of their own where this is left out.
    pub fn has_default(&self) -> bool {
        match self.part {
            Part::Health | Part::Armour | Part::Scores | Part::Tracks | Part::Length => true,
            Part::Skills | Part::Defences | Part::Attacks | Part::Names | Part::Notes => false,
        }
    }

    /// The parameter that answers it, and its value with the number that the line begins with.
    fn answer(&self, system: &System, kind: Kind) -> Option<(&'static str, String)> {
        let number = self.number;
        let named = |name: &str| format!("\"{}\": {number}", quoted(name));
        Some(match self.part {
            Part::Health if kind == Kind::Player && system.health_track().is_some() => {
                ("tracks", named(main_name(system)))
            }
            // Without a number that could be meant, the form's.
            Part::Health if number < 1 => ("hp", "7".to_owned()),
            Part::Health => ("hp", number.to_string()),
            Part::Armour => {
                let (part, name) = armour_place(system)?;
                let place = Question {
                    part,
                    name: name.to_owned(),
                    ..self.clone()
                };
                return place.answer(system, kind);
            }
            Part::Scores => ("attributes", named(&self.name)),
            Part::Tracks | Part::Defences => ("tracks", named(&self.name)),
            Part::Skills => ("skills", named(&self.name)),
            Part::Attacks => {
                let name = quoted(&self.name);
                let attack =
                    format!("{{\"name\": \"{name}\", \"bonus\": {number}, \"damage\": \"1d6\"}}");
                ("attacks", attack)
            }
            Part::Names | Part::Notes | Part::Length => return None,
        })
    }

    fn is_answered(&self, sheet: &SheetCall, system: &System) -> bool {
        let given = |name: &str| {
            let maps = [&sheet.attributes, &sheet.skills, &sheet.tracks];
            let mut names = maps.into_iter().flat_map(|map| map.keys());
            names.any(|given| same(given, name))
        };
        match self.part {
            Part::Health => sheet.hp.is_some() || given(main_name(system)),
            Part::Armour => armour_place(system).is_some_and(|(_, name)| given(name)),
            Part::Scores => !sheet.attributes.is_empty(),
            Part::Tracks => given(&self.name),
            Part::Skills
            | Part::Defences
            | Part::Attacks
            | Part::Names
            | Part::Notes
            | Part::Length => false,
        }
    }

    fn render(&self) -> String {
        let line = printable(&shortened(&self.line, LINE_MAX));
        format!("\"{line}\" ({})", self.why)
    }
}

/// Letters of a line that a refusal or a reply names.
const LINE_MAX: usize = 120;
/// Questions that a refusal or a reply names.
const NAMED_MAX: usize = 4;

/// The questions that the call leaves open: refused where the rules would have a number instead,
/// with the call that answers them; else what to send for each when the character is made.
pub fn settle(
    questions: Vec<Question>,
    sheet: &SheetCall,
    (system, kind): (&System, Kind),
    origin: &str,
) -> Result<Vec<Unread>, Refusal> {
    let open = questions
        .into_iter()
        .filter(|question| !question.is_answered(sheet, system));
    let (numbers, others): (Vec<Question>, Vec<Question>) = open.partition(Question::has_default);
    let Some(first) = numbers.first() else {
        let unread = others
            .iter()
            .filter(|question| question.part != Part::Names);
        let unread = unread.map(|question| Unread {
            line: question.render(),
            fields: fields(&[question], system, kind),
        });
        return Ok(unread.take(NAMED_MAX).collect());
    };
    let named: Vec<&Question> = numbers.iter().take(NAMED_MAX).collect();
    let lines = named.chunk_by(|one, next| one.line == next.line);
    let lines: Vec<String> = lines
        .filter_map(|same| Some(same.first()?.render()))
        .collect();
    let fields = fields(&named, system, kind);
    let is_page = origin.contains(['#', '.']);
    let call = match is_page {
        true => format!(
            "manage_character action=\"create\" kind=\"{}\" from=\"{}\"",
            kind.as_str(),
            quoted(origin)
        ),
        false => "the same call with".to_owned(),
    };
    if let Some(long) = numbers
        .iter()
        .find(|question| question.part == Part::Length)
    {
        let summary = format!(
            "Not read: {} and what is after it. Send the block of one creature alone.",
            long.render()
        );
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    let summary = format!(
        "Not read: {}. Nobody is made without that number. Send {call} {} with the numbers that are meant, or write the line as `{}`.",
        lines.join("; "),
        fields,
        first.form
    );
    Err(Refusal::new(Code::InvalidSheet, summary))
}

/// The parameters that answer these: `hp=7 skills={"Armour": 12}`.
pub fn fields(questions: &[&Question], system: &System, kind: Kind) -> String {
    let mut all: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let answers = questions
        .iter()
        .filter_map(|question| question.answer(system, kind));
    for (parameter, value) in answers {
        all.entry(parameter).or_default().push(value);
    }
    let written = all.into_iter().map(|(parameter, values)| {
        let all = values.join(", ");
        match parameter {
            "hp" => format!("{parameter}={}", values.first().map_or("", String::as_str)),
            "attacks" => format!("{parameter}=[{all}]"),
            _ => format!("{parameter}={{{all}}}"),
        }
    });
    written.collect::<Vec<_>>().join(" ")
}
