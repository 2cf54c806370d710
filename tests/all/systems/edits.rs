//! Slips of an author's pen in an outcome table: a row left out, a bound off by one, two rows in
//! the wrong order.

use std::ops::Range;

/// The rules with one slip in the table of a check, and what the slip is: "row 2 left out", "6 as 5
/// in row 1", "rows 1 and 2 swapped". Rows count from 1, the numbers of a When cell from left to
/// right.
pub fn slips(rules: &str, check: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = rules.lines().collect();
    let rows = rows(&lines, check);
    let mut all = Vec::new();
    for (number, row) in (1..).zip(rows.clone()) {
        let mut left_out = lines.clone();
        left_out.remove(row);
        all.push((format!("row {number} left out"), left_out.join("\n")));
        if row + 1 < rows.end {
            let mut swapped = lines.clone();
            swapped.swap(row, row + 1);
            all.push((
                format!("rows {number} and {} swapped", number + 1),
                swapped.join("\n"),
            ));
        }
        let (before, when, after) = cells(lines[row]);
        for place in numbers(when) {
            let written: i64 = when[place.clone()].parse().expect("digits");
            // After a sign that is no dash of a range, one more is one further from zero.
            for off in [written + 1, written - 1]
                .into_iter()
                .filter(|off| *off >= 0)
            {
                let edited = format!(
                    "{before}{}{off}{}{after}",
                    &when[..place.start],
                    &when[place.end..]
                );
                let mut shifted: Vec<&str> = lines.clone();
                shifted[row] = &edited;
                all.push((
                    format!("{written} as {off} in row {number}"),
                    shifted.join("\n"),
                ));
            }
        }
    }
    all
}

/// The lines of the table's rows, after its head and rule; none of a check without a table.
fn rows(lines: &[&str], check: &str) -> Range<usize> {
    let heading = lines
        .iter()
        .position(|line| *line == format!("### {check}"))
        .expect("the check");
    let is_heading = |line: &&str| line.starts_with('#');
    let next = lines
        .iter()
        .skip(heading + 1)
        .position(is_heading)
        .map_or(lines.len(), |at| heading + 1 + at);
    let Some(head) = (heading..next).find(|line| lines[*line].starts_with("| Outcome |")) else {
        return 0..0;
    };
    let end = (head..)
        .find(|line| lines.get(*line).is_none_or(|line| !line.starts_with('|')))
        .expect("an end");
    head + 2..end
}

/// What stands before the When cell, the cell, and what is after it.
fn cells(row: &str) -> (&str, &str, &str) {
    let bars: Vec<usize> = row.match_indices('|').map(|(at, _)| at).collect();
    (
        &row[..=bars[1]],
        &row[bars[1] + 1..bars[2]],
        &row[bars[2]..],
    )
}

fn numbers(when: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in when
        .char_indices()
        .filter(|(_, letter)| letter.is_ascii_digit())
    {
        match found.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => found.push(at..at + 1),
        }
    }
    found
}

#[test]
fn each_row_is_left_out_shifted_and_swapped() {
    let rules =
        "### A\n| Outcome | When |\n|---|---|\n| X | total 7-9 |\n| Y | otherwise |\n\n### B\n";
    let slips = slips(rules, "A");
    let names: Vec<&str> = slips.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "row 1 left out",
        "rows 1 and 2 swapped",
        "7 as 8 in row 1",
        "7 as 6 in row 1",
        "9 as 10 in row 1",
        "9 as 8 in row 1",
        "row 2 left out",
    ];
    assert_eq!(names, expected);
    assert!(
        slips[3]
            .1
            .contains("| X | total 6-9 |\n| Y | otherwise |\n\n### B")
    );
}
