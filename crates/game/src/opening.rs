//! How a campaign begins, and by which rules it goes on.

use crate::record::change::{Change, Images};
use crate::record::event::{CampaignCreated, Event, RulesChange, RulesLoaded};
use crate::record::{entry::Visibility, state::Campaign};
use crate::table::{Draft, Table};

impl Table<'_> {
    /// Logs that the campaign begins, and which rules it is played by, where that is not so yet.
    pub fn open_campaign(&mut self) {
        let setting = self.setting;
        if self.state.campaign.is_none() {
            let (name, adventure) = (setting.campaign.clone(), setting.adventure.clone());
            let (campaign, created_at) = (setting.campaign_uuid.clone(), self.at);
            let row = Campaign {
                uuid: campaign.clone(),
                name,
                adventure,
                created_at,
                ..Campaign::default()
            };
            let (name, adventure) = (row.name.clone(), row.adventure.clone());
            let event = Event::CampaignCreated(CampaignCreated {
                campaign,
                name,
                adventure,
            });
            self.push(Draft::new(
                "system",
                event,
                vec![Change::Campaign(Images::made(row))],
            ));
        }
        let campaign = self.state.campaign.as_ref();
        let changed = |row: &&Campaign| row.rules_hash != setting.rules_hash;
        let Some(before) = campaign.filter(changed).cloned() else {
            return;
        };
        // A campaign that was begun with its first key gets its adventure here.
        let adventure = Some(&setting.adventure)
            .filter(|name| !name.is_empty())
            .unwrap_or(&before.adventure);
        let (adventure, rules_hash) = (adventure.clone(), setting.rules_hash.clone());
        let after = Campaign {
            adventure,
            rules_hash,
            ..before.clone()
        };
        let changed = self
            .rules_before
            .take()
            .and_then(|rules| RulesChange::between(&rules, &setting.rules_text));
        let notes = changed.as_ref().map(RulesChange::for_gm);
        // A change of what players read is theirs to know.
        let is_open = changed
            .as_ref()
            .and_then(RulesChange::for_players)
            .is_some();
        let visibility = if is_open {
            Visibility::Public
        } else {
            Visibility::Gm
        };
        let event = Event::RulesLoaded(RulesLoaded {
            title: setting.system.title.clone(),
            version: setting.system.version.clone(),
            hash: setting.rules_hash.clone(),
            files: setting.rules_files.clone(),
            text: setting.rules_text.to_vec(),
            changed: changed.map(Box::new),
        });
        let changes = vec![Change::Campaign(Images::changed(before, after))];
        self.push(Draft {
            visibility,
            ..Draft::new("system", event, changes)
        });
        self.note(notes);
    }
}
