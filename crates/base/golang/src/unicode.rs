//! The Unicode classes of Go's `unicode` package, by general category.
//!
//! `char::is_alphabetic` and similar functions follow derived properties: they count letter-like
//! numbers and combining marks as letters. The tables of the `regex` crate have the categories.

use std::sync::LazyLock;

use regex::Regex;

static LETTER: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{L}$"));
static DIGIT: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{Nd}$"));
static PRINT: LazyLock<Regex> = LazyLock::new(|| class(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]$"));

static UPPER: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{Lu}$"));
static LOWER: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{Ll}$"));
static TITLE: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{Lt}$"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{N}$"));
static PUNCT: LazyLock<Regex> = LazyLock::new(|| class(r"^\p{P}$"));

fn class(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a valid constant")
}

fn matches(class: &Regex, character: char) -> bool {
    class.is_match(character.encode_utf8(&mut [0; 4]))
}

/// Reports whether a character is a letter (category L), as `unicode.IsLetter`.
pub fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphabetic()
    } else {
        matches(&LETTER, character)
    }
}

/// Reports whether a character is a decimal digit (category Nd), as `unicode.IsDigit`.
pub fn is_digit(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_digit()
    } else {
        matches(&DIGIT, character)
    }
}

/// Reports whether the character is a capital letter (category Lu), as `unicode.IsUpper`.
pub fn is_upper(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_uppercase()
    } else {
        matches(&UPPER, character)
    }
}

/// Reports whether the character is a small letter (category Ll), as `unicode.IsLower`.
pub fn is_lower(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_lowercase()
    } else {
        matches(&LOWER, character)
    }
}

/// Reports whether the character is a title-case letter (category Lt), as `unicode.IsTitle`.
pub fn is_title(character: char) -> bool {
    !character.is_ascii() && matches(&TITLE, character)
}

/// Reports whether the character is a number (category N), as `unicode.IsNumber`.
pub fn is_number(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_digit()
    } else {
        matches(&NUMBER, character)
    }
}

/// Reports whether the character is punctuation (category P), as `unicode.IsPunct`.
pub fn is_punct(character: char) -> bool {
    matches(&PUNCT, character)
}

/// Maps one character to one title-case character, as `unicode.ToTitle`.
pub fn to_title(character: char) -> char {
    match character {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        // The Georgian letters have capitals, but no title case.
        '\u{10d0}'..='\u{10fa}' | '\u{10fd}'..='\u{10ff}' => character,
        _ => to_upper(character),
    }
}

/// Returns the upper-case character, as `unicode.ToUpper`. Go uses the simple mapping where the
/// full one has several characters.
pub fn to_upper(character: char) -> char {
    let mut mapped = character.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(upper), None) => upper,
        _ => simple_upper(character),
    }
}

/// Returns the simple mapping of a character whose full mapping has several characters.
fn simple_upper(character: char) -> char {
    let offset = match u32::from(character) {
        0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7 => 8,
        0x1fb3 | 0x1fc3 | 0x1ff3 => 9,
        _ => 0,
    };
    char::from_u32(u32::from(character) + offset).unwrap_or(character)
}

/// Returns the lower-case character, as `unicode.ToLower`.
pub fn to_lower(character: char) -> char {
    let mut mapped = character.to_lowercase();
    // Only `İ` maps to several characters. Go uses the first one.
    mapped.next().unwrap_or(character)
}

/// Reports whether Go prints the character unescaped inside quotes: letters, marks, numbers,
/// punctuation, symbols and the ASCII space.
pub fn is_print(character: char) -> bool {
    if character.is_ascii() {
        (' '..='~').contains(&character)
    } else {
        matches(&PRINT, character)
    }
}

#[cfg(test)]
mod tests {
    use super::{is_digit, is_letter, is_print};

    #[test]
    fn letters_follow_category_not_alphabetic_property() {
        assert!(is_letter('a') && is_letter('é') && is_letter('ß') && is_letter('日'));
        // The Roman numeral one is alphabetic, but its category is a letter number.
        assert!(!is_letter('Ⅰ') && 'Ⅰ'.is_alphabetic());
        assert!(!is_letter('-') && !is_letter('5') && !is_letter('_'));
    }

    #[test]
    fn digits_include_every_script() {
        assert!(is_digit('7') && is_digit('٣') && is_digit('७'));
        assert!(!is_digit('²') && !is_digit('Ⅳ') && !is_digit('x'));
    }

    #[test]
    fn only_the_ascii_space_is_printable() {
        assert!(is_print(' ') && is_print('☺') && is_print('\u{301}'));
        for hidden in [
            '\u{a0}', '\u{2028}', '\u{200b}', '\u{feff}', '\n', '\u{7f}', '\u{e000}',
        ] {
            assert!(!is_print(hidden), "{hidden:?}");
        }
    }

    #[test]
    fn case_mapping_returns_one_character() {
        for (lower, upper) in [
            ('a', 'A'),
            ('ß', 'ß'),
            ('ᾳ', 'ᾼ'),
            ('ᾀ', 'ᾈ'),
            ('ŉ', 'ŉ'),
            ('ÿ', 'Ÿ'),
        ] {
            assert_eq!(super::to_upper(lower), upper, "{lower}");
        }
        for (upper, lower) in [('A', 'a'), ('İ', 'i'), ('Σ', 'σ'), ('1', '1')] {
            assert_eq!(super::to_lower(upper), lower, "{upper}");
        }
    }
}
