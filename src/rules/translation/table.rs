//! The table of a language.

use std::collections::HashMap;

use super::formal::Formal;
use super::phrase::Phrases;
#[cfg(test)]
use super::phrase::folded;
use crate::names::fold;

/// Parts of a table that are about no section.
const NO_SECTIONS: [&str; 7] = ["headings", "inner", "columns", "outcomes", "values", "formal", "against"];

/// The words of a language, each with ours.
#[derive(Debug, Default)]
pub struct Table {
    /// Headings below those, folded.
    inner: HashMap<String, &'static str>,
    /// Labels by the section that reads them, by its heading in ours.
    labels: HashMap<&'static str, Phrases>,
    /// The same labels as they are written.
    written: HashMap<&'static str, Vec<&'static str>>,
    /// Headers of tables, folded.
    columns: HashMap<String, &'static str>,
    /// The five outcomes, folded.
    outcomes: HashMap<String, &'static str>,
    /// What stands between commas behind a label.
    pub values: Phrases,
    /// Words of conditions and expressions.
    pub formal: Formal,
    /// What helps say to write, in ours, each with theirs.
    helps: Vec<(&'static str, &'static str)>,
    /// Labels in ours, each with the first of theirs, for helps; none where sections have different ones.
    told: HashMap<&'static str, Option<&'static str>>,
    /// Lines that cannot be read: none, and a test says so.
    pub wrong: Vec<String>,
}

impl Table {
    /// Reads a table.
    pub(super) fn of(text: &'static str) -> Self {
        let die = text.lines().find_map(|line| line.strip_prefix("die:")).and_then(|die| die.trim().chars().next());
        let mut table = Self { formal: Formal::with_die(die), ..Self::default() };
        let mut part = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                part = name;
                continue;
            }
            let Some((theirs, ours)) = line.split_once(" = ") else {
                let is_head = part.is_empty() && (line.starts_with("names:") || line.starts_with("die:"));
                table.wrong.extend((!is_head).then(|| line.to_owned()));
                continue;
            };
            if part == "help" {
                table.helps.push((ours.trim(), theirs.trim()));
                continue;
            }
            if let Some(first) = theirs.split(',').next().filter(|_| !NO_SECTIONS.contains(&part)) {
                let told = table.told.entry(ours.trim()).or_insert(Some(first.trim()));
                *told = told.filter(|before| *before == first.trim());
            }
            for theirs in theirs.split(',').map(str::trim) {
                let added = table.add(part, theirs, ours.trim());
                table.wrong.extend(added.err());
            }
        }
        table
    }

    fn add(&mut self, part: &'static str, theirs: &'static str, ours: &'static str) -> Result<(), String> {
        let twice = |before: Option<&str>| match before.is_some_and(|before| before != ours) {
            true => Err(format!("[{part}] {theirs} stands for two things")),
            false => Ok(()),
        };
        match part {
            "headings" | "against" => Ok(()),
            "inner" => twice(self.inner.insert(fold(theirs), ours)),
            "columns" => twice(self.columns.insert(fold(theirs), ours)),
            "outcomes" => {
                self.values.add(theirs, ours)?;
                twice(self.outcomes.insert(fold(theirs), ours))
            }
            "values" => self.values.add(theirs, ours),
            "formal" => self.formal.add(theirs, ours),
            section => {
                self.written.entry(section).or_default().push(theirs);
                self.labels.entry(section).or_default().add(theirs, ours)
            }
        }
    }

    /// A help with what it says to write in this language: what stands between backticks.
    pub fn help(&self, ours: &str) -> String {
        let parts = ours.split('`').enumerate().map(|(nth, part)| {
            // Between two backticks on each side a bullet may have code of its own.
            let is_code = nth % 2 == 1 || part.starts_with("- ");
            if is_code { self.labelled(self.phrased(part)) } else { part.to_owned() }
        });
        parts.collect::<Vec<String>>().join("`")
    }

    fn phrased(&self, ours: &str) -> String {
        self.helps.iter().fold(ours.to_owned(), |text, (ours, theirs)| text.replace(ours, theirs))
    }

    /// `Target` or `- Target: 12` with the label in this language.
    fn labelled(&self, text: String) -> String {
        let (bullet, rest) = text.strip_prefix("- ").map_or(("", text.as_str()), |rest| ("- ", rest));
        let (label, value) = rest.find(':').map_or((rest, ""), |colon| rest.split_at(colon));
        match self.told.get(label).copied().flatten() {
            Some(theirs) => format!("{bullet}{theirs}{value}"),
            None => text,
        }
    }

    /// Our heading for a list within a section.
    pub fn inner(&self, words: &str) -> Option<&'static str> {
        self.inner.get(&fold(words)).copied()
    }

    /// Our header for a column.
    pub fn column(&self, words: &str) -> Option<&'static str> {
        self.columns.get(&fold(words)).copied()
    }

    /// Our word for an outcome.
    pub fn outcome(&self, words: &str) -> Option<&'static str> {
        self.outcomes.get(&fold(words)).copied()
    }

    /// The labels of a section, by its heading in ours.
    pub fn labels(&self, section: &str) -> Option<&Phrases> {
        self.labels.get(section)
    }

    /// The same as they are written, for suggestions; those with gaps left out.
    pub fn written_labels(&self, section: &str) -> impl Iterator<Item = &'static str> {
        self.written.get(section).into_iter().flatten().copied().filter(|label| !label.contains(['*', '#']))
    }

    /// Ours of every label of a section, for tests that ask whether one is missing.
    #[cfg(test)]
    pub fn has_label(&self, section: &str, text: &str, ours: &str) -> bool {
        let lines = text.lines().skip_while(|line| *line != format!("[{section}]")).skip(1);
        let mut lines = lines.take_while(|line| !line.starts_with('['));
        lines.any(|line| line.split_once(" = ").is_some_and(|(_, own)| folded(own.trim()) == folded(ours)))
    }
}
