//! Random texts that are mostly valid, from the grammar.

use crate::modifiers::words;
use crate::parse;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::sample::select;

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (0_u32..30).prop_map(|value| value.to_string()),
        (0_u32..30, 0_u32..100).prop_map(|(whole, part)| format!("{whole}.{part}")),
    ]
}

/// Modifiers of every spelling, each with all that it takes of a few numbers and comparisons.
fn modifiers() -> Vec<String> {
    let points = ["", "=", "<>", "<", "<=", ">", ">="];
    let operands = points
        .iter()
        .flat_map(|sign| (1..9).map(move |number| format!("{sign}{number}")));
    let operands: Vec<String> = std::iter::once(String::new()).chain(operands).collect();
    let all = words().flat_map(|word| {
        operands
            .iter()
            .map(move |operands| format!("{}{operands}", word.text))
    });
    all.filter(|modifier| {
        ["9d10", "1d%"]
            .iter()
            .any(|dice| parse(&format!("{dice}{modifier}")).is_ok())
    })
    .collect()
}

fn dice() -> impl Strategy<Value = String> {
    let die = select(vec![
        "4",
        "6",
        "8",
        "10",
        "12",
        "20",
        "%",
        "100",
        "F",
        "F.1",
        "{1,1,2,5}",
        "{-,S,SA,2}",
        "3",
    ]);
    let modifiers = proptest::collection::vec(select(modifiers()), 0..3);
    (0_u32..7, die, modifiers).prop_map(|(count, die, modifiers)| {
        let count = if count == 0 {
            String::new()
        } else {
            count.to_string()
        };
        format!("{count}d{die}{}", modifiers.concat())
    })
}

fn node() -> BoxedStrategy<String> {
    let leaf = prop_oneof![3 => dice(), 1 => number()];
    let labelled = (leaf, any::<bool>()).prop_map(|(leaf, label)| {
        if label && leaf.len() % 3 == 0 {
            format!("{leaf}[fire {}]", leaf.len())
        } else {
            leaf
        }
    });
    labelled
        .prop_recursive(3, 12, 3, |inner| {
            let sign = select(vec!["+", "-", "*", "/", "//", " - -", "+-"]);
            let several = proptest::collection::vec(inner.clone(), 2..4);
            prop_oneof![
                4 => (inner.clone(), sign, inner.clone()).prop_map(|(a, sign, b)| format!("{a}{sign}{b}")),
                1 => inner.clone().prop_map(|a| format!("({a})")),
                1 => inner.clone().prop_map(|a| format!("-({a})")),
                1 => (select(vec!["floor", "ceil", "round", "abs"]), inner.clone()).prop_map(|(name, a)| format!("{name}({a})")),
                1 => (select(vec!["min", "max"]), several.clone()).prop_map(|(name, list)| format!("{name}({})", list.join(","))),
                1 => (inner.clone(), inner.clone(), select(vec!["=", "<>", "<", "<=", ">", ">="])).prop_map(|(a, b, sign)| format!("(({a}) {sign} {b})")),
                1 => (inner.clone(), inner.clone(), select(vec![" and ", " or ", " and not "])).prop_map(|(a, b, word)| format!("({a}{word}({b}) > 2)")),
                1 => (inner.clone(), several.clone()).prop_map(|(a, list)| format!("if(({a}) > 3, {}, 1)", list.first().cloned().unwrap_or_default())),
                1 => (inner.clone(), 1_u32..5).prop_map(|(a, by)| format!("mod({a}, {by})")),
                1 => (several, select(vec!["", "kh1", "kl1", "d1", "t5", "k>3"])).prop_map(|(list, modifier)| format!("{{{}}}{modifier}", list.join(", "))),
            ]
        })
        .boxed()
}

/// A text of the whole grammar.
pub(crate) fn request() -> impl Strategy<Value = String> {
    let test = prop_oneof![
        6 => Just(String::new()),
        1 => node().prop_map(|target| format!(" vs {target}")),
        1 => node().prop_map(|target| format!(" under {target}")),
        1 => node().prop_map(|target| format!(" >= {target}")),
        1 => Just(" bands 3,7, 10".to_owned()),
    ];
    let word = select(vec!["", "", "", "", "", "", "", "", "", " adv", " dis"]);
    let comment = select(vec!["", "", " # why"]);
    (node(), test, word, comment, 0_u32..12).prop_map(|(node, test, word, comment, repeat)| {
        match repeat {
            1..=3 => format!("repeat({node}{test}{word}, {repeat}){comment}"),
            _ => format!("{node}{test}{word}{comment}"),
        }
    })
}

/// A text with few and small dice, whose every roll can be visited.
pub(crate) fn small_request() -> impl Strategy<Value = String> {
    let die = select(vec![
        "2",
        "3",
        "4",
        "F",
        "F.1",
        "{1,1,2,5}",
        "{-2,0,3}",
        "{-,S,2}",
        "%",
    ]);
    let point = select(vec!["", "=", "<>", "<", "<=", ">", ">="]);
    let pointed = select(vec![
        "ro", "rr", "!", "!o", "!!", "!p", "!!p", "t", "f", "ds",
    ]);
    let word = prop_oneof![
        4 => (pointed, point, -1_i32..5).prop_map(|(word, sign, value)| {
            let sign = if sign.is_empty() && value < 0 { "=" } else { sign };
            format!("{word}{sign}{value}")
        }),
        4 => (select(vec!["kh", "kl", "dh", "dl"]), 1_u32..4).prop_map(|(word, count)| format!("{word}{count}")),
        1 => (select(vec!["k", "d"]), select(vec!["=", "<", ">="]), 0_i32..4).prop_map(|(word, sign, value)| format!("{word}{sign}{value}")),
        2 => (select(vec!["min", "max"]), 1_u32..4).prop_map(|(word, value)| format!("{word}{value}")),
        2 => select(vec!["!", "!!", "!o", "!p", "!!p", "even", "odd"]).prop_map(str::to_owned),
    ];
    let words = proptest::collection::vec(word, 0..4);
    let dice = (1_u32..5, die, words).prop_map(|(count, die, words)| match die {
        "%" => format!("1d%{}", ["", "b1", "p1"][words.len() % 3]),
        _ => format!("{count}d{die}{}", words.concat()),
    });
    let dice = dice.boxed();
    let tiny = (1_u32..3, 2_u32..5)
        .prop_map(|(count, sides)| format!("{count}d{sides}"))
        .boxed();
    let joined = prop_oneof![
        8 => dice.clone(),
        1 => (dice.clone(), 1_u32..4).prop_map(|(dice, number)| format!("{dice}*2-{number}")),
        1 => (dice.clone(), 2_u32..4).prop_map(|(dice, number)| format!("({dice}+1)/{number}")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("{a}*{b}-1")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("{a}//{b}")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("max({a},{b}+1)-min(2,{a})")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("abs({a}-{b})+round({b}/2)")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("if(({a})>2,3,1/2)+mod({b},3)")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("2*(({a})>=({b}))-(not ({a}) = 2)")),
        1 => (tiny.clone(), tiny.clone()).prop_map(|(a, b)| format!("(({a}) <> 2 and ({b}) > 1 or ({a}) = 4)+1")),
        2 => (tiny.clone(), tiny.clone(), select(vec!["", "kh1", "kl1", "kh2", "dl1", "dh2", "t3", "k=2", "d>3"])).prop_map(|(a, b, word)| format!("{{{a},{b},3/2}}{word}")),
    ];
    let test = prop_oneof![
        4 => Just(String::new()),
        1 => tiny.clone().prop_map(|target| format!(" vs {target}")),
        1 => Just(" under 3".to_owned()),
    ];
    (joined, test).prop_map(|(node, test)| format!("{node}{test}"))
}
