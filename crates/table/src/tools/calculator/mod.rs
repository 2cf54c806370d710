//! `calculator`: arithmetic, exact where possible; its numbers and brackets are bounded.

mod expression;
mod number;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::expression::LENGTH_MAX;
use self::number::{Fault, Number};
use super::reply::invalid;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Common, Host};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_text::names::{printable, shortened};

/// Characters of an expression in the summary.
const SHOWN_MAX: usize = 120;
/// What the refusals name as something that is read.
const EXAMPLE: &str = "(3 + 4) * 2 ^ 3";

pub struct Calculator;

/// What to work out.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// "(3 + 4) * 2 ^ 3"; + - * / ** ^ %, parentheses, abs round floor ceil min max sum sqrt pow
    /// sin cos tan log log10, pi, e; sum([1, 2]).
    expression: String,
}

/// The value.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    /// In decimal; a number that is not whole with six significant digits.
    result: String,
    /// The fraction, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<String>,
}

impl Tool for Calculator {
    const NAME: &'static str = "calculator";
    const TITLE: &'static str = "Calculator";
    const DESCRIPTION: &'static str = "Works out arithmetic, exactly where it can. No dice: those are roll_dice. % is the remainder, log the \
        natural logarithm, angles are radians, halves round up.";
    const CATEGORY: Category = Category::Utility;
    const SEARCH_HINT: &'static str = "arithmetic, sums, fractions";
    const READ_ONLY: bool = true;
    const ALIASES: &'static [Alias] = &[(&["input", "formula", "query"], "expression")];
    const BRIEF: &'static [&'static str] = &["result", "exact"];
    type Params = Params;
    type Reply = Reply;

    async fn call(_: &Host, _: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let value = worked_out(&params.expression)?;
        let (result, exact) = (value.decimal(), value.fraction());
        let asked = printable(&shortened(params.expression.trim(), SHOWN_MAX));
        let about = if is_rounded(&value, &result) {
            "about "
        } else {
            ""
        };
        Ok(Answer::new(
            Common::of(format!("{asked} is {about}{result}.")),
            Reply { result, exact },
        ))
    }
}

/// Whether the decimal number is not the value itself. A whole number always is, however long.
fn is_rounded(value: &Number, decimal: &str) -> bool {
    match value {
        Number::Real(_) => true,
        Number::Exact(_) => {
            value.fraction().is_some() && expression::value(decimal).as_ref() != Ok(value)
        }
    }
}

fn worked_out(text: &str) -> Result<Number, Refusal> {
    if text.chars().count() > LENGTH_MAX {
        let summary = format!(
            "An expression has at most {LENGTH_MAX} characters. Work it out in several calls."
        );
        return Err(Refusal::new(Code::LimitExceeded, summary));
    }
    expression::value(text).map_err(|fault| match fault {
        Fault::Unreadable { at, why } => unreadable(text, at, &why),
        Fault::Zero => {
            Refusal::new(Code::DivZero, "Nothing is divided by zero. Send a divisor other than 0.")
        }
        Fault::Large => Refusal::new(
            Code::Overflow,
            "A number becomes larger than this calculator writes down (16384 bits, or 1.8e308 behind sqrt, sin and log). Use smaller \
             numbers.",
        ),
        Fault::Small => Refusal::new(
            Code::InvalidParameters,
            "A number comes nearer to zero than this calculator can show six digits of (2.3e-308 behind pi, e, sqrt, sin and log). Use \
             larger numbers.",
        ),
        Fault::Outside(why) => {
            Refusal::new(Code::InvalidParameters, format!("That has no value: {why}. Send other numbers."))
        }
    })
}

fn unreadable(text: &str, at: usize, why: &str) -> Refusal {
    let excerpt = printable(&shortened(text.get(at..).unwrap_or_default().trim(), 20));
    let place = if excerpt.is_empty() {
        "at the end".to_owned()
    } else {
        format!("at \"{excerpt}\"")
    };
    let dice = if rollbook_dice::parse(text).is_ok() {
        " These are dice: roll_dice rolls them."
    } else {
        ""
    };
    let summary = format!(
        "This is no arithmetic, {place}: {why}.{dice} An example is expression=\"{EXAMPLE}\"."
    );
    let valid_range = "arithmetic of numbers and the functions named in the schema";
    invalid(
        "expression",
        &format!("unreadable {place}: {why}"),
        valid_range,
        summary,
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;

    fn result(text: &str) -> String {
        worked_out(text).map_or_else(
            |refusal| format!("refused: {}", refusal.summary),
            |value| value.decimal(),
        )
    }

    fn refused(text: &str) -> Refusal {
        worked_out(text)
            .err()
            .unwrap_or_else(|| panic!("{text} has a value: {}", result(text)))
    }

    #[test]
    fn arithmetic_is_worked_out() {
        for (text, value) in [
            ("2 + 2", "4"),
            ("sqrt(16)", "4"),
            ("10/4", "2.5"),
            ("1/3", "0.333333"),
            ("2/3", "0.666667"),
            ("-1/3", "-0.333333"),
            ("(3 + 4) * 2 ^ 3", "56"),
            ("2 ** 3 ^ 2", "512"),
            ("-2 ^ 2", "-4"),
            ("2 ^ -1", "0.5"),
            ("7 % 3", "1"),
            ("-7 % 3", "-1"),
            ("7.5 % 2", "1.5"),
            ("1.10 + 2.2", "3.3"),
            ("0.1 + 0.2 - 0.3", "0"),
            ("1e3 / 8", "125"),
            ("1.5e-3", "0.0015"),
            ("abs(-3) + round(2.5) + floor(2.9) + ceil(2.1)", "11"),
            ("round(-2.5)", "-2"),
            ("round(2.345, 2)", "2.35"),
            ("min(3, 1/2, 2) + max(1, 4) + sum(1, 2, 3)", "10.5"),
            ("pow(2, 100)", "1267650600228229401496703205376"),
            ("sqrt(2)", "1.41421"),
            ("4 ^ 0.5", "2"),
            ("2 ^ 0.5", "1.41421"),
            ("sin(pi / 2) + cos(0) + tan(0)", "2"),
            ("log(e) + log10(1000)", "4"),
            ("log(8, 2)", "3"),
            ("2 × 3 ÷ 4 − 1", "0.5"),
            ("1000000 / 3", "333333"),
            ("100000000 / 3", "33333300"),
            ("1 / 3000000", "3.33333e-7"),
            ("999999.7", "1000000"),
            ("0.00009999996", "0.0001"),
            ("2 ^ 100 / 3", "4.2255e29"),
            ("((((1))))", "1"),
            ("10 ^ 400 / 10 ^ 399 * pi", "31.4159"),
            ("sqrt(10 ^ 400) / 10 ^ 199", "10"),
            ("sum([1, 2, 3/2]) + max([4, 1]) - min([2])", "6.5"),
            ("sum([])", "0"),
            ("-pi * 2", "-6.28319"),
            ("sin(0) * pi", "0"),
            ("pi + 10 ^ -400", "3.14159"),
        ] {
            assert_eq!(result(text), value, "{text}");
        }
    }

    #[test]
    fn the_fraction_is_said_where_there_is_one() {
        let exact = |text: &str| worked_out(text).unwrap().fraction();
        assert_eq!(exact("1/3 + 1/6").as_deref(), Some("1/2"));
        assert_eq!(exact("-10/4").as_deref(), Some("-5/2"));
        assert_eq!(exact("sqrt(4/9)").as_deref(), Some("2/3"));
        assert_eq!((exact("6/3"), exact("sqrt(2)")), (None, None));
    }

    #[test]
    fn what_is_no_arithmetic_is_refused_with_what_is() {
        for (text, word) in [
            ("__import__('os')", "nothing is called"),
            ("open(\"/etc/passwd\")", "nothing is called"),
            ("sqr(16)", "did you mean sqrt"),
            ("2 +", "at the end"),
            ("", "at the end"),
            ("(2", "not closed"),
            ("2)", "never opened"),
            ("2(3)", "a sign is missing"),
            ("2 pi", "a sign is missing"),
            ("50%", "remainder"),
            ("7 // 2", "floor"),
            ("sqrt 16", "in brackets"),
            ("sqrt()", "sqrt(16)"),
            ("sqrt([16])", "is expected here"),
            ("sum([1, 2)", "not closed: ]"),
            ("sum(1, [2])", "is expected here"),
            ("max([])", "max(3, 5)"),
            ("min()", "min(3, 5)"),
            ("2d6 + 3", "roll_dice"),
            ("x = 3", "nothing is called"),
            ("2; 3", "no sign of arithmetic"),
        ] {
            let refusal = refused(text);
            assert_eq!(refusal.code, Code::InvalidParameters, "{text}");
            assert!(
                refusal.summary.contains(word),
                "{text}: {}",
                refusal.summary
            );
        }
        assert_eq!(result(EXAMPLE), "56");
    }

    #[test]
    fn what_has_no_value_and_what_is_too_large_is_refused() {
        for text in ["1 / 0", "5 % 0", "0 ^ -1", "log(8, 1)"] {
            assert_eq!(refused(text).code, Code::DivZero, "{text}");
        }
        for text in [
            "9 ^ 9 ^ 9",
            "2 ^ 20000",
            "10 ^ 300 ^ 300",
            "(sqrt(2) * 10 ^ 200) ^ 2",
            "log(10 ^ 4000)",
            "pi * 10 ^ 400",
        ] {
            assert_eq!(refused(text).code, Code::Overflow, "{text}");
        }
        for text in [
            "10 ^ -320 * pi",
            "10 ^ -400 * pi",
            "(pi / 10 ^ 200) ^ 2",
            "pi / 10 ^ 200 / 10 ^ 200",
            "sin(10 ^ -400)",
            "2.5 ^ -900.5",
        ] {
            assert!(
                refused(text).summary.contains("nearer to zero"),
                "{text}: {}",
                refused(text).summary
            );
        }
        for text in [
            "sqrt(-1)",
            "log(0)",
            "(-8) ^ (1/3)",
            "(-8) ^ 0.5",
            "round(2, 99)",
            "2e999",
        ] {
            let Refusal { code, summary, .. } = refused(text);
            let is_said = summary.starts_with("That has no value: ") && !summary.contains(EXAMPLE);
            assert!(
                code == Code::InvalidParameters && (is_said || text == "2e999"),
                "{text}: {summary}"
            );
        }
        assert_eq!(refused(&"1+".repeat(501)).code, Code::LimitExceeded);
        assert!(
            refused(&"(".repeat(400))
                .summary
                .contains("within each other")
        );
        assert!(
            refused(&"-".repeat(400))
                .summary
                .contains("within each other")
        );
    }

    #[test]
    fn every_function_takes_its_own_example() {
        for (name, example) in expression::FUNCTIONS {
            assert!(
                example.starts_with(name) && worked_out(example).is_ok(),
                "{example}"
            );
        }
    }

    proptest! {
        #[test]
        fn whatever_is_sent_is_worked_out_or_refused(text in "[-+*/%^().,0-9 e]{0,40}|(sqrt|pow|log|sum|pi|é|\\(|\\)|,|[0-9]|\\^|-){0,30}") {
            match worked_out(&text) {
                Ok(value) => {
                    let decimal = value.decimal();
                    prop_assert!(!decimal.is_empty() && !decimal.contains("NaN") && !decimal.contains("inf"), "{text}: {decimal}");
                }
                Err(refusal) => prop_assert!(refusal.summary.len() > 20, "{text}"),
            }
        }

        #[test]
        fn whole_numbers_are_counted_as_a_computer_counts_them(a in -10_000_i128..10_000, b in -10_000_i128..10_000, c in 1_i128..500) {
            let sum = worked_out(&format!("({a}) * ({b}) + ({c}) - ({b})")).unwrap();
            prop_assert_eq!(sum.decimal(), (a * b + c - b).to_string());
            let parts = worked_out(&format!("(({a}) / {c}) * {c}")).unwrap();
            prop_assert_eq!(parts.decimal(), a.to_string());
            let rest = worked_out(&format!("({a}) % {c} + floor(({a}) / {c}) * {c}")).unwrap();
            let remainder = a % c + a.div_euclid(c) * c;
            prop_assert_eq!(rest.decimal(), remainder.to_string());
        }

        #[test]
        fn what_is_written_down_is_near_the_value(a in 1_i64..1_000_000_000, b in 1_i64..1_000_000_000) {
            let written = worked_out(&format!("{a} / {b}")).unwrap().decimal();
            let (written, value): (f64, f64) = (written.parse().unwrap(), a as f64 / b as f64);
            prop_assert!((written / value - 1.0).abs() <= 0.000_005_1, "{} / {}: {}", a, b, written);
        }
    }

    #[test]
    fn the_longest_sums_are_worked_out_at_once() {
        let since = std::time::Instant::now();
        let _ = result(&format!("{}1", "9^4000*".repeat(140)));
        let _ = result(&format!("{}1", "1/9999999999999+".repeat(60)));
        assert!(
            since.elapsed() < std::time::Duration::from_secs(2),
            "{:?}",
            since.elapsed()
        );
    }
}
