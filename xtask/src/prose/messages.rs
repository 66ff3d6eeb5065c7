//! Rules for texts that a user sees: messages, hints and help.

use super::text;
use crate::source::{CommentKind, Literal, Source};

/// The most characters of a help text.
const MAX_HELP: usize = 70;

/// Code before a literal that makes it a message, a hint or the reason of an exception.
const MESSAGES: &[&str] = &[
    "hint(",
    "hint:",
    "Error::user(",
    "Error::cluster(",
    "Error::internal(",
    "#[error(",
    "while_doing(",
    ".context(",
    "bail!(",
    "anyhow!(",
    ",reason=",
];
/// Code before a literal that makes it a help text.
const HELP: &[&str] = &[
    ".help(", "(help=", ",help=", ".about(", "(about=", ",about=",
];
/// Calls that may stand between that code and the literal.
const WRAPPERS: &[&str] = &["format!(", "Some("];

/// The only reason of an exception for `unwrap_used` or `panic`. Only tests have such exceptions.
const PANIC_REASON: &str = "a test fails by panicking";

/// Derives of clap whose documentation comments become help texts.
const CLAP: &[&str] = &["Args", "Parser", "Subcommand", "ValueEnum"];

/// Returns the faults of messages, hints and help texts in literals.
pub(super) fn literals(literals: &[Literal]) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    for literal in literals {
        let mut before = literal.before.as_str();
        for wrapper in WRAPPERS {
            before = before.strip_suffix(wrapper).unwrap_or(before);
        }
        if is_panic_reason(before) && literal.text != PANIC_REASON {
            let fault = format!("say {PANIC_REASON:?} as the reason for panics");
            faults.push((literal.line, fault));
        }
        let precedes = |calls: &[&str]| calls.iter().any(|call| before.ends_with(call));
        let is_help = precedes(HELP);
        if !is_help && !precedes(MESSAGES) {
            continue;
        }
        let text = shown(&literal.text);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let found = text::paragraphs(literal.line, &lines).into_iter();
        faults.extend(found.map(|(_, fault)| (literal.line, fault)));
        let length = text.chars().count();
        if is_help && length > MAX_HELP {
            faults.push((literal.line, too_long(length)));
        }
    }
    faults
}

/// Returns the faults of documentation comments that clap shows as one-line help.
pub(super) fn help_texts(source: &Source) -> Vec<(usize, String)> {
    let clap_lines = clap_lines(source);
    let mut faults = Vec::new();
    for comment in &source.comments {
        let is_help = comment.kind == CommentKind::Outer
            && clap_lines.get(comment.line - 1) == Some(&true)
            && !is_flattened(source, comment.line + comment.lines.len());
        if !is_help {
            continue;
        }
        let lines = comment.lines.iter().map(|line| line.trim());
        let summary: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        let length = summary.join(" ").chars().count();
        if length > MAX_HELP {
            faults.push((comment.line, too_long(length)));
        }
    }
    faults
}

/// Returns whether the code before a literal is an exception for `unwrap_used` or `panic`.
fn is_panic_reason(before: &str) -> bool {
    before
        .rsplit_once("expect(")
        .filter(|_| before.ends_with(",reason="))
        .is_some_and(|(_, lints)| {
            let mut lints = lints.split(',');
            lints.any(|lint| matches!(lint, "clippy::unwrap_used" | "clippy::panic"))
        })
}

fn too_long(length: usize) -> String {
    format!("help text of {length} characters, at most {MAX_HELP}")
}

/// Marks the lines inside of the types that clap derives.
fn clap_lines(source: &Source) -> Vec<bool> {
    let mut marks = vec![false; source.code.len()];
    for (line, code) in source.code.iter().enumerate() {
        let Some(derives) = code.trim().strip_prefix("#[derive(") else {
            continue;
        };
        let is_clap = derives
            .split(|character: char| !character.is_alphanumeric())
            .any(|name| CLAP.contains(&name));
        if is_clap {
            let end = source.item_end(line);
            marks[line..=end].fill(true);
        }
    }
    marks
}

/// Returns whether the attributes from this line on have a group of flags or no help at all.
fn is_flattened(source: &Source, line: usize) -> bool {
    source.code[line - 1..]
        .iter()
        .map(|code| code.trim())
        .take_while(|code| code.is_empty() || code.starts_with("#["))
        .any(|code| code.contains("flatten") || code.contains("skip"))
}

/// Replaces escapes and arguments of a format string as a user would see them.
fn shown(literal: &str) -> String {
    let mut text = String::new();
    let mut characters = literal.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('\n') => while characters.next_if(|next| next.is_whitespace()).is_some() {},
                Some(escaped) => text.push(escaped),
                None => {}
            },
            '{' => {
                for skipped in characters.by_ref() {
                    if skipped == '}' {
                        break;
                    }
                }
                text.push('x');
            }
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(code: &str) -> Vec<String> {
        let source = Source::read(code);
        let mut faults = literals(&source.literals);
        faults.extend(help_texts(&source));
        faults.into_iter().map(|(_, fault)| fault).collect()
    }

    #[test]
    fn messages_are_found_through_wrappers() {
        let fault = "say \"not a\" instead of \"is no\"";
        for code in [
            "CommandError::user(\"'a' is no b\")",
            "Error::user(format!(\n    \"{a} is no \\\n     b\"\n))",
            "#[error(\"{0} is no b\")]",
            "Missing { hint: \"a is no b\" }",
            "#[expect(dead_code, reason = \"a is no b\")]",
        ] {
            assert_eq!(judge(code), [fault], "{code}");
        }
    }

    #[test]
    fn other_literals_are_not_judged() {
        assert_eq!(
            judge("println!(\"a is no b\"); f(\"c\");"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn exceptions_for_panics_have_one_reason() {
        let fault = "say \"a test fails by panicking\" as the reason for panics";
        for lints in [
            "clippy::panic",
            "clippy::unwrap_used,\n    clippy::disallowed_methods",
        ] {
            let code = format!("#![expect({lints}, reason = \"tests\")]");
            assert_eq!(judge(&code), [fault], "{code}");
            assert_eq!(judge(&code.replace("tests", PANIC_REASON)), [""; 0]);
        }
        let other = "#[expect(clippy::print_stderr, reason = \"tests\")]";
        assert_eq!(judge(other), [""; 0]);
    }

    #[test]
    fn length_counts_for_help_literals() {
        let code = format!("#[arg(help = \"{}\")]", "a".repeat(71));
        assert_eq!(judge(&code), ["help text of 71 characters, at most 70"]);
    }

    #[test]
    fn first_paragraph_of_a_comment_is_the_help() {
        let long = "a".repeat(71);
        let code = format!(
            "#[derive(Debug, clap::Args)]\nstruct A {{\n    /// short\n    ///\n    /// {long}\n    #[arg(long)]\n    a: bool,\n    /// {long}\n    #[command(flatten)]\n    b: B,\n}}\n/// {long}\nstruct C;\n"
        );
        assert_eq!(judge(&code), Vec::<String>::new());
    }
}
