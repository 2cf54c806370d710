//! The adventures that come with the program, and beginning one where none is played yet.

use super::reply::Reply;
use super::resume::ready_made;
use crate::session::{Answer, CallError, Common, Host, Purpose};
use crate::tools::rules_for_model;
use rollbook_game::refusal::{Code, Refusal};

/// What may be begun, a line each.
pub fn list(host: &Host) -> Result<Answer<Reply>, CallError> {
    let Some(offers) = &host.offers else {
        return Err(host.not_offered().into());
    };
    let lines = offers.all.iter();
    let lines: String = lines
        .map(|(name, about)| format!("\n- {name}: {about}"))
        .collect();
    let next = match host.adventure().reading.system.narrative {
        true => "Let the players choose: manage_session action=\"begin\" name=\"lockhouse\" begins that one, and writes its pages into this project.".to_owned(),
        false => format!("{} is played here.", host.adventure().name),
    };
    let text = format!("These adventures come with the program, each an evening:{lines}\n{next}");
    Ok(Answer::new(Common::of(text), None))
}

/// Writes one into the project and plays it from here on. The reply says what a server that was
/// started with it would have said: the rules, and who is ready to be played.
pub async fn begin(host: &Host, name: Option<&str>) -> Result<Answer<Reply>, CallError> {
    let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) else {
        let summary = "begin needs the adventure's name. action=\"adventures\" lists them.";
        return Err(Refusal::new(Code::InvalidParameters, summary).into());
    };
    let before = host.campaign(None, Purpose::Read).await?;
    let before = before.exists().await?.then(|| host.default_campaign());
    let adventure = host.begin(name).await?;
    let before = before.filter(|before| *before != host.default_campaign());
    let before = before.map_or(String::new(), |name| {
        format!(" What was played before is in the campaign {name}.")
    });
    let rules = rules_for_model(&adventure.reading, usize::MAX).unwrap_or_default();
    let text = format!(
        "{} begins, in the campaign {}.{before} Its pages are in {}: read Adventure.md first. {}",
        adventure.name,
        host.default_campaign(),
        adventure.folder.display(),
        ready_made(&adventure),
    );
    let reply = Reply::Begun {
        untrusted_text: rules,
    };
    Ok(Answer::new(Common::of(text), reply))
}
