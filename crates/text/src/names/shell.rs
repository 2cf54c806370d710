//! A word on a line that is given to a person to be run.

/// A word as a shell takes it: quoted, unless it is plain.
pub fn for_shell(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@,+".contains(letter);
    if !word.is_empty() && word.chars().all(|letter| is_plain(letter) || (cfg!(windows) && letter == '\\')) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
