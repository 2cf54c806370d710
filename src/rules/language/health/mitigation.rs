//! What is taken off damage before it reaches a track.

use super::damage_type::{by_type, is_type_of_damage, ours, unclear};
use super::mitigation_words::{Action, Read, unreadable};
use super::tracks::Track;
use crate::diagnostic::{Diagnostic, Place};
use crate::dice::Formula;
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;

/// One step between the damage that is dealt and the damage that is taken. The system's list is in the order of application.
#[derive(Debug, Clone, PartialEq)]
pub struct Mitigation {
    /// Name as the author writes it: "Resistance". A character's sheet says to which damage types it applies, or how much it is.
    pub name: String,
    /// What it does.
    pub kind: MitigationKind,
    /// How much of a hit it leaves at least.
    pub least: i64,
    /// The types of damage that it does nothing about.
    pub except: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

/// What a step does to damage.
#[derive(Debug, Clone, PartialEq)]
pub enum MitigationKind {
    /// So much is taken off, never below zero; none: the character's number. What names something of the sheet is everybody's;
    /// a number alone, as of a kind of armour, is that of whoever has the step on the sheet.
    Subtract(Option<Formula>),
    /// So many halves of it are left: 1 is half, 3 one and a half times as much, 4 double.
    Halves {
        /// How many, 1 to 20 and not 2.
        count: i64,
        /// Whether an odd number is rounded up; else down.
        up: bool,
    },
    /// Nothing is left.
    Nothing,
    /// Damage below this number does nothing; none: below the character's number.
    Threshold(Option<Formula>),
}

/// Points in front of a track that damage takes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Name as the author writes it: "Temporary hit points".
    pub name: String,
    /// The track that they stand before, as it is declared; none when the file declares no track of that name.
    pub track: Option<String>,
    /// Whether the larger of two grants is kept; else they are added.
    pub keeps_larger: bool,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Mitigation {
    /// What it does, and to which damage its name keeps it: "half, rounded down; only fire damage".
    pub fn describe(&self) -> String {
        let (_, types) = by_type(&self.name);
        let only = if types.is_empty() { String::new() } else { format!("; only {} damage", types.join(" and ")) };
        let least = if self.least > 0 { format!(", at least {} gets through", self.least) } else { String::new() };
        let except = match self.except.as_slice() {
            [] => String::new(),
            types => format!("; not {} damage", types.join(" and ")),
        };
        format!("{}{least}{only}{except}", self.kind.describe())
    }

    /// Whether its own name keeps it from damage of this type.
    pub fn is_against(&self, damage_type: Option<&str>) -> bool {
        let (_, types) = by_type(&self.name);
        types.is_empty() || damage_type.is_some_and(|wanted| types.iter().any(|own| same(own, wanted)))
    }

    /// Whether it is about a type of damage, and so about everybody: `Impaling damage: double`.
    pub fn is_of_a_type(&self) -> bool {
        is_type_of_damage(&self.name)
    }

    /// Whether damage of this type is left out by its words.
    pub fn lets_through(&self, damage_type: Option<&str>) -> bool {
        damage_type.is_some_and(|kind| self.except.iter().any(|own| same(own, kind)))
    }

    /// The types of damage against which a number of that name on a sheet counts here, of all that the rules have: fire for `Fire
    /// resistance` and `Resistance (fire)`; no types are all damage. `None` where the name means something else.
    pub fn against<'n>(&'n self, name: &'n str, all: &[Mitigation]) -> Option<Vec<&'n str>> {
        let (own_noun, own_types) = by_type(&self.name);
        let (noun, types) = by_type(name);
        if same(name, &self.name) || (types.is_empty() && same(noun, &self.name)) {
            return Some(own_types);
        }
        let within = |one: &&str| own_types.iter().any(|own| same(own, one));
        let meant =
            same(noun, &self.name) || (same(noun, own_noun) && !own_types.is_empty() && types.iter().all(within));
        let taken = || all.iter().any(|other| same(name, &other.name));
        (meant && !types.is_empty() && !taken()).then_some(types)
    }
}

impl MitigationKind {
    /// What is taken off whoever has the step on the sheet, where the rules say how much.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Self::Subtract(Some(amount)) => amount.bind(&mut |_| None).ok()?.constant(),
            Self::Subtract(None) | Self::Halves { .. } | Self::Nothing | Self::Threshold(_) => None,
        }
    }

    /// In a few words: "half, rounded down".
    pub fn describe(&self) -> String {
        match self {
            Self::Subtract(None) => "subtracted from damage".to_owned(),
            Self::Subtract(Some(amount)) if self.constant().is_some() => {
                format!("{amount} subtracted from damage of whoever has it on the sheet")
            }
            Self::Subtract(Some(amount)) => format!("{amount} subtracted from damage"),
            Self::Halves { count: 4, .. } => "double".to_owned(),
            Self::Halves { count, .. } if count % 2 == 0 => format!("{} times as much", count / 2),
            Self::Halves { count, up } => {
                let many = if *count == 1 { "half".to_owned() } else { format!("{}.5 times as much", count / 2) };
                format!("{many}, rounded {}", if *up { "up" } else { "down" })
            }
            Self::Nothing => "no damage".to_owned(),
            Self::Threshold(Some(below)) => format!("less than {below} does nothing"),
            Self::Threshold(None) => "less than the character's own does nothing".to_owned(),
        }
    }
}

/// Names that are mitigation whatever their words are.
const NAMES: [&str; 8] =
    ["armour", "armor", "resistance", "vulnerability", "immunity", "threshold", "damage reduction", "soak"];

/// Reads a bullet as mitigation, several parts with semicolons between; none when it is something else.
pub fn read(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Vec<Mitigation>> {
    let parts = label.value.split_all(&[";"]);
    let first = parts.first().map(|part| fold(part.as_str())).unwrap_or_default();
    // What a critical hit does to damage is no armour.
    if label.folded.starts_with("critical") || label.folded.starts_with("natural ") {
        return None;
    }
    let is_named = NAMES.contains(&label.folded.as_str()) || ours(&label.folded).is_some();
    let action = Action::of(&label.folded, &first);
    // "half the maximum" of something else, "no more than two".
    if !is_named && action.is_none_or(|own| !own.is_meant_by(&label.folded, &first)) {
        return None;
    }
    let mut all: Vec<(Text, Read)> = Vec::new();
    let mut flat_first = false;
    for (nth, part) in parts.iter().enumerate() {
        let words = fold(part.as_str());
        if words.starts_with("in that order") {
            flat_first |= words.contains("flat");
            continue;
        }
        let (name, value) = match part.split_at_any(&[":"]) {
            Some((name, value)) => (name, value),
            None if nth == 0 => (label.label.clone(), part.clone()),
            None => {
                ledger.left_to_gm(part.span(), "not read as armour, resistance or the like");
                continue;
            }
        };
        let read = Action::of(&fold(name.as_str()), &fold(value.as_str()))
            .and_then(|action| action.read(&name, &value, names, ledger));
        match read {
            Some(read) if is_nobodys(&name, &read.kind) => of_nobody(&name, &value, ledger),
            Some(read) => all.push((name, read)),
            None => unreadable(&name, &value, ledger),
        }
    }
    all.retain(|(name, _)| {
        let is_clear = !unclear(name.as_str());
        if !is_clear {
            let message = format!("`{}` does not say against which damage it is", name.as_str());
            let help = "the type of damage stands in brackets behind what it is: `- Resistance (fire): half`; without one it is against all damage";
            let finding = Diagnostic::warning(codes::UNCLEAR_DAMAGE_TYPE, message).at(name.span(), "not read");
            ledger.report(finding.help(help));
        }
        is_clear
    });
    if flat_first {
        let is_flat =
            |kind: &MitigationKind| matches!(kind, MitigationKind::Subtract(_) | MitigationKind::Threshold(_));
        all.sort_by_key(|(_, read)| !is_flat(&read.kind));
    }
    let place = ledger.place(label.span);
    let made = all.into_iter().map(|(name, Read { kind, least, except })| Mitigation {
        name: capital(&name),
        kind,
        least,
        except,
        place: place.clone(),
    });
    Some(made.collect())
}

/// Whether a step that multiplies is named after neither a type of damage nor what a sheet has against damage: `Impaling: double`.
fn is_nobodys(name: &Text, kind: &MitigationKind) -> bool {
    let name = name.as_str();
    let own = NAMES.contains(&fold(by_type(name).0).as_str()) || ours(name).is_some() || is_type_of_damage(name);
    matches!(kind, MitigationKind::Halves { .. } | MitigationKind::Nothing) && !own && !unclear(name)
}

fn of_nobody(name: &Text, value: &Text, ledger: &mut Ledger<'_>) {
    let (name, value, span) = (name.as_str(), value.as_str(), name.span());
    let help = format!(
        "for a type of damage write `- {name} damage: {value}`; for somebody's weakness `- Vulnerability: double`, for a strength `- Resistance: half, \
         rounded down`, and on that sheet `Vulnerability ({})` 1",
        name.to_lowercase()
    );
    let message = format!("`{name}` does not say whose damage it is about");
    ledger.report(Diagnostic::warning(codes::UNCLEAR_DAMAGE_TYPE, message).at(span, "not read").help(help));
}

/// `Temporary hit points: soak damage first, never add together, keep the larger`.
pub fn layer(label: &Labelled, tracks: &[Track], ledger: &mut Ledger<'_>) -> Option<Layer> {
    let words = fold(label.value.as_str());
    let soaks = words.contains("soak") || words.contains("lost first") || words.contains("damage first");
    if !soaks || words.starts_with("boxes ") {
        return None;
    }
    let over = label.folded.strip_prefix("temporary ").unwrap_or(&label.folded);
    let track = tracks.iter().find(|track| fold(&track.name) == over).or_else(|| tracks.first());
    for part in label.value.split_all(&[",", ";"]) {
        let part_words = fold(part.as_str());
        let known = ["soak", "keep", "never add", "do not add", "add", "lost first", "damage first", "take"];
        if !known.iter().any(|known| part_words.contains(known)) {
            ledger.left_to_gm(part.span(), "not read as part of how it soaks");
        }
    }
    Some(Layer {
        name: label.label.as_str().to_owned(),
        track: track.map(|track| track.name.clone()),
        keeps_larger: ["larger", "higher", "greater", "never add", "do not add"]
            .iter()
            .any(|word| words.contains(word)),
        text: label.value.as_str().to_owned(),
        place: ledger.place(label.span),
    })
}

fn capital(name: &Text) -> String {
    let mut letters = name.as_str().chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_says_against_which_damage_something_counts() {
        let rule = |name: &str| Mitigation {
            name: name.to_owned(),
            kind: MitigationKind::Nothing,
            least: 0,
            except: Vec::new(),
            place: Place::default(),
        };
        let all = [rule("Resistance"), rule("Cold resistance")];
        for (rule, name, types) in [
            (0, "resistance", Some(&[][..])),
            (0, "Resistance (fire, cold)", Some(&["fire", "cold"])),
            (0, "Fire resistance", Some(&["Fire"])),
            (0, "Resist", None),
            (0, "Fire immunity", None),
            // The rules have something of this very name.
            (0, "Cold resistance", None),
            (1, "Cold resistance", Some(&["Cold"])),
            (1, "Resistance to cold", Some(&["cold"])),
            (1, "Resistance (fire)", None),
            (1, "Resistance", None),
        ] {
            assert_eq!(all[rule].against(name, &all).as_deref(), types, "{name}");
        }
    }
}
