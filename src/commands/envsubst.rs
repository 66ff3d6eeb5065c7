//! Implements `envsubst`: substitutes environment variables in standard input.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use sluice_kustomize::substitute;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit};

/// Maximum line length. Lines are read whole, because an expression ends on its line.
const LONGEST_LINE: u64 = 64 << 20;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Fail on variables without value and default
    #[arg(long, switch = false)]
    strict: bool,
}

pub fn run(args: &Args, _: &Context) -> CommandResult {
    let environment = environment();
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        (&mut input)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            return Err(CommandError::user(format!(
                "a line is longer than {LONGEST_LINE} bytes"
            )));
        }
        let value = |name: &str| {
            let value = environment.get(name).map(String::as_str);
            // Without --strict, a missing variable is empty.
            if args.strict {
                value
            } else {
                value.or(Some(""))
            }
        };
        let mut budget = substitute::Budget::default();
        let expanded = substitute::expand(trimmed(&line), args.strict, value, &mut budget);
        let expanded = expanded.map_err(|error| {
            CommandError::user(error.to_string()).hint(format!("the error is in line {number}"))
        })?;
        output.write_all(&expanded)?;
        output.write_all(b"\n")?;
        if input.buffer().is_empty() {
            // Interactive input needs each result at once.
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(Exit::SUCCESS)
}

/// Removes the line end, `
/// ` or `\r
/// `, as Flux does.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn environment() -> HashMap<String, String> {
    let variables = std::env::vars_os();
    variables
        .map(|(name, value)| {
            (
                name.to_string_lossy().into_owned(),
                value.to_string_lossy().into_owned(),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::trimmed;

    #[test]
    fn line_is_read_without_its_end() {
        assert_eq!(trimmed(b"a\r\n"), b"a");
        assert_eq!(trimmed(b"a\r"), b"a");
        assert_eq!(trimmed(b"a\n"), b"a");
        assert_eq!(trimmed(b"a\n\n"), b"a\n");
    }
}
