//! Rules for sentences and tables.

/// The most words of a sentence.
const MAX_WORDS: usize = 20;
/// The most characters of a table cell.
const MAX_CELL: usize = 200;

/// Words that hide the subject of a sentence at its beginning.
const OPENINGS: &[&str] = &[
    "What", "Whatever", "Who", "Whoever", "Whom", "Whose", "That",
];
/// Words that plain English does without.
pub(super) const WORDS: &[&str] = &[
    "anybody", "nobody", "somebody", "tells", "told", "whoever", "whom",
];

/// Returns the faults of a Markdown document.
pub(super) fn document(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut faults = paragraphs(1, &lines);
    let mut is_code = false;
    for (number, line) in (1..).zip(&lines) {
        is_code ^= line.trim_start().starts_with("```");
        if is_code || !line.starts_with('|') {
            continue;
        }
        for cell in line.split('|') {
            let length = cell.trim().chars().count();
            if length > MAX_CELL {
                faults.push((
                    number,
                    format!("table cell of {length} characters, at most {MAX_CELL}"),
                ));
            }
            for sentence in sentences(&plain(cell)) {
                let found = sentence_faults(&sentence).into_iter();
                faults.extend(found.map(|fault| (number, fault)));
            }
        }
    }
    faults.sort();
    faults
}

/// Returns the faults of prose: paragraphs and list items, without code and tables.
pub(super) fn paragraphs(first: usize, lines: &[String]) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    let mut start = first;
    let mut paragraph = String::new();
    let mut is_code = false;
    let mut finish = |paragraph: &mut String, start: usize| {
        for sentence in sentences(&plain(paragraph)) {
            faults.extend(
                sentence_faults(&sentence)
                    .into_iter()
                    .map(|fault| (start, fault)),
            );
        }
        paragraph.clear();
    };
    for (number, line) in (first..).zip(lines) {
        let text = line.trim();
        let is_fence = text.starts_with("```");
        let is_item = ["- ", "* ", "| ", "#", "|", ">"]
            .iter()
            .any(|mark| text.starts_with(mark))
            || text
                .split_once(". ")
                .is_some_and(|(number, _)| number.parse::<u32>().is_ok());
        if text.is_empty() || is_fence || is_item || is_code {
            finish(&mut paragraph, start);
        }
        is_code ^= is_fence;
        let is_skipped = is_code
            || is_fence
            || text.starts_with('|')
            || text.starts_with('#')
            || text.starts_with("SAFETY:")
            || line.starts_with("     ");
        if is_skipped {
            continue;
        }
        if paragraph.is_empty() {
            start = number;
        }
        paragraph.push_str(text.trim_start_matches(['-', '*', '>', ' ']));
        paragraph.push(' ');
    }
    finish(&mut paragraph, start);
    faults
}

/// Replaces code, links and addresses by one word each.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        plain.push_str(if index % 2 == 0 { part } else { "code" });
    }
    let mut linked = String::new();
    let mut rest = plain.as_str();
    while let Some((before, after)) = rest.split_once("](") {
        linked.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    linked.push_str(rest);
    linked.replace(['[', ']', '(', ')', '*', '"', '“', '”'], " ")
}

fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    for word in text.split_whitespace() {
        if let Some(sentence) = sentences.last_mut() {
            sentence.push_str(word);
            sentence.push(' ');
        }
        let is_short_form = matches!(word, "e.g." | "i.e." | "etc." | "vs." | "cf.");
        if word.ends_with(['.', '!', '?', ':']) && !is_short_form {
            sentences.push(String::new());
        }
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

fn sentence_faults(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence
        .split_whitespace()
        .map(|word| word.trim_matches(|character: char| !character.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let mut faults = Vec::new();
    if let Some(first) = words.first()
        && OPENINGS.contains(first)
    {
        faults.push(format!("sentence begins with {first:?}"));
    }
    for pair in words.windows(2) {
        let verb = pair[0].to_lowercase();
        let is_negated = matches!(verb.as_str(), "is" | "are" | "was" | "were") && pair[1] == "no";
        if is_negated {
            faults.push(format!("say \"not a\" instead of \"{verb} no\""));
        }
    }
    for pair in sentence.split_whitespace().collect::<Vec<_>>().windows(2) {
        if pair[0].ends_with([',', ';']) && pair[1] == "what" {
            faults.push("name the thing instead of \"what\" after a comma".to_owned());
        }
    }
    for word in &words {
        if WORDS.contains(&word.to_lowercase().as_str()) {
            faults.push(format!("avoid {word:?}"));
        }
    }
    if words.len() > MAX_WORDS {
        faults.push(format!(
            "sentence of {} words, at most {MAX_WORDS}: {} …",
            words.len(),
            words[..6].join(" ")
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(text: &str) -> Vec<(usize, String)> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        paragraphs(1, &lines)
    }

    #[test]
    fn openings_are_found_within_a_paragraph() {
        assert_eq!(
            judge("The cache is warm. What it\nholds is old."),
            [(1, "sentence begins with \"What\"".to_owned())]
        );
    }

    #[test]
    fn riddles_within_a_sentence_are_found() {
        assert_eq!(
            judge("Returns the cause; what follows tells it."),
            [
                (
                    1,
                    "name the thing instead of \"what\" after a comma".to_owned()
                ),
                (1, "avoid \"tells\"".to_owned()),
            ]
        );
        assert_eq!(judge("Records what Helm prints."), []);
    }

    #[test]
    fn code_is_one_word_and_not_judged() {
        assert_eq!(judge("Prints `there is no x`.\n```\nnobody\n```"), []);
    }

    #[test]
    fn long_sentence_is_found() {
        let text = "word ".repeat(21);
        assert_eq!(
            judge(&text),
            [(
                1,
                "sentence of 21 words, at most 20: word word word word word word …".to_owned()
            )]
        );
    }

    #[test]
    fn list_items_are_sentences_of_their_own() {
        let item = format!("- {}", "word ".repeat(20));
        assert_eq!(judge(&format!("{item}\n{item}")), []);
    }

    #[test]
    fn wide_cell_is_found() {
        let text = format!("| a | {} |\n", "x".repeat(201));
        assert_eq!(
            document(&text),
            [(1, "table cell of 201 characters, at most 200".to_owned())]
        );
    }
}
