//! Command lines and their output, as the files `*.trycmd` hold them.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;
use sluice_system::fs;

/// A command line, and whether the reference prints and ends as written.
pub(super) struct Line {
    pub(super) file: String,
    pub(super) command: String,
    pub(super) is_same: bool,
}

/// A command of a file with its expected end.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    command: String,
    code: i32,
    output: String,
}

/// Runs the commands of a directory of cases with another program. Cases with wildcards are left
/// out.
pub(super) fn replay(program: &Path, cases: &Path) -> anyhow::Result<Vec<Line>> {
    let names = tempfile::tempdir()?;
    // The commands call the program by our name.
    std::os::unix::fs::symlink(program, names.path().join("sluice"))?;
    let path = format!("{}:/usr/bin:/bin", names.path().display());
    let mut lines = Vec::new();
    let mut files = fs::read_dir(cases)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    for file in files {
        if file
            .path
            .extension()
            .is_none_or(|ending| ending != "trycmd")
        {
            continue;
        }
        let work = tempfile::tempdir()?;
        let input = file.path.with_extension("in");
        if input.is_dir() {
            fs::copy_dir_all(&input, work.path())?;
        }
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        for block in blocks(&fs::read_to_string(&file.path)?) {
            if block.output.contains("[..]") || block.output.contains("\n...\n") {
                continue;
            }
            let ended = Command::new("sh")
                .args(["-c", &format!("{{ {}\n}} 2>&1", block.command)])
                .current_dir(work.path())
                .env("PATH", &path)
                .env("KUBECONFIG", "/nonexistent/kubeconfig")
                .env("HOME", "/nonexistent")
                .env("SSH_AUTH_SOCK", "")
                .env("NO_COLOR", "1")
                .stdin(Stdio::null())
                .output()
                .context("run sh")?;
            let output = String::from_utf8_lossy(&ended.stdout);
            lines.push(Line {
                file: name.clone().into_owned(),
                is_same: ended.status.code() == Some(block.code)
                    && output.trim_end() == block.output.trim_end(),
                command: block.command,
            });
        }
    }
    Ok(lines)
}

/// Parses a file. Our hints are left out.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_inside = !is_inside;
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            blocks.push(Block {
                command: command.to_owned(),
                code: 0,
                output: String::new(),
            });
        } else if let Some(block) = blocks.last_mut().filter(|_| is_inside) {
            let is_start = block.output.is_empty();
            if let Some(code) = line.strip_prefix("? ").filter(|_| is_start) {
                block.code = code.parse().unwrap_or(1);
            } else if let Some(more) = line.strip_prefix("> ").filter(|_| is_start) {
                block.command = format!("{}\n{more}", block.command);
            } else if !line.starts_with("  hint: ") {
                block.output += line;
                block.output.push('\n');
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_has_its_code_and_its_output_without_hints() {
        let text =
            "Words.\n\n```\n$ sluice a\n? 1\n✗ no\n  hint: yes\n\n$ sluice b\nfine\n```\nMore.\n";
        let block = |command: &str, code, output: &str| Block {
            command: command.to_owned(),
            code,
            output: output.to_owned(),
        };
        let expected = [
            block("sluice a", 1, "✗ no\n\n"),
            block("sluice b", 0, "fine\n"),
        ];
        assert_eq!(blocks(text), expected);
    }
}
