//! Rules for names of functions, types, files and tests.

use super::text::WORDS;

/// The most characters of a test's name.
const MAX_TEST_NAME: usize = 60;

/// Words that a name must not begin with.
const OPENINGS: &[&str] = &["what", "who", "whoever", "whom", "that"];

/// Names of types and files that say nothing about their content.
const EMPTY_NAMES: &[&str] = &[
    "common", "helper", "helpers", "manager", "managers", "misc", "util", "utils",
];

/// Participles without the usual ending, which are not names of types and traits.
const PARTICIPLES: &[&str] = &[
    "built", "done", "existing", "failing", "found", "given", "gone", "held", "kept", "known",
    "lent", "lost", "made", "missing", "read", "said", "seen", "sent", "shown", "taken", "told",
    "waiting", "wanted", "watching", "written",
];

/// Participles that are names of functions: `read` is a verb too.
const VERBS: &[&str] = &["read"];

/// Nouns of types that end like a participle. `Shared` is the usual name of the part of a handle
/// that its clones have in common.
const NOUNS: &[&str] = &["bed", "feed", "need", "seed", "shared", "speed", "testbed"];

/// Keywords that a declared name follows.
const DECLARATIONS: &[&str] = &[
    "fn", "struct", "enum", "trait", "type", "const", "static", "mod",
];

/// Returns the faults of declared names. `is_product` holds for the lines of the product.
pub(super) fn check(code: &[String], is_product: impl Fn(usize) -> bool) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut is_test = false;
    for (number, line) in (1..).zip(code) {
        let line = line.trim();
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        let Some((keyword, name)) = declared(line) else {
            continue;
        };
        if is_test && keyword == "fn" {
            let length = name.chars().count();
            if length > MAX_TEST_NAME {
                faults.push((
                    number,
                    format!("test name of {length} characters, at most {MAX_TEST_NAME}: {name}"),
                ));
            }
            is_test = false;
        }
        if matches!(keyword, "struct" | "enum" | "type" | "trait") && is_vague(name) {
            faults.push((number, format!("{keyword} {name} is not named by a noun")));
        }
        let is_participle = PARTICIPLES.contains(&name) && !VERBS.contains(&name);
        if keyword == "fn" && is_participle && is_product(number) {
            faults.push((number, format!("function {name} is named by a participle")));
        }
        if let Some(word) = banned(name) {
            faults.push((number, format!("name {name} uses {word:?}")));
        }
    }
    faults
}

fn declared(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    let keyword = words.find(|word| {
        DECLARATIONS.contains(word)
            || !(word.starts_with("pub") || matches!(*word, "async" | "unsafe" | "extern"))
    })?;
    if !DECLARATIONS.contains(&keyword) {
        return None;
    }
    let mut name = words.next()?;
    let mut keyword = keyword;
    if keyword == "const" && name == "fn" {
        (keyword, name) = (name, words.next()?);
    }
    let end = name
        .find(|character: char| !character.is_alphanumeric() && character != '_')
        .unwrap_or(name.len());
    (end > 0).then(|| (keyword, &name[..end]))
}

/// Returns the fault of the name of a file.
pub(super) fn check_file(stem: &str) -> Option<String> {
    EMPTY_NAMES
        .contains(&stem)
        .then(|| format!("file name {stem} says nothing about the content"))
}

/// Whether a type is named by a bare participle or by an empty word.
fn is_vague(name: &str) -> bool {
    let words = words(name);
    let [word] = words.as_slice() else {
        return false;
    };
    let word = word.as_str();
    let is_participle =
        PARTICIPLES.contains(&word) || (word.ends_with("ed") && !NOUNS.contains(&word));
    is_participle || EMPTY_NAMES.contains(&word)
}

fn banned(name: &str) -> Option<String> {
    let words = words(name);
    if words.len() > 1
        && words
            .first()
            .is_some_and(|first| OPENINGS.contains(&first.as_str()))
    {
        return words.first().cloned();
    }
    let negated = words
        .windows(2)
        .find(|pair| matches!(pair[0].as_str(), "is" | "are") && pair[1] == "no")
        .map(|pair| pair.join("_"));
    negated.or_else(|| {
        words
            .iter()
            .find(|word| WORDS.contains(&word.as_str()))
            .cloned()
    })
}

/// Splits a name in any case into lower-case words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        if character == '_' || (character.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = character.is_lowercase();
        if character != '_'
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(code: &str) -> Vec<String> {
        let lines: Vec<String> = code.lines().map(str::to_owned).collect();
        let faults = check(&lines, |_| true);
        faults.into_iter().map(|(_, fault)| fault).collect()
    }

    #[test]
    fn words_are_found_in_any_case() {
        assert_eq!(
            judge("pub(crate) struct ToldOnce;\nfn what_is_it() {}\nconst IS_NO_LIMIT: u8 = 1;"),
            [
                "name ToldOnce uses \"told\"",
                "name what_is_it uses \"what\"",
                "name IS_NO_LIMIT uses \"is_no\"",
            ]
        );
    }

    #[test]
    fn types_without_a_noun_are_reported() {
        let code = "pub(crate) struct Fetched;\nenum Found {\ntype Read<T> = T;\nstruct Common;\n\
                    trait Known {";
        assert_eq!(
            judge(code),
            [
                "struct Fetched is not named by a noun",
                "enum Found is not named by a noun",
                "type Read is not named by a noun",
                "struct Common is not named by a noun",
                "trait Known is not named by a noun",
            ]
        );
        let nouns = "struct FetchedKeys;\nstruct Shared;\ntrait Watchable {\nfn read() {}";
        assert_eq!(judge(nouns), Vec::<String>::new());
    }

    #[test]
    fn product_functions_are_not_participles() {
        let code = [
            "pub(crate) const fn shown() {}",
            "fn given() {}",
            "fn read() {}",
        ];
        let faults = check(&code.map(str::to_owned), |line| line == 1);
        let expected = "function shown is named by a participle".to_owned();
        assert_eq!(faults, [(1, expected)]);
    }

    #[test]
    fn file_with_an_empty_name_is_reported() {
        assert_eq!(
            check_file("utils").as_deref(),
            Some("file name utils says nothing about the content")
        );
        assert_eq!(check_file("alertmanager"), None);
    }

    #[test]
    fn only_test_names_have_a_maximum_length() {
        let name = "a".repeat(61);
        let code = format!("fn {name}() {{}}\n#[test]\nfn {name}() {{}}\n");
        assert_eq!(
            judge(&code),
            [format!("test name of 61 characters, at most 60: {name}")]
        );
    }

    #[test]
    fn plain_names_pass() {
        assert_eq!(
            judge("pub async fn whole() {}\nstruct Who;\nlet told = 1;"),
            Vec::<String>::new()
        );
    }
}
