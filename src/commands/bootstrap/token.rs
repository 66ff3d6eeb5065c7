//! The token or password of the person who runs the command: a flag's, a variable's, or what is
//! typed or piped in. It is asked for only where it is needed.

use std::io::{BufRead as _, IsTerminal as _};

use sluice_auth::Sensitive;

use super::filled;
use crate::error::CommandError;

/// The secret of a flag, else of a variable of Flux's.
pub(super) fn given(flag: Option<&String>, variable: &str) -> Option<Sensitive<String>> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a second variable of a flag, or that of none, which Flux's users have set"
    )]
    let variable = std::env::var(variable).ok();
    let given = filled(flag).or_else(|| filled(variable.as_ref()));
    given.map(|given| given.trim_end_matches(['\r', '\n']).into())
}

/// Asks for a secret; without a terminal the first line of what is piped in is it.
pub(super) fn typed(question: &str) -> Result<Sensitive<String>, CommandError> {
    read(question).map_err(|reason| CommandError::user(format!("could not read token: {reason}")))
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
        read.map_err(|error| error.to_string())?;
        line
    };
    let secret: Sensitive<String> = text.trim_end_matches(['\r', '\n']).into();
    if secret.expose().is_empty() {
        return Err("token required".to_owned());
    }
    Ok(secret)
}
