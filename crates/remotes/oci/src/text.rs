//! Untrusted text of servers.

/// Makes untrusted text printable: one line of at most `limit` characters, without control
/// characters.
pub(crate) fn printable(text: &str, limit: usize) -> String {
    let mut shown: String = text
        .chars()
        .map(|character| {
            // Bidirectional formatting characters change how a terminal displays text.
            let format = matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if character.is_control() || format {
                ' '
            } else {
                character
            }
        })
        .take(limit)
        .collect();
    if text.chars().count() > limit {
        shown.push('…');
    }
    shown.trim().to_owned()
}
