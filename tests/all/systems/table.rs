//! The bench on which a game's rules and its reference are rolled side by side.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use rollbook_dice::odds::Ratio;
use rollbook_dice::{Bound, DrawError, KeptRoller, Roller};
use rollbook_game::decide::check::CheckCall;
use rollbook_game::decide::odds::chances;
use rollbook_game::mechanics::decks::Dealer;
use rollbook_game::mechanics::values::Values;
use rollbook_game::record::state::{Character, Clock, Deck, State, Track};
use rollbook_rules::{Attempt, AttemptError, Check, Means, Outcome, System, proofs, read};
use rollbook_text::diagnostic::{Severity, SourceFile, render};
use rollbook_text::names::same;

use super::games::FOLDERS;
use crate::bare;

/// Rolls of each game.
pub const ROLLS: u32 = 20_000;

/// What a game says of a roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Says {
    pub outcome: Outcome,
    pub label: &'static str,
    pub margin: Option<i64>,
    pub flags: Vec<&'static str>,
    pub values: Vec<(&'static str, i64)>,
}

/// An outcome without flags.
pub fn says(outcome: Outcome, label: &'static str, margin: impl Into<Option<i64>>) -> Says {
    Says {
        outcome,
        label,
        margin: margin.into(),
        flags: Vec::new(),
        values: Vec::new(),
    }
}

/// Faces in the order in which they were drawn; a reference takes them as its rules ask for them.
pub struct Faces<'f> {
    drawn: &'f [Drawn],
    next: Cell<usize>,
    /// Whether a die of another size was asked for than was drawn.
    other: Cell<bool>,
    /// No roll of the game was made before.
    begins: bool,
}

/// A face, and the lowest and highest that its die has.
type Drawn = (i64, i64, i64);

impl<'f> Faces<'f> {
    fn of(drawn: &'f [Drawn]) -> Faces<'f> {
        Faces {
            drawn,
            next: Cell::new(0),
            other: Cell::new(false),
            begins: false,
        }
    }

    /// Whether this is the first roll of the game, before which nothing was drawn.
    pub fn begins(&self) -> bool {
        self.begins
    }

    /// Whether the game took just the dice that were drawn.
    fn fit(&self) -> bool {
        self.next.get() == self.drawn.len() && !self.other.get()
    }

    /// The next face; a game that asks for more dice than were rolled gets 0, which no die shows.
    fn take(&self) -> i64 {
        let face = self
            .drawn
            .get(self.next.get())
            .map_or(0, |(face, ..)| *face);
        self.next.set(self.next.get() + 1);
        face
    }

    /// The next face, of a die with so many sides.
    pub fn die(&self, sides: i64) -> i64 {
        self.between(1, sides)
    }

    /// The next face, of any die.
    pub fn any(&self) -> i64 {
        self.take()
    }

    /// The next face, of a die from this to that.
    pub fn between(&self, low: i64, high: i64) -> i64 {
        if self
            .drawn
            .get(self.next.get())
            .is_none_or(|(_, lowest, highest)| (*lowest, *highest) != (low, high))
        {
            self.other.set(true);
        }
        self.take()
    }

    /// The next so many faces, of dice with so many sides.
    pub fn dice(&self, count: i64, sides: i64) -> Vec<i64> {
        (0..count).map(|_| self.die(sides)).collect()
    }
}

/// The values that have a name; the Result is in the margin.
fn named(values: &[(String, i64)]) -> impl Iterator<Item = (&str, i64)> {
    values
        .iter()
        .map(|(name, value)| (name.as_str(), *value))
        .filter(|(name, _)| *name != "Result")
}

/// One game: the rules, what varies and how far, and the reference. `level`, `STR score` and the
/// name of a shared track are of a character and a table at which the program looks up what follows
/// from them.
pub struct Game<'g> {
    pub rules: &'g str,
    pub check: &'g str,
    /// Each variable with its lowest and highest value, both tried.
    pub varies: &'g [(&'g str, i64, i64)],
    /// What the game says, given the variables in that order and the faces.
    pub reference: fn(&[i64], &Faces<'_>) -> Says,
}

impl Game<'_> {
    /// Both say the same, twenty thousand times, and each edit of the table makes them differ.
    #[track_caller]
    pub fn holds(&self, edits: &[(&str, &str)]) {
        self.both_hold((None, None), edits);
    }

    /// The same with a skill of the rules.
    #[track_caller]
    pub fn holds_with(&self, skill: Option<&str>, edits: &[(&str, &str)]) {
        self.both_hold((skill, None), edits);
    }

    /// The same where each roll is followed by this rule of the check if that is offered; the
    /// reference takes the dice that are thrown again after all of the first throw.
    #[track_caller]
    pub fn holds_followed(&self, by: &str, edits: &[(&str, &str)]) {
        self.both_hold((None, Some(by)), edits);
    }

    #[track_caller]
    fn both_hold(&self, with: (Option<&str>, Option<&str>), edits: &[(&str, &str)]) {
        if let Some(difference) = self.difference_with(&system(self.rules), with) {
            panic!("{difference}");
        }
        for (written, edited) in edits {
            assert!(
                self.rules.contains(written),
                "{written:?} stands in the rules"
            );
            let rules = self.rules.replacen(written, edited, 1);
            let difference = self.difference_with(&system(&rules), with);
            assert!(
                difference.is_some(),
                "{written:?} as {edited:?} made no difference"
            );
        }
    }

    /// The first roll on which the two differ, in words.
    pub fn difference(&self, system: &System) -> Option<String> {
        self.difference_with(system, (None, None))
    }

    /// The same with a skill, and where each roll is followed by a rule.
    fn difference_with(
        &self,
        system: &System,
        (skill, by): (Option<&str>, Option<&str>),
    ) -> Option<String> {
        let Ok(check) = system.check(self.check) else {
            return Some("the check is not read".to_owned());
        };
        let mut dice = Dice::of(0x5eed);
        let mut attempts: HashMap<Vec<i64>, Attempt> = HashMap::new();
        let mut decks: Vec<Deck> = Vec::new();
        for nth in 0..ROLLS {
            let values: Vec<i64> = self
                .varies
                .iter()
                .map(|(_, low, high)| dice.pick(*low, *high))
                .collect();
            if !attempts.contains_key(&values) {
                match self.attempt(system, check, skill, &values) {
                    Ok(attempt) => drop(attempts.insert(values.clone(), attempt)),
                    Err(error) => return Some(format!("{values:?}: {error:?}")),
                }
            }
            let attempt = &attempts[&values];
            dice.drawn.clear();
            let row = |name: &str| decks.iter().find(|deck| deck.name == name);
            let mut dealer = Dealer::new(&mut dice, system, row);
            let (mut roll, opposing) = attempt.roll(&mut dealer).expect("dice that never run out");
            decks = dealer.finish().decks;
            let mut verdict = check.verdict(attempt, &roll, opposing.as_ref());
            let outcome = verdict.judgement.as_ref().map(|judged| judged.outcome);
            let rule = check
                .follow_ups
                .iter()
                .find(|rule| by.is_some_and(|by| same(by, &rule.name)));
            if let Some(rule) =
                rule.filter(|rule| outcome.is_some_and(|outcome| rule.is_offered_after(outcome)))
            {
                let expression = rule.with_added(&attempt.expression).expect("dice");
                let kept = rule.kept_faces(&roll);
                roll = expression
                    .roll(&mut KeptRoller::new(kept, &mut dice))
                    .expect("dice that never run out");
                verdict = check.verdict_after(
                    attempt,
                    &roll,
                    opposing.as_ref(),
                    std::slice::from_ref(&rule.name),
                );
            }
            let faces = Faces {
                begins: nth == 0,
                ..Faces::of(&dice.drawn)
            };
            let wanted = (self.reference)(&values, &faces);
            let judged = verdict
                .judgement
                .as_ref()
                .map(|judged| (judged.outcome, judged.label.as_str()));
            let same = judged == Some((wanted.outcome, wanted.label))
                && verdict.facts.margin == wanted.margin
                && verdict.flags == wanted.flags
                && named(&verdict.values).eq(wanted.values.iter().copied())
                && faces.fit();
            if !same {
                let names: Vec<&str> = self.varies.iter().map(|(name, ..)| *name).collect();
                return Some(format!(
                    "{names:?} {values:?}, {}: the rules say {judged:?}, margin {:?}, flags {:?}, values {:?}; the game says {wanted:?} with {} of {} faces",
                    roll.explanation,
                    verdict.facts.margin,
                    verdict.flags,
                    verdict.values,
                    faces.next.get(),
                    dice.drawn.len()
                ));
            }
        }
        None
    }

    /// How often the reference says what, when the rules' dice are rolled for these values: by
    /// outcome and label.
    pub fn tally(&self, values: &[i64]) -> BTreeMap<(String, String), u32> {
        let system = system(self.rules);
        let check = system.check(self.check).expect("the check");
        let attempt = self
            .attempt(&system, check, None, values)
            .expect("an attempt");
        let mut dice = Dice::of(0x0dd5);
        let mut times = BTreeMap::new();
        for _ in 0..ROLLS {
            dice.drawn.clear();
            attempt.roll(&mut dice).expect("dice that never run out");
            let verdict = (self.reference)(values, &Faces::of(&dice.drawn));
            *times
                .entry((
                    verdict.outcome.as_str().replace(" ", "_"),
                    verdict.label.to_owned(),
                ))
                .or_default() += 1;
        }
        times
    }

    /// The program's exact odds of a check of so many dice are those of their faces, whether a
    /// shared track stands so or a call says so.
    #[track_caller]
    pub fn odds_are_those_of(&self, values: &[i64], (dice, sides): (u32, i64)) {
        let mut rows: BTreeMap<(Option<Outcome>, Option<String>), i64> = BTreeMap::new();
        let mut flags: BTreeMap<String, i64> = BTreeMap::new();
        let ways = sides.pow(dice);
        for way in 0..ways {
            let drawn: Vec<Drawn> = (0..dice)
                .map(|nth| (way / sides.pow(nth) % sides + 1, 1, sides))
                .collect();
            let verdict = (self.reference)(values, &Faces::of(&drawn));
            *rows
                .entry((Some(verdict.outcome), Some(verdict.label.to_owned())))
                .or_default() += 1;
            verdict
                .flags
                .iter()
                .for_each(|flag| *flags.entry((*flag).to_owned()).or_default() += 1);
        }
        let setting = bare::setting_of(system(self.rules));
        let system = &setting.system;
        let (state, actor) = self.table(system, values);
        let characters = BTreeMap::from([(actor.id, actor)]);
        let difficulty = self.given(values, "difficulty");
        let tracks = system.company.iter().flat_map(|company| &company.tracks);
        let shared = tracks.filter_map(|track| {
            Some((
                track.name.clone(),
                self.given(values, &track.name)?.to_string(),
            ))
        });
        let asks = system
            .check(self.check)
            .expect("the check")
            .asks
            .iter()
            .filter(|ask| ask.name != "difficulty");
        let asked = asks
            .filter_map(|ask| Some((ask.name.clone(), self.given(values, &ask.name)?.to_string())));
        let asked: BTreeMap<String, String> = asked.collect();
        let sent = shared.chain(asked.clone()).collect();
        for (clocks, values) in [(state.clocks, asked), (BTreeMap::new(), sent)] {
            let state = State {
                characters: characters.clone(),
                clocks,
                ..State::default()
            };
            let call = CheckCall {
                check: Some(self.check.to_owned()),
                difficulty,
                values,
                ..CheckCall::default()
            };
            let found = chances(&state, &setting, &call).expect("odds");
            let of = |chance: &Ratio| (chance.to_f64() * ways as f64).round() as i64;
            let rows_found = found
                .rows
                .iter()
                .map(|row| ((row.outcome, row.label.clone()), of(&row.chance)));
            assert_eq!(rows_found.collect::<BTreeMap<_, _>>(), rows, "{call:?}");
            let flags_found = found
                .flags
                .iter()
                .map(|(name, chance)| (name.clone(), of(chance)));
            assert_eq!(
                flags_found
                    .filter(|(_, faces)| *faces > 0)
                    .collect::<BTreeMap<_, _>>(),
                flags,
                "{call:?}"
            );
            assert!(
                found
                    .rows
                    .iter()
                    .all(|row| row.chance.to_f64() == of(&row.chance) as f64 / ways as f64)
            );
        }
    }

    fn given(&self, values: &[i64], name: &str) -> Option<i64> {
        let place = self
            .varies
            .iter()
            .position(|(known, ..)| same(known, name))?;
        values.get(place).copied()
    }

    fn attempt(
        &self,
        system: &System,
        check: &Check,
        skill: Option<&str>,
        values: &[i64],
    ) -> Result<Attempt, AttemptError> {
        let (state, actor) = self.table(system, values);
        let sheet = Values::of(&state, system, &actor);
        let is_shared = |name: &str| {
            system
                .company
                .as_ref()
                .is_some_and(|company| company.track(name).is_ok())
        };
        let given = |name: &str| self.given(values, name).filter(|_| !is_shared(name));
        let chosen = |name: &str| Some(skill.filter(|_| name == "skill")?.to_owned());
        let found = |name: &str| {
            given(name).or_else(|| sheet.get(&chosen(name).unwrap_or(name.to_owned())))
        };
        let lookup = |name: &str, _| given(name).or_else(|| found(name)).map(Bound::Number);
        check.attempt(&Means {
            lookup: &lookup,
            extra: 0,
            dice: 0,
            targeted: true,
        })
    }

    /// The sheet and the shared tracks.
    fn table(&self, system: &System, values: &[i64]) -> (State, Character) {
        let mut state = State::default();
        let mut actor = Character {
            id: 1,
            name: "Ana".to_owned(),
            ..Character::default()
        };
        for ((name, ..), value) in self.varies.iter().zip(values) {
            let shared = system
                .company
                .as_ref()
                .and_then(|company| company.track(name).ok());
            match (
                name.strip_suffix(" score")
                    .and_then(|bare| system.attribute(bare).ok()),
                shared,
            ) {
                _ if *name == "level" => actor.level = *value,
                (Some(attribute), _) => {
                    actor.attributes.insert(attribute.name.clone(), *value);
                }
                (None, Some(track)) => {
                    let clock = Clock {
                        name: track.name.clone(),
                        value: *value,
                        ..Clock::default()
                    };
                    state.clocks.insert(clock.name.clone(), clock);
                }
                (None, None) => {
                    if let Ok(track) = system.track(name) {
                        let row = Track {
                            character: actor.id,
                            name: track.name.clone(),
                            value: *value,
                            fixed: true,
                            ..Track::default()
                        };
                        state.tracks.insert((actor.id, row.name.clone()), row);
                    } else if let Ok(skill) = system.skill(name) {
                        actor.skills.insert(skill.name.clone(), *value);
                    }
                }
            }
        }
        (state, actor)
    }
}

/// The program's exact chances that the first of two with these ranks in a skill wins a check
/// against the other, and of a tie.
pub fn contest(rules: &str, check: &str, skill: &str, ranks: [i64; 2]) -> [f64; 2] {
    let setting = bare::setting_of(system(rules));
    let mut state = State::default();
    for (id, (name, rank)) in (1..).zip(["Ana", "Bo"].into_iter().zip(ranks)) {
        let skills = BTreeMap::from([(skill.to_owned(), rank)]);
        state.characters.insert(
            id,
            Character {
                id,
                name: name.to_owned(),
                skills,
                ..Character::default()
            },
        );
    }
    let opponent = CheckCall {
        character: Some("Bo".to_owned()),
        skill: Some(skill.to_owned()),
        ..CheckCall::default()
    };
    let call = CheckCall {
        character: Some("Ana".to_owned()),
        check: Some(check.to_owned()),
        skill: Some(skill.to_owned()),
        opposed_by: Some(Box::new(opponent)),
        ..CheckCall::default()
    };
    let against = chances(&state, &setting, &call)
        .expect("odds")
        .against
        .expect("who wins");
    [against.won, against.tie].map(|chance| chance.to_f64())
}

#[test]
fn nothing_is_found_in_any_game_also_when_every_check_is_carried_out_in_every_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut games = 0;
    for entry in FOLDERS
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"))
    {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let rules = std::fs::read_to_string(&path).expect("text");
            let reading = read(vec![SourceFile::new("System.md", rules.as_str())]);
            let found = [reading.diagnostics.clone(), proofs(&reading)].concat();
            assert_eq!(
                render::plain(&found, &reading.sources),
                "",
                "{}",
                path.display()
            );
            assert!(rules.lines().count() <= 40, "{}", path.display());
            games += 1;
        }
    }
    assert!(games >= 37, "{games}");
}

/// The rules, in which nothing may be wrong.
pub fn system(rules: &str) -> System {
    let reading = read(vec![SourceFile::new("System.md", rules)]);
    let remarks = render::plain(&reading.diagnostics, &reading.sources);
    assert_eq!(reading.count(Severity::Error), 0, "{remarks}");
    reading.system
}

/// Dice of a fixed seed that remember their faces.
struct Dice {
    seed: u64,
    drawn: Vec<Drawn>,
}

impl Dice {
    fn of(seed: u64) -> Dice {
        Dice {
            seed,
            drawn: Vec::new(),
        }
    }

    /// SplitMix64, by Steele, Lea and Flood; its low bits are good enough for a remainder.
    fn pick(&mut self, low: i64, high: i64) -> i64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + i64::try_from(z % u64::try_from(high - low + 1).expect("a range"))
            .expect("a small number")
    }
}

impl Roller for Dice {
    fn source(&self) -> &'static str {
        "seeded"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        let face = self.pick(low, high);
        self.drawn.push((face, low, high));
        Ok(face)
    }

    fn pick(&mut self, faces: &[i64]) -> Result<i64, DrawError> {
        let place = Dice::pick(self, 0, i64::try_from(faces.len()).expect("a few") - 1);
        let face = faces[usize::try_from(place).expect("a place")];
        let ends = (faces.iter().min().copied(), faces.iter().max().copied());
        self.drawn
            .push((face, ends.0.unwrap_or(0), ends.1.unwrap_or(0)));
        Ok(face)
    }
}
