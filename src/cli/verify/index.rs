//! A page with a line a campaign, for people who look after many tables.

use std::path::{Path, PathBuf};

use crate::names::{counted, for_markup, printable};
use crate::store::verify::{Report, Verified};

/// Findings of one line; the rest are counted.
const FINDINGS_MAX: usize = 5;

/// A database, or why it could not be checked.
pub struct Table {
    pub path: PathBuf,
    pub verified: Result<Verified, String>,
}

const STYLE: &str = "
:root { color-scheme: light dark; --good: #14652f; --bad: #a3121f; }
@media (prefers-color-scheme: dark) { :root { --good: #7fdc9c; --bad: #ff9aa2; } }
body { font: 1rem/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: 0.5rem 0; }
th, td { border: 1px solid currentColor; padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
.number { text-align: right; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
ul { margin: 0; padding-left: 1.2rem; }
@media (max-width: 40rem) {
    table, caption, tbody, tr, th, td { display: block; }
    thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    tr { margin-bottom: 1rem; }
    tbody th, td { border-bottom: 0; }
    tr > :last-child { border-bottom: 1px solid currentColor; }
    td:empty { display: none; }
    td::before { content: attr(data-label); content: attr(data-label) / \"\"; display: block; font-size: 0.875rem; font-weight: 600; }
    .number { text-align: left; }
}
";

/// The page: no script, and nothing that is fetched.
pub fn page(folder: &Path, tables: &[Table]) -> String {
    let rows: String = tables.iter().map(rows).collect();
    let headings: String = std::iter::once("Table")
        .chain(CELLS)
        .map(|name| format!("<th scope=\"col\" role=\"columnheader\">{name}</th>"))
        .collect();
    let sound = tables.iter().filter(|own| own.verified.as_ref().is_ok_and(Verified::is_sound)).count();
    let (folder, all) = (escaped(&folder.display().to_string()), counted(tables.len() as u64, "database", "databases"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width, \
         initial-scale=1\">\n<title>Verified logs in {folder}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Verified logs</h1>\n<table role=\"table\">\n<caption>{sound} of {all} in {folder} verified. What was written after the last line of a \
         witness, and after the last receipt that somebody kept, nothing proves.</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">{headings}</tr>\
         </thead>\n<tbody role=\"rowgroup\">\n{rows}</tbody>\n</table>\n</main>\n</body>\n</html>\n"
    )
}

fn rows(table: &Table) -> String {
    let path = escaped(&table.path.display().to_string());
    match &table.verified {
        Err(why) => row(&path, "", "", &bad("not checked", std::iter::once(why.clone()), 0), ""),
        Ok(verified) => {
            let whole = (!verified.findings.is_empty()).then(|| {
                row(&path, "", "", &bad("not verified", verified.findings.iter().cloned(), verified.findings.len()), "")
            });
            let campaigns = verified.campaigns.iter().map(|own| campaign(&path, own));
            whole.into_iter().chain(campaigns).collect()
        }
    }
}

fn campaign(path: &str, report: &Report) -> String {
    let name = format!("{}<br><small>{path}</small>", escaped(&report.campaign));
    let verdict = match report.findings.is_empty() {
        true => format!("<span class=\"good\">verified</span>{}", lost(report)),
        false => {
            let count = report.findings.len() + usize::try_from(report.more).unwrap_or(usize::MAX);
            bad("not verified", report.findings.iter().map(ToString::to_string), count)
        }
    };
    let witness = report.witnessed.as_ref().map_or_else(
        || format!("none; {}", counted(report.checkpoints as u64, "checkpoint", "checkpoints")),
        |(seq, key)| format!("up to #{seq}<br><small>{}</small>", escaped(key)),
    );
    row(&name, &report.entries.to_string(), &escaped(&report.head.receipt()), &verdict, &witness)
}

/// What the log says was lost, as a list.
fn lost(report: &Report) -> String {
    let all: String = report.losses.iter().map(|own| format!("<li>{}</li>", escaped(&own.summary()))).collect();
    if all.is_empty() { all } else { format!("<ul>{all}</ul>") }
}

/// The columns behind the first.
const CELLS: [&str; 4] = ["Entries", "Ends at", "Verdict", "Witness"];

/// Cells are HTML already. On a narrow screen each stands on a line of its own, under its heading.
fn row(table: &str, entries: &str, head: &str, verdict: &str, witness: &str) -> String {
    let cells = CELLS.into_iter().zip([entries, head, verdict, witness]);
    let cells: String = cells
        .map(|(name, cell)| {
            let class = if name == "Entries" { " class=\"number\"" } else { "" };
            format!("<td role=\"cell\" data-label=\"{name}\"{class}>{cell}</td>")
        })
        .collect();
    format!("<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">{table}</th>{cells}</tr>\n")
}

fn bad(word: &str, findings: impl Iterator<Item = String>, count: usize) -> String {
    let first: String = findings.take(FINDINGS_MAX).map(|own| format!("<li>{}</li>", escaped(&own))).collect();
    let more = count.saturating_sub(FINDINGS_MAX);
    let more = if more > 0 { format!("<li>and {more} more</li>") } else { String::new() };
    format!("<span class=\"bad\">{word}</span><ul>{first}{more}</ul>")
}

/// Text of a log, harmless in HTML.
fn escaped(text: &str) -> String {
    for_markup(&printable(text)).replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Table, escaped, page};
    use crate::store::location::Location;
    use crate::store::verify::{Lost, Report, Verified};

    #[test]
    fn names_of_a_log_are_text() {
        assert_eq!(
            escaped("<a href='x'>&\"\u{202e}"),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;".to_owned() + &crate::names::printable("\u{202e}")
        );
        let mut verified = Verified::of(Location::from(Path::new("a.db")));
        let losses = vec![Lost { by: 7, at: 0, log_ends: 6, reached: 9 }];
        let campaign = "<script>alert(1)</script>".to_owned();
        verified.campaigns.push(Report { campaign, losses, ..Report::default() });
        let tables = [
            Table { path: PathBuf::from("<b>.db"), verified: Ok(verified) },
            Table { path: PathBuf::from("c.db"), verified: Err("it is <i>no</i> database".to_owned()) },
        ];
        let page = page(Path::new("league"), &tables);
        assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains("<i>"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("it is &lt;i&gt;no"), "{page}");
        assert!(
            page.contains("verified</span><ul><li>entries #7 to #9 were lost, and the log says so since #7 of "),
            "{page}"
        );
        assert_eq!(page.matches("<tr role=\"row\">").count(), 3);
    }
}
