//! Reads a token or password from a flag, a variable, a prompt or standard input. The prompt
//! appears only if the secret is needed.

use std::io::{BufRead as _, IsTerminal as _};

use sluice_dial::Sensitive;
use sluice_golang::non_empty;

use crate::error::CommandError;

/// Returns the secret of a flag, else of Flux's variable.
pub(super) fn read_secret(flag: Option<&String>, variable: &str) -> Option<Sensitive<String>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the variable is Flux's, and either a second one of its flag or without a flag"
    )]
    let variable = std::env::var(variable).ok();
    let given = non_empty(flag).or_else(|| non_empty(variable.as_ref()));
    let given = given.map(without_end);
    given.filter(|secret| !secret.expose().is_empty())
}

/// Removes the line end of a secret from a file or a pipe.
fn without_end(text: &str) -> Sensitive<String> {
    text.trim_end_matches(['\r', '\n']).into()
}

/// Prompts for a secret. Without a terminal, reads the first line of standard input.
pub(super) fn typed(question: &str, variable: &str) -> Result<Sensitive<String>, CommandError> {
    read(question).map_err(|reason| {
        CommandError::user(format!("could not read token: {reason}"))
            .hint(format!("set {variable}, or type the token"))
    })
}

fn read(question: &str) -> Result<Sensitive<String>, String> {
    let stdin = std::io::stdin();
    let text = if stdin.is_terminal() {
        dialoguer::Password::new()
            .with_prompt(question.trim_end_matches([':', ' ']))
            .allow_empty_password(true)
            .interact()
            .map_err(|error| error.to_string())?
    } else {
        crate::output::stderr(question);
        let mut line = String::new();
        let read = stdin.lock().read_line(&mut line);
        crate::output::stderr("\n");
        read.map_err(|error| error.to_string())?;
        line
    };
    let secret = without_end(&text);
    if secret.expose().is_empty() {
        return Err("token required".to_owned());
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_end_is_removed_from_token() {
        for text in ["canary", "canary\n", "canary\r\n"] {
            assert_eq!(without_end(text).expose(), "canary");
            assert_eq!(
                read_secret(Some(&text.to_owned()), "NOBODY_SETS_THIS")
                    .unwrap()
                    .expose(),
                "canary"
            );
        }
        for empty in ["", "\n"] {
            assert!(read_secret(Some(&empty.to_owned()), "NOBODY_SETS_THIS").is_none());
        }
    }
}
