//! The list of labels.

use super::labels::{Label, Read, label};
use super::read::{advancement, checks, combat, dice, health, scores};
use crate::rules::section::SectionKind;

use Read::{Label as ByLabel, Named, Value};
use SectionKind::{Advancement, Attributes, Checks, Clocks, Combat, Company, Dice, Health, Skills};

/// What follows its comma is for people.
pub const STARTING_VALUES: &str = "Starting values";

/// All of them, section by section, in the order in which they are shown.
pub const LABELS: &[Label] = &[
    label(Dice, &["Dice"], Value(dice::sizes), ["dice, or `any`", "these and no others are rolled", "- Dice: d6, d10"]),
    label(
        Dice,
        &["Dice chain"],
        Value(dice::chain),
        ["dice, the smallest first", "where `step` leads", "- Dice chain: d4, d6, d8, d10, d12"],
    ),
    label(
        Dice,
        &["Die"],
        Named(dice::die),
        [
            "faces",
            "a die with faces of its own: `blank`, numbers, letters of symbols",
            "- Die Talent: blank, S, SS, SA",
        ],
    ),
    label(
        Dice,
        &["Deck"],
        Named(dice::deck),
        ["cards", "a deck to draw from", "- Deck Cards: 2-10, J, Q, K, A of hearts, spades"],
    ),
    label(Dice, &["Symbol"], Named(dice::symbol), ["a name", "what a letter on dice is called", "- Symbol S: success"]),
    label(
        Dice,
        &["Cancel"],
        Value(dice::cancel),
        ["`S against F`", "symbols that take each other away", "- Cancel: S against F, A against H"],
    ),
    label(
        Dice,
        &["Difficulty"],
        Named(dice::difficulty),
        [
            "a number, or the label of an outcome",
            "a word for a call's `difficulty`, or the outcome that must be reached",
            "- Difficulty Fair: 10",
        ],
    ),
    label(
        Dice,
        &["Advantage"],
        Value(dice::advantage),
        ["`+1d4`, `-1d6`, `+2` or `none`", "what advantage adds", "- Advantage: +1d4"],
    ),
    label(
        Dice,
        &["Disadvantage"],
        Value(dice::disadvantage),
        ["`+1d4`, `-1d6`, `+2` or `none`", "what disadvantage adds", "- Disadvantage: -1d4"],
    ),
    label(
        Dice,
        &["Visibility"],
        Value(dice::visibility),
        [
            "`npc rolls`, `player rolls` or `all rolls`, and `public`, `outcome only`, `blind` or `gm`",
            "who sees a roll unless the call says otherwise",
            "- Visibility: npc rolls outcome only",
        ],
    ),
    label(Attributes, &["Range"], Value(scores::range), ["a range", "the bounds of all scores", "- Range: 3 to 20"]),
    label(
        Attributes,
        &[STARTING_VALUES],
        Value(scores::starting_values),
        [
            "a range, then words for people",
            "the same, also as a line without a bullet",
            "- Starting values: 8-18 range, *roll them*",
        ],
    ),
    label(
        Attributes,
        &["Modifier"],
        Value(scores::modifier),
        [
            "an expression of `{score}`",
            "what a score is worth; without it itself",
            "- Modifier: `floor(({score} - 10) / 2)`",
        ],
    ),
    label(Skills, &["Range"], Value(scores::range), ["a range", "the bounds of all skills", "- Range: 0 to 5"]),
    label(Checks, &["Roll"], Value(checks::roll), ["an expression", "what is rolled", "- Roll: `1d20 + {modifier}`"]),
    label(
        Checks,
        &["Target"],
        Value(checks::target),
        ["an amount, or one `or less`", "what must be reached, or must not be passed", "- Target: {skill} or less"],
    ),
    label(
        Checks,
        &["Result"],
        Value(checks::result),
        ["an expression", "what is compared in the place of the total", "- Result: `min(10, total)`"],
    ),
    label(
        Checks,
        &["Count"],
        Value(checks::count),
        ["ranges, each with `as N`", "which dice are successes, and how many", "- Count: 6-9 as 1, 10+ as 2"],
    ),
    label(
        Checks,
        &["With no dice"],
        Value(checks::with_no_dice),
        ["an expression", "what is rolled where the first dice are none", "- With no dice: `2d6kl1`"],
    ),
    label(
        Checks,
        &["Opposing dice"],
        Value(checks::opposing_dice),
        ["dice", "each is compared with the result", "- Opposing dice: `2d10`"],
    ),
    label(
        Checks,
        &["Asks"],
        Value(checks::asks),
        [
            "names with their ranges",
            "what a call gives in `values`",
            "- Asks: pool 1 to 20, first from Attributes, cost dice",
        ],
    ),
    label(
        Checks,
        &["For"],
        Value(checks::for_whom),
        ["`attacks`, `saves`, names", "what the check is used for", "- For: attacks"],
    ),
    label(
        Checks,
        &["While"],
        Value(checks::while_held),
        ["a condition of the sheet", "else the check is refused", "- While: {Dying}"],
    ),
    label(
        Checks,
        &["Costs"],
        Value(checks::costs),
        ["effects", "whatever the dice show; refused without room", "- Costs: {attribute} -{price}"],
    ),
    label(
        Checks,
        &["Value"],
        Named(checks::value),
        ["an expression", "a number of the roll, for rows, flags and effects", "- Value raises: `floor(margin / 5)`"],
    ),
    label(
        Checks,
        &["Flag"],
        Named(checks::flag),
        ["a condition, and `after NAME`", "is told beside the outcome", "- Flag panic: stress 1s 1+; after Push"],
    ),
    label(
        Checks,
        &["Again"],
        Named(checks::again),
        [
            "a change of the roll, and options",
            "what `again` may do to the last roll",
            "- Again Push: reroll all but 6s; after failure; costs Stress +1",
        ],
    ),
    label(
        Checks,
        &["On natural"],
        ByLabel(checks::on_natural),
        ["`+1 step`, `-1 step`", "so many outcomes better or worse", "- On natural 20: +1 step"],
    ),
    label(
        Checks,
        &["Opposed"],
        Value(checks::opposed),
        [
            "what decides, in order, and `ties`",
            "how two sides are compared",
            "- Opposed: better outcome, higher total; ties nobody",
        ],
    ),
    label(
        Checks,
        &["Advantage"],
        Value(checks::advantage),
        ["as under Dice, or a whole roll", "what advantage does to this check", "- Advantage: `3d6kh2 + {modifier}`"],
    ),
    label(
        Checks,
        &["Disadvantage"],
        Value(checks::disadvantage),
        [
            "as under Dice, or a whole roll",
            "what disadvantage does to this check",
            "- Disadvantage: `3d6kl2 + {modifier}`",
        ],
    ),
    label(
        Checks,
        &["Dice chain"],
        Value(checks::chain),
        ["dice, the smallest first", "where `step` leads in this check", "- Dice chain: d6, d8, d10"],
    ),
    label(
        Health,
        &["Damage types"],
        Value(health::damage_types),
        ["names", "the types of damage that there are", "- Damage types: slashing, fire"],
    ),
    label(
        Health,
        &["Damage"],
        ByLabel(health::damage),
        ["tracks in order, or `none`", "what a hit is taken from", "- Damage: Temporary hit points, Hit points"],
    ),
    label(
        Health,
        &["Halving"],
        Value(health::halving),
        ["`rounded up` or `rounded down`", "for all that halves", "- Halving: rounded up"],
    ),
    label(
        Health,
        &["One hit"],
        ByLabel(health::one_hit),
        ["effects", "of a hit of which so much gets through", "- One hit 5+: gain Shaken"],
    ),
    label(
        Health,
        &["Left over"],
        ByLabel(health::left_over),
        ["effects", "of what is more than the tracks hold", "- Left over {Hit points max}+: gain Dead"],
    ),
    label(
        Health,
        &["Damage at"],
        ByLabel(health::damage_at),
        ["effects", "of a hit on who is there already", "- Damage at 0 Hit points: Failed +1"],
    ),
    label(
        Health,
        &["Not soaked"],
        Value(health::not_soaked),
        ["effects", "of a hit that no box takes", "- Not soaked: gain Taken out"],
    ),
    label(
        Health,
        &["At"],
        ByLabel(health::at),
        ["effects", "a track reaches or enters a range", "- At 0 Hit points: gain Unconscious"],
    ),
    label(
        Health,
        &["When"],
        ByLabel(health::when),
        ["effects", "a condition of several tracks holds", "- When {STR} 0 and {DEX} 0: gain Dead"],
    ),
    label(
        Health,
        &["Short rest"],
        Value(health::short_rest),
        ["effects", "what a short rest does", "- Short rest: Hit points +1d6"],
    ),
    label(
        Health,
        &["Long rest"],
        Value(health::long_rest),
        ["effects", "what a long rest does", "- Long rest: 8 hours pass, Hit points to max"],
    ),
    label(Health, &["Breather"], Value(health::breather), ["effects", "what a breather does", "- Breather: Stress -1"]),
    label(
        Health,
        &["End of"],
        ByLabel(health::end_of),
        ["effects", "as a scene, fight or session ends", "- End of scene: Stress to 0"],
    ),
    label(Health, &["Each"], ByLabel(health::each), ["effects", "as time passes", "- Each hour: Oil -1"]),
    label(
        Company,
        &["At"],
        ByLabel(health::at),
        ["effects", "below a track: it reaches or enters a range", "  - At 3: *the gates are shut*"],
    ),
    label(Company, &["End of"], ByLabel(health::end_of), ["effects", "below a track", "  - End of fight: to 0"]),
    label(Company, &["Each"], ByLabel(health::each), ["effects", "below a track", "  - Each round: +1"]),
    label(
        Clocks,
        &["At"],
        ByLabel(health::at),
        ["effects", "below a track: it reaches or enters a range", "  - At 3: *the gates are shut*"],
    ),
    label(Clocks, &["End of"], ByLabel(health::end_of), ["effects", "below a track", "  - End of fight: to 0"]),
    label(Clocks, &["Each"], ByLabel(health::each), ["effects", "below a track", "  - Each 10 minutes: +1"]),
    label(
        Combat,
        &["Combat"],
        Value(combat::structure),
        ["`turn-based`, `narrative`, `hybrid`", "how fights go", "- Combat: narrative"],
    ),
    label(
        Combat,
        &["Initiative"],
        Value(combat::initiative),
        [
            "an amount, `per side`, `cards`, `none`; options",
            "who acts first",
            "- Initiative: `1d20 + {DEX}`, highest first",
        ],
    ),
    label(
        Combat,
        &["Ties"],
        Value(combat::ties),
        ["what decides, in order", "equal initiatives", "- Ties: higher DEX, players, as entered"],
    ),
    label(Combat, &["Round"], Value(combat::round), ["a time", "how long a round is", "- Round: 6 seconds"]),
    label(
        Combat,
        &["Held effects"],
        Value(combat::held_effects),
        [
            "`ask NAME`, `against AMOUNT`, `end with NAMES`",
            "who is hit may lose what they hold",
            "- Held effects: ask Will against 10",
        ],
    ),
    label(
        Advancement,
        &["Level up at"],
        Value(advancement::level_up_at),
        ["an amount and `XP`", "when a level is reached", "- Level up at: 1000 XP"],
    ),
    label(
        Advancement,
        &["Tick"],
        Value(advancement::tick),
        ["outcomes", "after which a skill is ticked", "- Tick: success, critical success"],
    ),
    label(
        Advancement,
        &["Each tick"],
        Value(advancement::each_tick),
        ["effects", "of a level-up, for each ticked skill", "- Each tick: {skill} +1d10 if `1d100 > {skill}`"],
    ),
];

/// The labels of a section.
pub fn of(section: SectionKind) -> impl Iterator<Item = &'static Label> {
    LABELS.iter().filter(move |own| own.section == section)
}
