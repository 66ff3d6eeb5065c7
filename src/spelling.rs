//! Finds the known word that a mistyped one resembles. Pure.

use crate::error::CommandError;

/// Characters of a word for each allowed edit. A word with more edits is another word.
const CHARACTERS_PER_EDIT: usize = 3;

/// Adds the most similar known word as a hint, or else the other hint.
pub(crate) fn suggest<'k>(
    error: CommandError,
    typed: &str,
    known: impl IntoIterator<Item = &'k str>,
    otherwise: &str,
) -> CommandError {
    match find_similar(typed, known) {
        Some(word) => error.hint(format!("did you mean {word}?")),
        None => error.hint(otherwise),
    }
}

/// Returns the known word with the fewest edits, the first of several.
pub(crate) fn find_similar<'k>(
    typed: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> Option<&'k str> {
    let letters_of = |word: &str| -> Vec<char> {
        let word = word.trim_start_matches('-').to_lowercase();
        word.chars().collect()
    };
    let typed = letters_of(typed);
    let limit = (typed.len() / CHARACTERS_PER_EDIT).max(1);
    // Any two letters are one edit away from many other words.
    let may_be =
        |letters: &[char]| typed.len() >= CHARACTERS_PER_EDIT || letters.iter().rev().eq(&typed);
    known
        .into_iter()
        .filter_map(|word| {
            let letters = letters_of(word);
            may_be(&letters).then(|| (count_edits(&typed, &letters), word))
        })
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// Counts the inserted, deleted, replaced and swapped characters between two words.
fn count_edits(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, compared) in other.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != compared);
            let mut edits = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *compared {
                edits = edits.min(before[column - 1] + 1);
            }
            current.push(edits);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_with_few_edits_is_similar() {
        let known = [
            "ks",
            "kustomization",
            "kustomizations",
            "helmrelease",
            "git",
        ];
        for (typed, expected) in [
            ("kustomizatons", Some("kustomizations")),
            ("Kustomizaton", Some("kustomization")),
            ("helmrelaese", Some("helmrelease")),
            ("gti", Some("git")),
            ("sk", Some("ks")),
            ("--kz", None),
            ("deployment", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(find_similar(typed, known), expected, "{typed}");
        }
    }
}
