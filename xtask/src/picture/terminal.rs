//! Draws the output of a command as a terminal.

use std::{fmt::Write as _, process::Command};

use anyhow::{Context, Result, bail};

use super::escape;

const LINE_HEIGHT: usize = 20;
const CHARACTER_WIDTH: usize = 9;
const MARGIN: usize = 16;

/// Runs a command and draws the prompt and the lines that it prints.
pub(super) fn draw(prompt: Option<&str>, command: &[String]) -> Result<String> {
    let (program, arguments) = command.split_first().context("no command")?;
    let output = Command::new(program)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .with_context(|| format!("failed to run {program}"))?;
    if !output.status.success() {
        bail!(
            "{program} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let printed = String::from_utf8(output.stdout).context("the output is not UTF-8")?;
    // Progress goes to stderr, results to stdout; a terminal shows both.
    let progress = String::from_utf8_lossy(&output.stderr);
    let prompt = prompt.map_or_else(|| command.join(" "), str::to_owned);
    let lines = std::iter::once(format!("$ {prompt}"))
        .chain(progress.lines().map(str::to_owned))
        .chain(printed.lines().map(str::to_owned));
    Ok(svg(&lines.collect::<Vec<_>>()))
}

fn svg(lines: &[String]) -> String {
    let columns = lines.iter().map(|line| line.chars().count()).max();
    let width = columns.unwrap_or(0) * CHARACTER_WIDTH + 2 * MARGIN;
    let height = lines.len() * LINE_HEIGHT + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n"
    );
    for (index, line) in lines.iter().enumerate() {
        let y = MARGIN + (index + 1) * LINE_HEIGHT - 5;
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{}\" xml:space=\"preserve\">{}</text>",
            colour(line),
            escape(line)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Returns the colour of a line by the mark that it begins with.
fn colour(line: &str) -> &'static str {
    match line.chars().next() {
        Some('✔') => "#3fb950",
        Some('✗') => "#f85149",
        Some('►') => "#8b949e",
        Some('$') => "#58a6ff",
        _ => "#e6edf3",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_escaped_and_coloured() {
        let svg = svg(&["✔ a < b & c".to_owned()]);
        assert!(svg.contains("fill=\"#3fb950\" xml:space=\"preserve\">✔ a &lt; b &amp; c</text>"));
    }

    #[test]
    fn failed_command_is_an_error() {
        assert!(draw(None, &["false".to_owned()]).is_err());
    }
}
