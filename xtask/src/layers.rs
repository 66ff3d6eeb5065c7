//! `cargo xtask layers`: the order of crates and modules, as ARCHITECTURE.md draws it.
//!
//! The folder of a crate is its floor. A crate uses lower floors, and crates of its own floor only
//! as the table of ARCHITECTURE.md lists. Modules of a crate form no circles but the listed ones.

mod crates;
mod modules;

use std::path::Path;

use anyhow::{Result, bail};
use sluice_system::fs;

use crate::source::{self, Source};

/// Check the order of crates and modules
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the circles of modules that exist to the list of open ones
    #[arg(long)]
    write: bool,
}

/// The circles of modules that still exist. The list may shrink, never grow.
const OPEN_CIRCLES: &str = "xtask/circles.txt";

/// A word that the sources of a directory must not use.
struct Ban {
    directory: &'static str,
    word: &'static str,
    reason: &'static str,
    /// Modules of the directory that may use the word.
    except: &'static [&'static str],
}

const BANS: &[Ban] = &[
    Ban {
        directory: "src/commands",
        word: "sluice_engine",
        reason: "commands are not controllers; move what both need to a lower crate",
        except: &["controller", "dev"],
    },
    Ban {
        directory: "src/commands",
        word: "sluice_host",
        reason: "commands are not controllers; move what both need to a lower crate",
        except: &["controller", "dev"],
    },
];

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::repository();
    let members = crates::members(root)?;
    let table = fs::read_to_string(root.join("ARCHITECTURE.md"))?;
    let mut faults = crates::check(&members, &crates::neighbours(&table));
    for ban in BANS {
        faults.extend(violations(ban)?);
    }
    let mut circles = Vec::new();
    for member in &members {
        for circle in modules::circles(&root.join(&member.folder).join("src"))? {
            circles.push(format!("{}: {circle}", member.name));
        }
    }
    circles.sort();
    if arguments.write {
        fs::write(root.join(OPEN_CIRCLES), circles.join("\n") + "\n")?;
    }
    let open = fs::read_to_string(root.join(OPEN_CIRCLES))?;
    faults.extend(modules::compare(&circles, &open));
    if !faults.is_empty() {
        bail!("the layers do not hold:\n{}", faults.join("\n"));
    }
    println!(
        "{} crates in order, {} open circles of modules",
        members.len(),
        circles.len()
    );
    Ok(())
}

/// Returns the places where a banned word is used.
fn violations(ban: &Ban) -> Result<Vec<String>> {
    let directory = crate::repository().join(ban.directory);
    if !fs::exists(&directory)? {
        return Ok(Vec::new());
    }
    let mut faults = Vec::new();
    for path in source::files(&directory, &["rs"])? {
        if ban
            .except
            .iter()
            .any(|part| is_part(&directory, part, &path))
        {
            continue;
        }
        for line in lines_with(&fs::read_to_string(&path)?, ban.word) {
            let path = path.strip_prefix(crate::repository()).unwrap_or(&path);
            faults.push(format!(
                "{}:{line}: uses {}; {}",
                path.display(),
                ban.word,
                ban.reason
            ));
        }
    }
    Ok(faults)
}

/// Returns whether a source belongs to a module of the directory: `part.rs`, or a file below `part/`.
fn is_part(directory: &Path, part: &str, path: &Path) -> bool {
    path == directory.join(part).with_extension("rs") || path.starts_with(directory.join(part))
}

/// Returns the numbers of the lines whose code contains a word.
fn lines_with(text: &str, word: &str) -> Vec<usize> {
    let source = Source::read(text);
    (1..)
        .zip(&source.code)
        .filter(|(_, code)| code.contains(word))
        .map(|(number, _)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_holds() {
        run(&Arguments { write: false }).unwrap();
    }

    #[test]
    fn exception_covers_a_module_and_its_files() {
        let directory = Path::new("src/commands");
        let part = |path: &str| is_part(directory, "dev", &directory.join(path));
        assert!(part("dev.rs") && part("dev/stage.rs"));
        assert!(!part("device.rs") && !part("get/dev.rs"));
    }

    #[test]
    fn banned_word_in_a_comment_is_allowed() {
        let text = "// not sluice_engine\nuse sluice_engine::Host;\nlet a = 1; // sluice_engine\n";
        assert_eq!(lines_with(text, "sluice_engine"), [2]);
    }
}
