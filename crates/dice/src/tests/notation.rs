//! What is written and its canonical text; and what people who know Roll20, Foundry VTT or Avrae type, from the documentation of the
//! three. Each line of `dialects.txt` is read as it says, or refused with that code and, after it, what is offered instead.

use crate::{parse, read};

#[test]
fn canonical_texts() {
    let table: [(&str, &[&str]); 102] = [
        // Once `1d4 under if(1 > 3, 1d4, 1)`, which is read as this.
        ("1d4 under 1", &["d4 under if((if((0) > 3, d4, 1)) > 3, d4, 1)"]),
        ("1d20", &["d20", "D20", "1d20 #"]),
        ("2d6 + 3", &["2d6+3", "2 d 6 +3", "2 d 6 + 3"]),
        ("2d6 + 1d4 + 5", &["2d6+1d4+5"]),
        ("1d%", &["d%"]),
        ("1d100", &["d100"]),
        ("4dF", &["4df", "4dF.2"]),
        ("4dF.1", &["4dF.1"]),
        ("1d{1,1,2,-5}", &["d{1,1,2,-5}"]),
        ("4d6kh3", &["4d6k3", "4d6kh3"]),
        ("4d6dl1", &["4d6d1", "4d6d", "4d6pl"]),
        ("4d6dh1", &["4d6ph"]),
        ("4d6k=3", &["4d6k=3"]),
        ("4d6d=1", &["4d6d=1"]),
        ("2d20kh1 - 1", &["2d20kh-1"]),
        ("2d20kh1min3", &["2d20khmin3"]),
        ("2d6ro1", &["2d6r1", "2d6ro1"]),
        ("2d6rr<3", &["2d6rr<3"]),
        ("2d6ro1ro2", &["2d6ro1ro2"]),
        ("5d6!", &["5d6!", "5d6x", "5d6e"]),
        ("5d6!o", &["5d6xo"]),
        ("5d6!!", &["5d6!!"]),
        ("5d6!p", &["5d6!p"]),
        ("5d6!!p>4", &["5d6!!p>4"]),
        ("5d6!5", &["5d6!=5"]),
        ("5d6!o<>5", &["5d6!o<>5"]),
        ("5d6!odd", &["5d6!odd"]),
        ("1d20min10", &["d20mi10"]),
        ("1d20max10", &["d20ma10"]),
        ("5d10t8", &["5d10t8"]),
        ("8d10t8", &["8d10>=8", "8d10t8"]),
        ("8d10t>8", &["8d10>8", "(8d10>8)"]),
        ("2 + 8d10t>8", &["2+(8d10>8)"]),
        ("5d10t8f1ds10", &["5d10t8f1ds10"]),
        ("5d10even", &["5d10even"]),
        ("1d%b2", &["d%b2"]),
        ("1d%p1", &["d%p1", "d%b-1"]),
        ("1d20crit19", &["d20crit19"]),
        ("1d20crit>=19fumble1", &["d20crit>=19fumble1"]),
        ("4d6sa", &["4d6s"]),
        ("4d6sd", &["4d6sd"]),
        ("2d20kh1", &["d20 adv", "2D20KH1", "1d20 adv"]),
        ("2d20kh1 + 5", &["d20adv+5", "1d20+5 adv"]),
        ("2d20kl1 + 5", &["1d20 + 5 disadvantage", "1d20+5 dis"]),
        ("2d20kl1 + 1d4", &["1d20+1d4 dis", "1d20 disadv + 1d4"]),
        ("2d20ro1kh1", &["d20ro1 adv"]),
        ("2d20ro1kl1t15", &["1d20ro1t15 dis"]),
        ("repeat(2d20kh1 vs 10, 3)", &["repeat(1d20 adv vs 10, 3)"]),
        ("2d20kh1 + 5 vs 15", &["1d20+5 adv vs 15", "1d20+5 vs 15 adv"]),
        ("1d20 + 5 >= 15", &["1d20+5>=15"]),
        ("(1d20) >= 15", &["(1d20)>=15"]),
        ("(5 + 1d20) >= 15", &["(5+1d20)>=15"]),
        ("(1d20) >= 1d20", &["1d20>=1d20"]),
        ("1d% under 45", &["d%under 45", "d% under 45"]),
        ("2d6 + 1 bands 7, 10", &["2d6+1 bands 7,10"]),
        ("repeat(4d6kh3, 6)", &["repeat(4d6kh3,6)"]),
        ("repeat(2d6 bands 7, 10, 3)", &["repeat(2d6 bands 7,10,3)"]),
        ("1d20 + 5 # attack", &["1d20+5 # attack"]),
        ("2d6[fire] + 3[magic]", &["2d6[fire]+3[magic]"]),
        ("2d6[fire][cold]", &["2d6 [ fire ] [cold]"]),
        ("2d6 * 2 - 1", &["2d6×2−1"]),
        ("2d6 / 2 - 1", &["2d6÷2–1"]),
        ("2d6 // 2", &["2d6//2"]),
        ("floor((2d6 + 3) / 2)", &["floor((2d6+3)/2)"]),
        ("max(1d8, 1d6) + 2", &["max(1d8,1d6)+2"]),
        ("{4d6, 3d8}kh1", &["{4d6,3d8}kh1"]),
        ("{1d6 + 1, 3, 2d6kl1}kh1", &["(1d6+1,3,2d6kl1)kh1"]),
        ("{2d6, 3d8}t8", &["{2d6,3d8}>=8"]),
        ("3d6", &["(2+1)d6"]),
        ("5", &["5", "((5))"]),
        ("-5", &["-5"]),
        ("1 - (2 - 3)", &["1-(2-3)"]),
        ("-(1d4 + 2) * 3", &["-(1d4+2)*3"]),
        ("2d6 * 1.5", &["2d6*1.50"]),
        ("1d20 - -1", &["1d20--1"]),
        ("2d6 + -1d4", &["2d6 + -1d4"]),
        ("4d6!5!6", &["4d6!5!6"]),
        ("5d6dl1dh1", &["5d6dl1dh1"]),
        ("4dFro-1", &["4dFro-1"]),
        ("1d6min2", &["d6 min 2"]),
        ("2d6kh1min3", &["2d6khmin3"]),
        ("2d6 - 1", &["2d6−1", "2d6–1"]),
        ("2d6 * 2", &["2d6×2"]),
        ("2d6 / 2", &["2d6÷2"]),
        ("5d10t>8", &["5d10t>8"]),
        ("2d6rr1", &["2d6rr1"]),
        ("3d6!", &["3d6x"]),
        ("3d6!6", &["3d6e6"]),
        ("3d6!o", &["3d6!o", "3d6xo"]),
        ("3d6!!", &["3d6!!"]),
        ("3d6!p", &["3d6!p"]),
        ("3d6!!p", &["3d6!!p"]),
        ("3d6!5", &["3d6!=5"]),
        ("3d6!o<>6", &["3d6!o<>6"]),
        ("1d%p2", &["d%b-2"]),
        ("2d20kh1 + 1d4", &["1d20+1d4 adv"]),
        ("1dF.1", &["dF.1"]),
        ("1dF", &["dF.2"]),
        ("1d{1,1,2}", &["d{1,1,2}"]),
        ("repeat(4d6kh3, 6) # abilities", &["repeat(4d6kh3,6) # abilities"]),
        ("2d6[fire] + max(1d4, 1d6)", &["2d6[fire]+max(1d4,1d6)"]),
        (
            "floor(1d6 / 2) + ceil(1d6 / 2) + round(1d6 / 2) + abs(1d6 - 3)",
            &["floor(1d6/2)+ceil(1d6/2)+round(1d6/2)+abs(1d6-3)"],
        ),
    ];
    for (canonical, texts) in table {
        for text in texts {
            let expression = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(expression.as_str(), canonical, "{text}");
            assert_eq!(parse(canonical), Ok(expression), "{text}");
        }
    }
}

const DIALECTS: &str = include_str!("dialects.txt");

#[test]
fn what_other_programs_users_type_is_read_or_answered() {
    let mut checked = 0;
    for line in DIALECTS.lines().filter(|line| !line.starts_with("# ") && !line.is_empty()) {
        checked += 1;
        if let Some((text, wanted)) = line.split_once("  =>  ") {
            let expression = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(expression.as_str(), wanted, "{text}");
            continue;
        }
        let (text, wanted) = line.split_once("  =!  ").expect(line);
        let error = read(text).expect_err(text);
        let (code, offer) = wanted.split_once(": ").unwrap_or((wanted, ""));
        assert_eq!(error.code.as_str(), code, "{text}");
        assert!(read(&error.example).is_ok(), "{text}: {}", error.example);
        assert!(text.get(error.span.clone()).is_some(), "{text}: {:?}", error.span);
        if !offer.is_empty() {
            assert_eq!(error.example, offer, "{text}");
            assert!(error.hint.contains(offer), "{text}: {}", error.hint);
        }
    }
    assert!(checked > 190, "{checked} lines");
}
