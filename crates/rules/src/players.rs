//! The rules as players read them: without sections for the GM, without the effects of clocks and
//! shared tracks, and without hidden ones.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::language::effects::Effect;
use crate::language::health::Trigger;
use crate::reading::Reading;
use rollbook_text::diagnostic::{FileId, SourceFile, Sources, Span};

/// The end of a heading above what is for the GM only.
const GM: &str = "(GM)";
/// Replaces words that are left out.
const LEFT_OUT: &str = "…";
/// Ends of lines.
const ENDS: [char; 2] = ['\n', '\r'];

impl Reading {
    /// The same without sections for the GM, without the effects of clocks and shared tracks, and
    /// without hidden ones. Lines keep their numbers.
    pub fn for_players(&self) -> Cow<'_, Reading> {
        let places = |(id, file): (FileId, &SourceFile)| -> Vec<Span> {
            gm_ranges(&file.text)
                .into_iter()
                .map(|bytes| Span::new(id, bytes))
                .collect()
        };
        let hidden: Vec<Span> = self.sources.iter().flat_map(places).collect();
        if hidden.is_empty() {
            return self.without_clock_effects();
        }
        let is_hidden = |span: Span| hidden.iter().any(|gm_section| gm_section.holds(span));
        let mut players = self.clone();
        players.sources = without_gm(&self.sources);
        players
            .system
            .sections
            .retain(|section| !is_hidden(section.span));
        players
            .system
            .sections
            .iter_mut()
            .for_each(|section| section.text = blanked(&section.text));
        players
            .diagnostics
            .retain(|found| !found.span().is_some_and(is_hidden));
        Cow::Owned(players.without_clock_effects().into_owned())
    }

    fn without_clock_effects(&self) -> Cow<'_, Reading> {
        let Some(company) = self.system.company.as_deref() else {
            return Cow::Borrowed(self);
        };
        let (triggers, hidden) = (
            &company.triggers,
            company.tracks.iter().filter(|track| track.hidden),
        );
        if triggers.is_empty() && hidden.clone().next().is_none() {
            return Cow::Borrowed(self);
        }
        let mut lines = BTreeMap::new();
        for track in hidden.clone() {
            leave_out_whole(track.span, &self.sources, &mut lines);
        }
        let is_hidden = |name: &str| hidden.clone().any(|track| track.name == name);
        let of_hidden = |effect: &Effect| effect.shared && effect.track().is_some_and(is_hidden);
        let moves_hidden = |trigger: &Trigger| trigger.effects.iter().all(of_hidden);
        for trigger in self
            .system
            .passing
            .iter()
            .filter(|trigger| moves_hidden(trigger))
        {
            leave_out_whole(trigger.span, &self.sources, &mut lines);
        }
        triggers.iter().for_each(|trigger| {
            leave_out((trigger.span, &trigger.text), &self.sources, &mut lines)
        });
        // Triggers of characters may move a clock that players do not see.
        let names_hidden = |trigger: &Trigger| trigger.effects.iter().any(of_hidden);
        for trigger in self
            .system
            .triggers
            .iter()
            .chain(&self.system.rests)
            .filter(|trigger| names_hidden(trigger))
        {
            leave_out((trigger.span, &trigger.text), &self.sources, &mut lines);
        }
        let mut players = self.clone();
        let files = self.sources.iter().map(|(_, file)| SourceFile {
            text: without(&file.text, &lines),
            ..file.clone()
        });
        players.sources = Sources::new(files.collect());
        for section in &mut players.system.sections {
            section.text = without(&section.text, &lines);
        }
        players
            .system
            .passing
            .retain(|trigger| !moves_hidden(trigger));
        let system = &mut players.system;
        for trigger in system
            .triggers
            .iter_mut()
            .chain(&mut system.rests)
            .filter(|trigger| names_hidden(trigger))
        {
            trigger.effects.retain(|effect| !of_hidden(effect));
            trigger.text = LEFT_OUT.to_owned();
        }
        if let Some(company) = &mut players.system.company {
            company.triggers.clear();
            company.tracks.retain(|track| !track.hidden);
        }
        Cow::Owned(players)
    }
}

/// The files with blanks for the sections whose heading ends in `(GM)`.
pub fn without_gm(sources: &Sources) -> Sources {
    let seen = |(_, file): (FileId, &SourceFile)| SourceFile {
        text: blanked(&file.text),
        ..file.clone()
    };
    Sources::new(sources.iter().map(seen).collect())
}

/// The text with a blank for each byte that is for the GM, so that the rest keeps its place.
fn blanked(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut at = 0;
    for hidden in gm_ranges(text) {
        seen.push_str(text.get(at..hidden.start).unwrap_or_default());
        for letter in text.get(hidden.clone()).unwrap_or_default().chars() {
            match ENDS.contains(&letter) {
                true => seen.push(letter),
                false => seen.extend(std::iter::repeat_n(' ', letter.len_utf8())),
            }
        }
        at = hidden.end;
    }
    seen.push_str(text.get(at..).unwrap_or_default());
    seen
}

/// The bytes for the GM, in order: from each heading that ends in `(GM)` to the next not below it.
fn gm_ranges(text: &str) -> Vec<Range<usize>> {
    if !text.contains(GM) {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut open: Option<(usize, HeadingLevel)> = None;
    let mut heading: Option<(usize, HeadingLevel, String)> = None;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some((range.start, level, String::new()));
                if let Some((start, _)) = open.take_if(|(_, outer)| level <= *outer) {
                    all.push(start..range.start);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let found = heading
                    .take()
                    .filter(|(_, _, words)| words.trim_end().ends_with(GM));
                if let (Some((start, level, _)), None) = (found, &open) {
                    open = Some((start, level));
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some((_, _, all)) = &mut heading {
                    all.push_str(&words);
                }
            }
            _ => {}
        }
    }
    all.extend(open.map(|(start, _)| start..text.len()));
    all
}

/// Replaces the first line of a span by a mark.
fn leave_out_whole(span: Span, sources: &Sources, lines: &mut BTreeMap<String, String>) {
    let Some(line) = lines_of(span, sources)
        .and_then(|lines| lines.split(ENDS).next())
        .map(str::trim)
    else {
        return;
    };
    let kept = if line.starts_with('|') {
        format!("| {LEFT_OUT} |")
    } else {
        format!("- {LEFT_OUT}")
    };
    lines.insert(line.to_owned(), kept);
}

/// The whole lines of a span.
fn lines_of(span: Span, sources: &Sources) -> Option<&str> {
    let file = sources.get(span.file)?;
    let begin = file
        .text
        .get(..span.start)
        .and_then(|before| before.rfind(ENDS))
        .map_or(0, |end| end + 1);
    let after = file.text.get(span.end..).and_then(|rest| rest.find(ENDS));
    let end = after.map_or(file.text.len(), |after| span.end + after);
    file.text.get(begin..end)
}

/// Removes a text from a span's lines. Where it is not literally there, all after the label goes.
fn leave_out((span, text): (Span, &str), sources: &Sources, lines: &mut BTreeMap<String, String>) {
    let text = text.trim();
    let Some(whole_lines) = lines_of(span, sources) else {
        return;
    };
    for line in whole_lines
        .split(ENDS)
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        // A line may declare a clock and its effects, so it may be changed already.
        let kept = lines.get(line).map_or(line, String::as_str);
        let kept = match kept.rfind(text).filter(|_| !text.is_empty()) {
            Some(at) => {
                let (before, from) = kept.split_at(at);
                format!(
                    "{before}{LEFT_OUT}{}",
                    from.get(text.len()..).unwrap_or_default()
                )
            }
            None => kept
                .split_once(':')
                .map_or(LEFT_OUT.to_owned(), |(label, _)| {
                    format!("{label}: {LEFT_OUT}")
                }),
        };
        lines.insert(line.to_owned(), kept);
    }
}

/// A text with these lines replaced.
fn without(text: &str, lines: &BTreeMap<String, String>) -> String {
    let line = |line: &str| match lines.get(line.trim()) {
        Some(kept) => line.replace(line.trim(), kept),
        None => line.to_owned(),
    };
    text.split_inclusive(ENDS).map(line).collect()
}

#[cfg(test)]
mod tests {
    use crate::{read, reading_summary};
    use rollbook_text::diagnostic::SourceFile;

    #[test]
    fn sections_for_the_gm_are_left_out_with_all_below_them() {
        let text = "# A\n\n## Checks\n- Roll: `1d20`\n- Target: 10\n\n## The reeve (GM)\nHe lies.\n\n### Rumours\n\n| d4 | Rumour |\n|---|---|\n\
                    | 1-2 | wolves |\n| 3-4 | gold |\n\n```\n## No heading\n```\n\n## Town\nA well.\n\n### Below it (GM)\nBones.\r\n\nSetext (GM)\n---\nMore bones.\n\n# End\nFires.\n";
        let whole = read(vec![SourceFile::new("System.md", text)]);
        let seen = whole.for_players();
        let file = seen.sources.iter().next().unwrap().1.text.clone();
        let sections: String = seen
            .system
            .sections
            .iter()
            .map(|section| section.text.as_str())
            .collect();
        for place in [&file, &sections] {
            for secret in [
                "reeve",
                "lies",
                "Rumours",
                "wolves",
                "No heading",
                "Below it",
                "ones.",
            ] {
                assert!(!place.contains(secret), "{secret}: {place}");
            }
            assert!(
                place.contains("A well.") && place.contains("1d20") && place.contains("Fires."),
                "{place}"
            );
        }
        assert_eq!(file.lines().count(), text.lines().count());
        assert_eq!(
            file.lines().position(|line| line == "Fires."),
            text.lines().position(|line| line == "Fires.")
        );
    }

    #[test]
    fn nothing_of_hidden_clocks_is_shown() {
        let text = "# A\n\n## Der M\u{fc}ller (GM)\nEr l\u{fc}gt, und wei\u{df} es.\n\n## Health\n- Luck: max 3\n- Damage: Luck\n- At 0 Luck: Doom below +1\n- Long rest: Luck to max, Doom below +2\n\n\
                    ## Clocks\n- Tide: 12 boxes\n- Doom below: 8 boxes, hidden\n  - Each hour: +1\n  - At 2: *it stirs*\n\
                    - Alarm: 4 boxes, hidden, full: *guards*\n- Fire: 4 boxes, full: *smoke*\n";
        let whole = read(vec![SourceFile::new("System.md", text)]);
        let players = whole.for_players();
        let sources = players.sources.iter().next().unwrap().1.text.clone();
        for place in [
            players.system.sections.last().unwrap().text.clone(),
            sources,
            reading_summary(&players),
        ] {
            for secret in [
                "ller", "gt, und", "Doom", "8 boxes", "hour", "stirs", "Alarm", "guards",
            ] {
                assert!(!place.contains(secret), "{secret}: {place}");
            }
            assert!(place.contains("Tide") && place.contains("Fire"), "{place}");
        }
    }

    #[test]
    fn effects_of_clocks_are_left_out_and_nothing_else() {
        let text = "# A\n\n## Checks\n- Roll: `1d20`\n- Target: 10\n\n## Clocks\n\n- Tide: 12 boxes, full: *the tide turns*\r\n  - At 3: *the causeway\n    is under*\n\
                    - Alarm: 4 boxes, full: *guards come*\n- At 5 Tide: *Drewitt lands*\n- Each hour: Tide +1\n";
        let whole = read(vec![SourceFile::new("System.md", text)]);
        assert_eq!(whole.diagnostics, []);
        let players = whole.for_players();
        let section =
            |reading: &crate::Reading| reading.system.sections.last().unwrap().text.clone();
        let sources = players.sources.iter().next().unwrap().1.text.clone();
        for (place, seen) in [
            ("section", section(&players)),
            ("file", sources),
            ("understood", reading_summary(&players)),
        ] {
            for secret in ["turns", "causeway", "under*", "Drewitt", "guards"] {
                assert!(!seen.contains(secret), "{secret} in {place}: {seen}");
            }
            assert!(
                seen.contains("Tide") && seen.contains("Alarm"),
                "{place}: {seen}"
            );
        }
        assert!(
            section(&players).contains("- Tide: 12 boxes, full: *…*\r\n"),
            "{}",
            section(&players)
        );
        assert!(
            section(&players).contains("- At 5 Tide: *…*\n- Each hour: Tide +1"),
            "{}",
            section(&players)
        );
        assert!(
            section(&players).contains("- Alarm: 4 boxes, full: *…*\n"),
            "{}",
            section(&players)
        );
        assert_eq!(
            section(&players).lines().count(),
            section(&whole).lines().count()
        );
        let plain = read(vec![SourceFile::new(
            "System.md",
            "# A\n\n## Clocks\n- Tide: 12 boxes\n",
        )]);
        assert_eq!(*plain.for_players(), plain);
    }
}
