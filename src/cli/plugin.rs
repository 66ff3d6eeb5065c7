//! Runs command-line plugins, which must not shadow built-in commands.

use sluice_plugin::{Folder, Plugin};

use super::complete::{Candidate, Completion, Directive};
use super::is_builtin;

/// Returns the plugin directory, or `None` without a home directory.
pub(super) fn folder() -> Option<Folder> {
    Folder::of_process(is_builtin)
}

/// Asks a plugin for candidates.
pub(super) fn complete(folder: &Folder, plugin: &Plugin, words: &[String]) -> Completion {
    let printed = folder.complete(plugin, words);
    printed
        .and_then(|printed| answer(&printed))
        .unwrap_or(Completion {
            candidates: Vec::new(),
            directive: Directive::ERROR,
        })
}

/// Parses output in the protocol of completions.
fn answer(printed: &str) -> Option<Completion> {
    let printed = printed.trim_end_matches('\n');
    let (lines, last) = printed.rsplit_once('\n').unwrap_or(("", printed));
    if last.is_empty() {
        return None;
    }
    let directive = last.strip_prefix(':').and_then(|bits| bits.parse().ok());
    let candidates = lines.lines().filter(|line| !line.is_empty()).map(|line| {
        let (word, description) = line.split_once('\t').unwrap_or((line, ""));
        Candidate::new(word, description)
    });
    Some(Completion {
        candidates: candidates.collect(),
        directive: directive.map_or(Directive::DEFAULT, Directive),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugin_completions_are_in_cobra_format() {
        let candidate = |word: &str, description: &str| Candidate::new(word, description);
        let cases = [
            (
                "get\tGet it\nlist\n:4\n",
                vec![candidate("get", "Get it"), candidate("list", "")],
                4,
            ),
            (":0\n", vec![], 0),
            ("a\n\n:36\n", vec![candidate("a", "")], 36),
            ("a\nb\n", vec![candidate("a", "")], 0),
        ];
        for (printed, candidates, directive) in cases {
            let directive = Directive(directive);
            assert_eq!(
                answer(printed),
                Some(Completion {
                    candidates,
                    directive
                }),
                "{printed}"
            );
        }
        assert_eq!(answer("\n"), None);
    }
}
