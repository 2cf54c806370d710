//! The parts of expressions and ranges, and their spellings.

pub use rollbook_dice::Function;

/// A number that is worked out at the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    Number(i64),
    /// A declared name: `{Wits}`.
    Ref(Ref),
    Dice(Box<Dice>),
    /// `{1d6, 1d8}kh1`
    Group(Vec<Expr>, Vec<Mod>),
    /// What the roll shows.
    Measure(Measure),
    Minus(Box<Expr>),
    Not(Box<Expr>),
    Binary(Box<Expr>, Op, Box<Expr>),
    Call(Function, Vec<Expr>),
}

impl Expr {
    /// The expression subtracted from 0.
    pub fn negative(self) -> Expr {
        Expr::Binary(Box::new(Expr::Number(0)), Op::Subtract, Box::new(self))
    }
}

/// An operator between two expressions. A comparison is worth 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// A name in braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ref {
    /// Looked up on the call's target.
    pub of_target: bool,
    /// As it is declared, or a name of the program.
    pub name: String,
    pub part: Part,
    /// The value where there is none.
    pub default: Option<i64>,
}

/// Which number of the named thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    #[default]
    Whole,
    /// A track's maximum.
    Max,
    /// The score instead of what it is worth.
    Score,
}

/// Dice of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice {
    /// 1 if none.
    pub count: Option<Expr>,
    pub die: Die,
    pub mods: Vec<Mod>,
    /// The word in brackets after them.
    pub label: Option<String>,
}

/// A kind of die.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Die {
    Sides(Expr),
    Percent,
    Fudge,
    /// One with named faces, by its declared name.
    Named(String),
}

/// A modifier of dice: `kh2`, `!!`, `r<2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mod {
    pub word: &'static str,
    pub compared: Option<Op>,
    pub number: Option<Expr>,
}

/// What dice show, in conditions and in expressions after the roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// Of the dice with this label alone.
    pub label: Option<String>,
    pub what: What,
}

/// What is read from the dice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Word(Word),
    /// How many dice show this face: `6s`.
    Face(i64),
    /// How many are left of a symbol or suit, by its declared name.
    Symbol(String),
    /// A function of a choice of dice.
    Of(Choice, Box<Among>),
}

/// Quantities of a roll that are one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Total,
    Margin,
    Target,
    Natural,
    Highest,
    Lowest,
    Successes,
    Dice,
    Pool,
    Beaten,
    Matches,
    Width,
    Height,
    Doubled,
    Dominates,
}

/// What is measured about a choice of dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Count,
    Sum,
    Size,
    Width,
    Height,
    Digit,
}

/// Which dice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Among {
    Dice {
        from: From,
        which: Option<Which>,
    },
    /// The first kept one.
    Natural,
    /// The second, third widest set.
    Set(u8),
    Tens,
    Units,
}

/// The dice that a choice is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum From {
    #[default]
    Kept,
    All,
    Dropped,
}

/// The dice that are chosen: a number of the highest or lowest, or those that show a face.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    Highest(Expr),
    Lowest(Expr),
    Showing(Range),
}

/// The spellings, for reading and printing.
pub(crate) const WORDS: [(&str, Word); 15] = [
    ("total", Word::Total),
    ("margin", Word::Margin),
    ("target", Word::Target),
    ("natural", Word::Natural),
    ("highest", Word::Highest),
    ("lowest", Word::Lowest),
    ("successes", Word::Successes),
    ("dice", Word::Dice),
    ("pool", Word::Pool),
    ("beaten", Word::Beaten),
    ("matches", Word::Matches),
    ("width", Word::Width),
    ("height", Word::Height),
    ("doubled", Word::Doubled),
    ("dominates", Word::Dominates),
];
pub(crate) const CHOICES: [(&str, Choice); 6] = [
    ("count", Choice::Count),
    ("sum", Choice::Sum),
    ("size", Choice::Size),
    ("width", Choice::Width),
    ("height", Choice::Height),
    ("digit", Choice::Digit),
];
/// Modifiers of dice that begin with a letter, the longest first.
pub(crate) const LETTERS: [&str; 11] =
    ["kh", "kl", "dh", "dl", "ro", "rr", "k", "r", "t", "b", "p"];
/// Those that begin with `!`, by what follows it.
pub(crate) const EXPLOSIONS: [(&str, &str); 3] = [("o", "!o"), ("p", "!p"), ("", "!")];
/// Signs of comparison, the longest first.
pub(crate) const COMPARISONS: [(&[char], Op, &str); 6] = [
    (&['<', '>'], Op::Unequal, "<>"),
    (&['<', '='], Op::AtMost, "<="),
    (&['>', '='], Op::AtLeast, ">="),
    (&['='], Op::Equal, "="),
    (&['<'], Op::Less, "<"),
    (&['>'], Op::More, ">"),
];

/// Whether a word has a meaning in measures, so that no symbol may have this name; in any case.
pub(crate) fn is_measure_word(name: &str) -> bool {
    let others = ["", "and", "or", "not", "otherwise", "to", "if", "less"];
    let quantities = WORDS
        .iter()
        .map(|(spelling, _)| *spelling)
        .chain(CHOICES.iter().map(|(spelling, _)| *spelling));
    quantities
        .chain(others)
        .any(|word| word.eq_ignore_ascii_case(name.trim()))
}

impl Word {
    /// Whether a label may precede it: only dice have groups.
    pub fn is_of_dice(self) -> bool {
        use Word::{Beaten, Margin, Matches, Pool, Target, Total};
        !matches!(self, Total | Margin | Target | Pool | Beaten | Matches)
    }
}

impl Op {
    /// Whether it gives a number instead of true or false.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Op::Add | Op::Subtract | Op::Multiply | Op::Divide)
    }

    /// How it is written, and how tightly it binds: the more, the tighter.
    pub fn written(self) -> (&'static str, u8) {
        match self {
            Op::Or => ("or", 1),
            Op::And => ("and", 2),
            Op::Add => ("+", 5),
            Op::Subtract => ("-", 5),
            Op::Multiply => ("*", 6),
            Op::Divide => ("/", 6),
            compared => (
                COMPARISONS
                    .iter()
                    .find(|(_, op, _)| *op == compared)
                    .map_or("", |(_, _, written)| written),
                4,
            ),
        }
    }
}

/// A range of numbers. Compared exactly, without rounding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    Exactly(Expr),
    AtLeast(Expr),
    AtMost(Expr),
    Between(Expr, Expr),
}
