//! A party, a foe and a template, and every call that hurts or mends them looked at.

use std::sync::OnceLock;

use rollbook_game::decide::character::{self, HitPoints, SheetCall};
use rollbook_game::decide::damage;
use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::state::Kind;
use rollbook_game::table::Setting;

use super::calls::Call;
use super::{bounds, hits, rests};
use crate::bare::{self, Campaign};

/// Rules with everything that may stand in the way of a hit, and bounds on the way down.
const ARMOURED: &str = "# Armoured\n\n## Attributes\n- Toughness: hard\n- Range: 1 to 9\n\n## Health\n\
    - Hit points: max `10 + {level}`, from -4\n- Bleeding: 3 boxes, full: gain Dead\n- Temporary hit points: from 0, keeps larger\n\
    - Shield: from 0\n- Damage types: cold, fire, poison\n- Damage: Temporary hit points, Shield, Hit points\n\
    - Threshold: ignore under 3 for all\n- Armour: subtract {Armour}\n- Hide: subtract `floor({Toughness} / 3)` for all, at least 1 gets through\n\
    - Vulnerability: double\n- Resistance: half\n- Immunity: none\n- At 5 Hit points: gain Bloodied\n- At 0 Hit points: gain Unconscious, Bleeding +1\n\
    - At 1+ Hit points: Bleeding to 0\n- One hit {Toughness}+: gain Shaken\n- One hit `{Hit points max} / 2`+: gain Stunned\n\
    - Left over {Hit points max}+: gain Dead\n- Short rest: Hit points +1d4\n- Long rest: Hit points to max, Bleeding to 0, lose Cursed\n\
    - End of scene: Hit points +1\n\
    \n## Company\n- Supplies: max 6\n  - At 0: gain Weary\n- Alarm: 5 boxes, full: *the gate falls*, Alarm to 0, Flooding +2\n\
    \n## Clocks\n- Flooding: 4 boxes, hidden, full: gain Stunned, Supplies -2\n\
    \n## Conditions\n- Bloodied\n- Shaken\n- Stunned: disadvantage on checks, until end of scene\n- Cursed (1-3): -{Cursed} on checks\n\
    - Weary: -1 on checks, until short rest\n";
/// Rules under which damage runs through attributes, beside a track that fills up.
const CHAINED: &str = "# Chained\n\n## Attributes\n- Grit\n- Strength (STR)\n- Dexterity (DEX)\n- Range: 1 to 9\n\n## Health\n\
    - Damage: Grit, Strength or Dexterity\n- Armour: subtract {Armour}\n- Panic: 8 boxes, full: gain Gone, Panic to 0\n- Fall: 4 boxes, full: Panic +2\n\
    - At 4 Panic: gain Shaken\n- At 0 Grit: gain Winded\n- When `({Grit} = 0) + ({Strength} = 0) + ({Dexterity} = 0) >= 2`: gain Unconscious\n\
    - When {Grit} 0 and {Strength} 0 and {Dexterity} 0: gain Dead\n- Short rest: Grit to max, Panic -1\n\
    \n## Conditions\n- Gone\n- Shaken\n- Winded\n";
const ADVENTURES: [&str; 8] = [
    "lockhouse",
    "long-pour",
    "six-covers",
    "quorum",
    "down-special",
    "name-auction",
    "ninth-reel",
    "last-queen",
];

/// The systems that come with the program, and these two.
pub fn rules() -> &'static [Setting] {
    static RULES: OnceLock<Vec<Setting>> = OnceLock::new();
    RULES.get_or_init(|| {
        let shipped = ADVENTURES.iter().map(|name| {
            let file = format!("{}/adventures/{name}/System.md", env!("CARGO_MANIFEST_DIR"));
            (*name, std::fs::read_to_string(file).expect("rules"))
        });
        let written = [
            ("armoured", ARMOURED.to_owned()),
            ("chained", CHAINED.to_owned()),
        ];
        shipped
            .chain(written)
            .map(|(name, text)| Setting {
                adventure: name.to_owned(),
                ..bare::setting(&text)
            })
            .collect()
    })
}

pub type Rig = Campaign<Call>;

impl Rig {
    pub fn new(which: usize, dice: u64) -> Rig {
        Campaign::of(&rules()[which], dice)
    }

    /// Two of the party, a character as the rules have it, one with hit points, and a template.
    pub fn sit_down(&mut self) {
        let people = [
            ("Ann", Kind::Player, None),
            ("Kit", Kind::Companion, None),
            ("Foe", Kind::Npc, None),
            ("Rat", Kind::Npc, Some(6)),
            ("Mould", Kind::Template, None),
        ];
        for (name, kind, hp) in people {
            let middle =
                |range: Option<(i64, i64)>| range.map_or(5, |(low, high)| (low + high) / 2);
            let scores = self.system().attributes.iter();
            let attributes = scores
                .map(|score| (score.name.clone(), middle(score.range)))
                .collect();
            let sheet = SheetCall {
                name: Some(name.to_owned()),
                kind: Some(kind),
                hp: hp.map(HitPoints::full),
                attributes,
                ..SheetCall::default()
            };
            self.decide(|table| character::create(table, sheet).map(drop))
                .expect("is made");
        }
    }

    /// Makes a call, refused or not, and looks at what it came to.
    pub fn make(&mut self, call: &Call) {
        self.calls.push(call.clone());
        let before = self.state.clone();
        let from = self.log.len();
        let foretold = match call {
            Call::Damage(call) => Some(damage::preview(&self.state, self.system(), call, None)),
            _ => None,
        };
        if let Err(refusal) = self.decide(|table| call.make(table)) {
            assert_eq!(self.state, before, "a refusal changes nothing");
            if let Some(foretold) = foretold {
                assert_eq!(foretold.expect_err("refused beforehand").code, refusal.code);
            }
            return;
        }
        let entries = &self.log[from..];
        if let (Call::Damage(call), Some(foretold)) = (call, foretold) {
            let wound = foretold.expect("foretold");
            hits::as_foretold(&wound, &before, &self.state, entries);
            hits::adds_up(self.system(), call, &wound);
            hits::goes_one_way(self.system(), call, &wound);
            hits::defended(self.system(), call, &wound, &before);
            hits::falls(self.system(), call, &wound, &before);
            hits::sets_off(self.system(), call, &wound, &before);
        }
        if let Call::Rest(who, kind) = call {
            rests::mended(
                self.system(),
                who.as_deref(),
                kind,
                &before,
                &self.state,
                entries,
            );
        }
        if matches!(call, Call::Rest(..) | Call::SceneEnds | Call::SessionEnds) {
            rests::the_dead_stay(&before, &self.state);
        }
        let moves_nothing = |change: &Change| change.clone().reversed() == *change;
        assert!(
            !entries
                .iter()
                .flat_map(|entry| &entry.changes)
                .any(moves_nothing),
            "a change changes something"
        );
        bounds::tracks_hold(&self.state);
        bounds::effects_are_there(self.system(), &before, entries);
        bounds::ended(self.system(), &self.state);
        self.undone_and_done_again(&before, from, None);
    }

    /// The log as it is stored and read makes the state, and leaves nothing when taken back.
    pub fn saved_and_read_again(&self) {
        let stored = serde_json::to_vec(&self.log).expect("JSON");
        let read: Vec<Entry> = serde_json::from_slice(&stored).expect("entries");
        assert_eq!(read, self.log, "what is read is what was saved");
        bare::rebuilds(&read, &self.state);
    }
}
