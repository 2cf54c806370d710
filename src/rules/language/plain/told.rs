//! Whether a sentence states a rule or only mentions one: what is not so, what once was so, what somebody said.

/// Words of what is not a rule, or no rule any more.
const NOT: [&str; 20] = [
    "not",
    "never",
    "no",
    "nor",
    "neither",
    "cannot",
    "without",
    "instead",
    "unlike",
    "formerly",
    "previously",
    "would",
    "nobody",
    "none",
    "nothing",
    "removed",
    "replaced",
    "was",
    "were",
    "had",
];
/// The same in several words.
const ELSEWHERE: [&str; 16] = [
    "for example",
    "for instance",
    "other games",
    "another game",
    "other systems",
    "other editions",
    "other rules",
    "earlier edition",
    "older edition",
    "previous edition",
    "old rules",
    "old rule",
    "house rule",
    "rather than",
    "used to",
    "optional",
];

/// Games and sports that a text compares its own with.
const GAMES: [&str; 36] = [
    "backgammon",
    "badminton",
    "baseball",
    "basketball",
    "blackjack",
    "bridge",
    "checkers",
    "chess",
    "craps",
    "cricket",
    "d&d",
    "darts",
    "dominoes",
    "draughts",
    "dungeons & dragons",
    "dungeons and dragons",
    "football",
    "golf",
    "gurps",
    "hockey",
    "ludo",
    "mahjong",
    "monopoly",
    "pachisi",
    "parcheesi",
    "pathfinder",
    "poker",
    "roulette",
    "rugby",
    "rummy",
    "scrabble",
    "snakes and ladders",
    "soccer",
    "tennis",
    "volleyball",
    "yahtzee",
];
/// Words before `game` and its like that say that it is another one.
const OTHER: [&str; 26] = [
    "all",
    "another",
    "board",
    "card",
    "computer",
    "every",
    "few",
    "first",
    "former",
    "many",
    "most",
    "old",
    "older",
    "other",
    "party",
    "previous",
    "several",
    "similar",
    "some",
    "their",
    "those",
    "traditional",
    "last",
    "earlier",
    "video",
    "war",
];
/// What may be another one.
const PLAYED: [&str; 12] = [
    "game",
    "games",
    "campaign",
    "campaigns",
    "edition",
    "editions",
    "system",
    "systems",
    "group",
    "groups",
    "rulebook",
    "rulebooks",
];

/// Words with which a sentence begins that only supposes something.
const SUPPOSED: [&str; 4] = ["suppose", "supposing", "imagine", "pretend"];

/// Words that stand at most between `in` and `game`.
const WORDS_BEFORE_GAME_MAX: usize = 3;

/// Whether a sentence says what is not so, is not so here, asks or supposes it, or is somebody's words; what it names is no rule then.
pub fn is_mention(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('\u{2019}', "'").replace("if not", "");
    let mut words = lower.split(|letter: char| !letter.is_alphabetic() && letter != '\'');
    let first = lower.split_whitespace().next().unwrap_or_default();
    lower.trim_end().ends_with('?')
        || SUPPOSED.contains(&first)
        || words.any(|word| NOT.contains(&word) || word.ends_with("n't"))
        || ELSEWHERE.iter().any(|own| lower.contains(own))
        || is_of_another_game(&lower)
        || lower.contains(['"', '\u{201c}', '\u{201d}', '\u{ab}'])
}

/// "In chess, roll a d20", "in our old game you rolled 2d6", "chess has you roll": whether it is about another game than this one.
fn is_of_another_game(lower: &str) -> bool {
    let played = |rest: &str| {
        let behind = GAMES.iter().find_map(|game| rest.strip_prefix(game));
        behind.is_some_and(|behind| !behind.starts_with(|letter: char| letter.is_alphanumeric() || letter == '-'))
    };
    let other = |rest: &str| {
        let clause = rest.split([',', '.', ';', ':']).next().unwrap_or_default();
        let words: Vec<&str> = clause.split_whitespace().take(WORDS_BEFORE_GAME_MAX + 1).collect();
        let at = words.iter().position(|word| PLAYED.contains(word));
        at.is_some_and(|at| words.iter().take(at).any(|word| OTHER.contains(word)))
    };
    let openings = ["in ", "as in ", "like in ", "with ", "at "];
    let places = openings.iter().flat_map(|opening| lower.match_indices(opening).map(|(at, own)| (at, at + own.len())));
    let begins = |at: usize| {
        lower.get(..at).is_some_and(|before| before.chars().next_back().is_none_or(|last| !last.is_alphanumeric()))
    };
    let mut rests = places.filter(|(at, _)| begins(*at)).filter_map(|(_, end)| lower.get(end..));
    played(lower.trim_start()) || rests.any(|rest| played(rest) || other(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_so_is_a_mention() {
        for mention in [
            "Don't call for a DC 5 Luck check.",
            "We don\u{2019}t roll 2d6 here.",
            "The Luck check was removed.",
            "Unlike elsewhere, roll a d20.",
            "Roll 2d10 instead of 1d20.",
            "You no longer roll a d20.",
            "\"Roll 2d6,\" she said.",
            "In other games you roll a d20.",
            "Is it fun to roll a d20?",
            "Suppose a player rolls a d20.",
            "In chess, roll a d20 and add your Wits.",
            "As in backgammon, you roll two dice.",
            "Chess has you roll a d20.",
            "In our old game you rolled 2d6.",
            "In most games you roll a d20 under your Wits.",
            "In many board games, roll 2d6 and add your Wits.",
            "Roll 2d6 as in Dungeons & Dragons.",
            "In D&D you roll a d20.",
            "In a few older systems roll a d20 under your Wits.",
        ] {
            assert!(is_mention(mention), "{mention}");
        }
        for rule in [
            "Roll a d20 and add your Wits.",
            "If it is equal, you succeed; if not, you fail.",
            "In this game you roll a d20.",
            "In our game, roll 2d6 and add your Wits.",
            "In combat, roll a d20 and add your Wits.",
            "In bridges and towers, roll a d20.",
            "At the gaming table roll a d20.",
            "Every time the bell rings in the old town, roll 2d6.",
            "To win the game, roll a d20 and add your Wits.",
        ] {
            assert!(!is_mention(rule), "{rule}");
        }
    }
}
