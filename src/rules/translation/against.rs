//! Names of what is against a type of damage, in other languages: `Feuerwiderstand`, `Résistance au feu`.

use crate::names::fold;

/// Words of such names. Those behind which a type stands are put before it, and types may be joined to what is against them.
#[derive(Debug, Default)]
pub struct Against {
    /// What is against something, folded, each with ours: `resistance`.
    nouns: Vec<(String, &'static str)>,
    /// Words between it and a type, and articles, folded: `gegen`, `au`, `l'`.
    fillers: Vec<String>,
    /// Words between two types, folded.
    joints: Vec<String>,
    /// Words in the place of a type that name none: `alle`.
    any: Vec<String>,
    /// Words around a type, or joined to it: `Schaden`.
    damage: Vec<String>,
    /// What a type ends with where a noun is joined to it: its last letter belongs to neither.
    links: Vec<String>,
}

impl Against {
    /// Reads the lines below `[against]`.
    pub(super) fn of(text: &'static str) -> Self {
        let mut words = Self::default();
        let lines = text.lines().skip_while(|line| *line != "[against]").skip(1);
        for (theirs, ours) in lines.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once(" = "))
        {
            let theirs = theirs.split(',').map(fold);
            match ours.trim() {
                "to" => words.fillers.extend(theirs),
                "and" => words.joints.extend(theirs),
                "any" => words.any.extend(theirs),
                "damage" => words.damage.extend(theirs),
                "link" => words.links.extend(theirs),
                ours => words.nouns.extend(theirs.map(|own| (own, ours))),
            }
        }
        words
    }

    /// What is against something, and the types of damage: `widerstand` and `Feuer`. None where the name is no such thing.
    pub fn split<'n>(&self, name: &'n str) -> Option<(&'n str, Vec<&'n str>)> {
        self.behind(name).or_else(|| self.joined(name))
    }

    /// Ours for what a name says it is: `resistance`; the rest of the name is anything.
    pub fn ours(&self, name: &str) -> Option<&'static str> {
        let name = fold(name);
        self.nouns.iter().find(|(noun, _)| name.contains(noun.as_str())).map(|(_, ours)| *ours)
    }

    /// Where a folded word says that it is against something.
    pub fn place(&self, word: &str) -> Option<usize> {
        self.nouns.iter().find_map(|(noun, _)| word.find(noun.as_str()))
    }

    /// Whether a folded word names no type of damage.
    pub fn is_any(&self, word: &str) -> bool {
        [&self.any, &self.damage, &self.fillers, &self.joints].iter().any(|words| words.iter().any(|own| own == word))
    }

    /// Types of damage in a list.
    pub fn types<'n>(&self, words: &'n str) -> Vec<&'n str> {
        let mut parts = vec![words];
        for joint in self.joints.iter().map(|own| format!(" {own} ")) {
            parts = parts.into_iter().flat_map(|part| part.split(joint.as_str())).collect();
        }
        let parts = parts.into_iter().flat_map(|part| part.split([',', '/']));
        parts.map(|part| self.kind(part)).filter(|part| !part.is_empty()).collect()
    }

    /// `Résistance au feu`: the noun, then the types.
    fn behind<'n>(&self, name: &'n str) -> Option<(&'n str, Vec<&'n str>)> {
        name.match_indices(' ').find_map(|(at, _)| {
            let (head, rest) = name.split_at(at);
            let last = fold(head.rsplit([' ', '-']).next().unwrap_or(head));
            let is_noun = self.nouns.iter().any(|(noun, _)| last.starts_with(noun.as_str()));
            is_noun.then(|| (head, self.types(rest))).filter(|(_, types)| !types.is_empty())
        })
    }

    /// `Feuerwiderstand`: the types, then the noun.
    fn joined<'n>(&self, name: &'n str) -> Option<(&'n str, Vec<&'n str>)> {
        let starts = name.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
        let noun = starts.map(|at| name.split_at(at)).find(|(_, noun)| {
            let folded = fold(noun);
            self.nouns.iter().any(|(own, _)| *own == folded) && !noun.starts_with([' ', '-'])
        });
        let (words, noun) = noun?;
        let types = self.types(words);
        (!types.is_empty()).then_some((noun, types))
    }

    /// A type without the words around it: `feu` of ` aux dégâts de feu`. Empty where they name none.
    fn kind<'n>(&self, words: &'n str) -> &'n str {
        let bare = |word: &'n str| word.trim_matches([' ', '-', '.']);
        let mut rest = bare(words);
        while let Some(after) = self.without_first(rest) {
            rest = bare(after);
        }
        for ending in &self.damage {
            let start = rest.char_indices().map(|(at, _)| at).find(|at| {
                rest.get(*at..)
                    .is_some_and(|behind| behind.chars().count() == ending.chars().count() && fold(behind) == *ending)
            });
            rest = bare(start.and_then(|at| rest.get(..at)).unwrap_or(rest));
        }
        let folded = fold(rest);
        match self.links.iter().any(|link| folded.len() > link.len() && folded.ends_with(link.as_str())) {
            true => rest.char_indices().next_back().map_or(rest, |(at, _)| rest.get(..at).unwrap_or(rest)),
            false => rest,
        }
    }

    /// What is left behind a first word that is no type: `feu` of `le feu`, `acide` of `l'acide`.
    fn without_first<'n>(&self, words: &'n str) -> Option<&'n str> {
        let end = words.find([' ', '\'', '\u{2019}']);
        let (first, rest) = match end.and_then(|at| Some((at, words.get(at..)?.chars().next()?))) {
            Some((at, ' ')) => words.split_at(at),
            Some((at, mark)) => words.split_at(at + mark.len_utf8()),
            None => (words, ""),
        };
        (!first.is_empty() && self.is_any(&fold(first))).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::translation::ALL;

    #[test]
    fn a_name_says_which_damage_it_is_against_in_every_language() {
        for (name, noun, types) in [
            ("Feuerwiderstand", "widerstand", &["Feuer"][..]),
            ("Feuer-Resistenz", "Resistenz", &["Feuer"]),
            ("Feuer- und Kältewiderstand", "widerstand", &["Feuer", "Kälte"]),
            ("Strahlungsresistenz", "resistenz", &["Strahlung"]),
            ("Magische Resistenz", "Resistenz", &["Magische"]),
            ("Widerstand gegen Feuer und Kälte", "Widerstand", &["Feuer", "Kälte"]),
            ("Immunität gegen Feuerschaden", "Immunität", &["Feuer"]),
            ("Verwundbarkeit durch das Feuer", "Verwundbarkeit", &["Feuer"]),
            ("Résistance au feu", "Résistance", &["feu"]),
            ("Résistance aux dégâts de feu et de froid", "Résistance", &["feu", "froid"]),
            ("Vulnérabilité à l’acide", "Vulnérabilité", &["acide"]),
            ("Résistance physique", "Résistance", &["physique"]),
            ("Resistencia al fuego", "Resistencia", &["fuego"]),
            ("Inmunidad contra el frío y el fuego", "Inmunidad", &["frío", "fuego"]),
            ("Debilidad a la plata", "Debilidad", &["plata"]),
            ("Resistencia al daño de fuego", "Resistencia", &["fuego"]),
        ] {
            let found = ALL.iter().find_map(|language| language.against().split(name));
            assert_eq!(found, Some((noun, types.to_vec())), "{name}");
        }
        for name in [
            "Widerstand",
            "Schadensresistenz",
            "Widerstand gegen alle Schäden",
            "Lederpanzer",
            "Résistance à tous les dégâts",
            "Resistencia a todo el daño",
            "Lederrüstung",
            "Resistencia",
            "",
        ] {
            let found = ALL.iter().find_map(|language| language.against().split(name));
            assert_eq!(found, None, "{name}");
        }
    }
}
