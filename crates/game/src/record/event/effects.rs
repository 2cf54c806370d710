//! Effects that begin, end, or are counted down. `hidden` is what was true at that moment: the players' text is made from it, also after a
//! later reveal.

use serde::{Deserialize, Serialize};

use super::text::in_brackets;
use super::{Describe, Description, Subject};
use crate::record::entry::{Audience, Entry};

/// An effect on a character.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectOn {
    pub name: String,
    pub on: Subject,
    /// The bearer is hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What is left of it: "2 rounds".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

impl EffectOn {
    /// "bless on Jory"
    pub fn label(&self) -> String {
        format!("{} on {}", self.name, self.on.name)
    }
}

/// The holder of effects that end because it can no longer act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    pub subject: Subject,
    /// Players did not see why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effects {
    pub combat: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub began: Vec<EffectOn>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<EffectOn>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EffectOn>,
    /// The holder of the ended effects, who can no longer act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<Box<Holder>>,
    /// Those that began had been hidden, and are seen from now on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revealed: bool,
}

impl Describe for Effects {
    fn description(&self) -> Description<'_> {
        let all = || self.began.iter().chain(&self.left).chain(&self.ended);
        Description {
            is_open: self.holder.as_ref().is_none_or(|holder| !holder.hidden) && all().all(|effect| !effect.hidden),
            who: all().map(|effect| &effect.on).collect(),
            texts: self.began.iter().map(|effect| ("name", effect.name.as_str())).collect(),
            ..Description::default()
        }
    }

    fn sentence(&self, _: &Entry, audience: Audience, _: bool) -> Option<String> {
        let gm = audience == Audience::Gm;
        if self.revealed {
            let seen = visible_effects(&self.began, audience).map(|effect| {
                let shown = effect.label() + &in_brackets(effect.left.as_deref());
                if gm { format!("Players see {shown} from now on.") } else { format!("It shows: {shown}.") }
            });
            return Some(seen.collect::<Vec<String>>().join(" "));
        }
        let duration = |effect: &EffectOn| effect.left.as_ref().map_or(String::new(), |left| format!(", {left}"));
        let began = visible_effects(&self.began, audience);
        let began = began.map(|effect| format!("{} begins{}.", effect.label(), duration(effect)));
        let holder = self.holder.as_ref().filter(|holder| gm || !holder.hidden);
        let why = holder.map_or(String::new(), |holder| format!(": {} can no longer hold it", holder.subject.name));
        let ended = visible_effects(&self.ended, audience).map(|effect| format!("{} ends{why}.", effect.label()));
        let left = self.left.iter().filter(|_| gm);
        let left = left.map(|effect| format!("{}{} left.", effect.label(), duration(effect)));
        Some(ended.chain(began).chain(left).collect::<Vec<String>>().join(" "))
    }

    fn hide(&mut self, unseen: &[i64]) -> Option<bool> {
        hide_effects(&mut self.began, unseen);
        hide_effects(&mut self.ended, unseen);
        self.holder.iter_mut().for_each(|holder| holder.hidden |= !holder.subject.is_none_of(unseen));
        Some(self.began.iter().chain(&self.ended).any(|effect| !effect.hidden))
    }

    fn open(&mut self) {
        let all = self.began.iter_mut().chain(&mut self.left).chain(&mut self.ended);
        all.for_each(|effect| effect.hidden = false);
        self.holder.iter_mut().for_each(|holder| holder.hidden = false);
    }
}

/// The effects that the audience sees.
pub(super) fn visible_effects(effects: &[EffectOn], audience: Audience) -> impl Iterator<Item = &EffectOn> {
    effects.iter().filter(move |effect| audience == Audience::Gm || !effect.hidden)
}

/// Hides the effects on these characters.
pub(super) fn hide_effects(effects: &mut [EffectOn], unseen: &[i64]) {
    effects.iter_mut().for_each(|effect| effect.hidden |= !effect.on.is_none_of(unseen));
}
