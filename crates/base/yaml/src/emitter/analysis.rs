//! Analysis of a text: the styles that can represent it.

use super::Rules;

/// Reports whether libyaml counts the character as a line break. The line and paragraph
/// separators are printable too, and are written raw.
pub(super) fn is_break(character: char) -> bool {
    matches!(character, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Reports whether a character is written unescaped. libyaml escapes everything beyond the basic
/// plane, including emoji.
pub(super) fn is_printable(character: char) -> bool {
    matches!(
        character,
        '\n' | ' '..='~' | '\u{a0}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}'
    )
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// The styles that can represent a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is about one style"
)]
pub(super) struct Analysis {
    pub(super) multiline: bool,
    pub(super) flow_plain_allowed: bool,
    pub(super) block_plain_allowed: bool,
    pub(super) single_quoted_allowed: bool,
    pub(super) block_allowed: bool,
}

/// Properties of a text.
#[derive(Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each property rules out other styles"
)]
struct Findings {
    block_indicators: bool,
    flow_indicators: bool,
    line_breaks: bool,
    special_characters: bool,
    edge_space: bool,
    edge_break: bool,
    trailing_space: bool,
    break_then_space: bool,
    space_then_break: bool,
    tabs: bool,
}

impl Analysis {
    pub(super) fn of(rules: Rules, text: &str) -> Self {
        if text.is_empty() {
            return Self {
                multiline: false,
                flow_plain_allowed: false,
                block_plain_allowed: true,
                single_quoted_allowed: true,
                block_allowed: false,
            };
        }
        let found = Findings::of(rules, text);
        let edges = found.edge_space || found.edge_break;
        let hidden = found.space_then_break || found.special_characters;
        let plain_allowed =
            !(edges || hidden || found.tabs || found.break_then_space || found.line_breaks);
        Self {
            multiline: found.line_breaks,
            flow_plain_allowed: plain_allowed && !found.flow_indicators,
            block_plain_allowed: plain_allowed && !found.block_indicators,
            single_quoted_allowed: !(hidden || found.tabs || found.break_then_space),
            block_allowed: !(hidden || found.trailing_space),
        }
    }
}

/// Reports whether a text is a name or a number. Such a text has no indicators.
fn is_word(text: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./".contains(byte);
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| is_inner(&byte))
}

impl Findings {
    fn of(rules: Rules, text: &str) -> Self {
        let mut found = Self::default();
        if is_word(text) {
            return found;
        }
        if text.starts_with("---") || text.starts_with("...") {
            found.block_indicators = true;
            found.flow_indicators = true;
        }
        let mut after_whitespace = true;
        let mut after_space = false;
        let mut after_break = false;
        let mut characters = text.chars().peekable();
        let mut first = true;
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let last = next.is_none();
            let before_whitespace = next.is_none_or(is_blank);
            found.indicator(character, first, after_whitespace, before_whitespace);
            if character == '\t' && rules != Rules::V2 {
                // Only version 3 allows tabs in a block scalar.
                found.tabs = true;
            } else if !is_printable(character) {
                found.special_characters = true;
            }
            if character == ' ' {
                found.edge_space |= first || last;
                found.trailing_space |= last;
                found.break_then_space |= after_break;
            } else if is_break(character) {
                found.line_breaks = true;
                found.edge_break |= first || last;
                found.space_then_break |= after_space;
            }
            after_space = character == ' ';
            after_break = is_break(character);
            after_whitespace = is_blank(character) || is_break(character);
            first = false;
        }
        found
    }

    /// Records a character that YAML reads as an indicator.
    fn indicator(
        &mut self,
        character: char,
        first: bool,
        after_whitespace: bool,
        before_whitespace: bool,
    ) {
        let (flow, block) = match character {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
            | '@' | '`'
                if first =>
            {
                (true, true)
            }
            '?' if first => (true, before_whitespace),
            '-' if first => (before_whitespace, before_whitespace),
            ',' | '?' | '[' | ']' | '{' | '}' => (true, false),
            ':' => (true, before_whitespace),
            '#' => (after_whitespace, after_whitespace),
            _ => (false, false),
        };
        self.flow_indicators |= flow;
        self.block_indicators |= block;
    }
}
