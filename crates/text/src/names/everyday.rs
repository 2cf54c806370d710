//! Words of everyday English that describe: they are in many names, and in many sentences that name
//! nobody.
//!
//! "Lady in Grey" and "grey skies", "Will Scarlet" and "she will climb". Words for beings ("lady",
//! "rat", "captain") are not among them, but for those that may be anybody ("man").

use super::fold;

/// Sorted, folded; a test looks.
const EVERYDAY: &str = "
    above acid after again age air all amber ancient another any arm arms arrow ash autumn away axe back bad bag bay beach
    bell below beneath best beyond big bitter black blade blood bloody blow blue boat bold bone bones book boots both
    bottom bow boy brave bread bridge bright broken bronze brown burning cage calm cave chain city clay clean clear cloak
    close cloud coal coast coat cold common copper corner crimson crooked cross crown cruel cup curse cut dagger damage
    damp dark darkness dawn day dead deadly death deep distant dock docks door down dry dull dusk dust each early earth
    east eastern edge eight emerald empty end evening every evil eye eyed eyes face faith fall false far fast fat fear few
    field fine fire first fist five flame flesh flood floor fog foot forest four free fresh friend frost full gate girl
    glass gold golden good grace grand grant great green grey ground hair half hall hammer hand hands harbour hard hat
    head heart heavy hidden high hill hit hollow holy hood hook hope house huge hungry ice ill inner iron island ivory
    jade jewel keen key kind knife lake lamp land lantern large last late lead leather left leg light lightning little
    lock lone lonely long lost loud love low lower lucky mad magic man many mark marsh mask master may men might mighty
    mill mine mist moon more morning most mountain mouth mud near neck never new next nice night nine north northern oak
    oaken oath oil old one only open orange other outer over pain pale patience people person pink poison poor port power
    pretty proud purple quay queer quick quiet rain ravine red reed rich right ring rise rising river road robe rock roof
    room rope rose rotten rough round royal ruby ruin rust sad salt sand sapphire scarlet sea second secret seven shadow
    shadows shaft sharp shell shield ship shore short shot side sight silence silent silk silver six skin skull sky slow
    small smoke snow soft song south southern spear spring staff star steel step stone storm stout strange street strong
    summer sun sweet swift sword tall tear ten terrible thick thin third three throne thunder tide tin tooth top torch
    tower town tree true twilight twin two ugly under unseen upper vale valley veil very village violet voice wall war
    warm watch water wave weak wet white wicked wild will wind window wine wing winter wise without woman women wood
    wooden world wrong yellow young";

/// Whether a word describes rather than names.
pub fn is_everyday(word: &str) -> bool {
    let word = fold(word).replace("gray", "grey");
    let bare = word.strip_suffix('s').unwrap_or(&word);
    EVERYDAY
        .split_whitespace()
        .any(|known| known == word || known == bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted_and_each_is_there_once() {
        let words: Vec<&str> = EVERYDAY.split_whitespace().collect();
        assert!(
            words.is_sorted_by(|a, b| a < b),
            "{:?}",
            words.windows(2).find(|pair| pair[0] >= pair[1])
        );
        assert!(words.iter().all(|word| fold(word) == *word));
    }

    #[test]
    fn what_describes_names_nobody() {
        assert!(
            ["Grey", "gray", "WILL", "flames"]
                .iter()
                .all(|word| is_everyday(word))
        );
        assert!(
            !["lady", "rat", "Kell", "captain", "guard"]
                .iter()
                .any(|word| is_everyday(word))
        );
    }
}
