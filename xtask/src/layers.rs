//! `cargo xtask layers`: the order of crates and modules, as ARCHITECTURE.md draws it.
//!
//! The folder of a crate is its floor. A crate uses lower floors, and crates of its own floor only
//! as the table of ARCHITECTURE.md lists. Modules of a crate form no circles but the listed ones.
//! [`BANS`] holds the rules that no dependency expresses.

mod crates;
mod imports;
mod modules;

use std::collections::BTreeSet;
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

/// Words that the product code of a directory must not use. Tests may.
struct Ban {
    directory: &'static str,
    words: &'static [&'static str],
    reason: &'static str,
    files: Files,
}

/// The files that a ban covers.
enum Files {
    All,
    /// All but these modules of the directory.
    Except(&'static [&'static str]),
    /// Only files of these names.
    Named(&'static [&'static str]),
}

/// Modules of `api` that name kinds. `meta` and `event` do not.
const KIND_MODULES: &[&str] = &[
    "sluice_api::gaps",
    "sluice_api::helm",
    "sluice_api::image",
    "sluice_api::kustomize",
    "sluice_api::notification",
    "sluice_api::source",
];

/// Crates that know Kubernetes.
const KUBERNETES: &[&str] = &[
    "k8s_openapi",
    "kube::",
    "sluice_api",
    "sluice_client",
    "sluice_object",
];

const BANS: &[Ban] = &[
    Ban {
        directory: "src/commands",
        words: &["sluice_engine", "sluice_host"],
        reason: "commands are not controllers; move what both need to a lower crate",
        files: Files::Except(&["controller", "dev"]),
    },
    Ban {
        directory: "crates/runtime",
        words: KIND_MODULES,
        reason: "the engine and its host name no kind; let the controller pass it in",
        files: Files::All,
    },
    Ban {
        directory: "crates/remotes",
        words: KUBERNETES,
        reason: "remotes never see Secrets; host::secrets hands them credentials",
        files: Files::All,
    },
    Ban {
        directory: "crates/language",
        words: KUBERNETES,
        reason: "languages know no Kubernetes; pass values in",
        files: Files::All,
    },
    Ban {
        directory: "crates/content/kustomize",
        words: &["k8s_openapi", "kube::", "sluice_client", "tokio"],
        reason: "the builder is a pure function over a file tree",
        files: Files::All,
    },
    Ban {
        directory: "crates/controllers",
        words: &[
            "async ",
            ".await",
            "kube::Api",
            "sluice_client::Cluster",
            "Clock",
            "Instant",
        ],
        reason: "specs, data and decisions are pure; a client or a clock belongs into observe or perform",
        files: Files::Named(&[
            "spec.rs",
            "model.rs",
            "plan.rs",
            "progress.rs",
            "conclude.rs",
        ]),
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
    let root = crate::repository();
    let directory = root.join(ban.directory);
    let mut faults = Vec::new();
    for path in source::files(&directory, &["rs"])? {
        let relative = path.strip_prefix(root).unwrap_or(&path);
        if source::is_test_file(relative) || !ban.files.covers(&directory, &path) {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        for word in ban.words {
            faults.extend(lines_with(&text, word).into_iter().map(|line| {
                let (path, reason) = (relative.display(), ban.reason);
                format!("{path}:{line}: uses {}; {reason}", word.trim())
            }));
        }
    }
    Ok(faults)
}

impl Files {
    fn covers(&self, directory: &Path, path: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Except(parts) => !parts.iter().any(|part| is_part(directory, part, path)),
            Self::Named(names) => path
                .file_name()
                .is_some_and(|found| names.iter().any(|name| found == *name)),
        }
    }
}

/// Returns whether a source belongs to a module of the directory: `part.rs`, or a file below `part/`.
fn is_part(directory: &Path, part: &str, path: &Path) -> bool {
    path == directory.join(part).with_extension("rs") || path.starts_with(directory.join(part))
}

/// Returns the numbers of the lines whose code contains a word, or that import a path with it.
/// Code of tests does not count.
fn lines_with(text: &str, word: &str) -> Vec<usize> {
    let source = Source::read(text);
    let is_test = source.test_lines();
    let written = (0..source.code.len()).filter(|line| source.code[*line].contains(word));
    let imported = imports::paths(&source.code)
        .into_iter()
        .filter(|(_, path)| path.contains(word))
        .map(|(line, _)| line);
    let lines: BTreeSet<usize> = written.chain(imported).collect();
    let product = lines.into_iter().filter(|line| !is_test[*line]);
    product.map(|line| line + 1).collect()
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

    #[test]
    fn banned_path_in_a_use_tree_is_found() {
        let text = "use sluice_api::{\n    meta,\n    source::{self, Bucket},\n};\n";
        assert_eq!(lines_with(text, "sluice_api::source"), [3]);
        assert_eq!(lines_with(text, "sluice_api::helm"), [0; 0]);
    }

    #[test]
    fn banned_word_in_a_test_module_is_allowed() {
        let text = "use kube::Api;\n#[cfg(test)]\nmod tests {\n    use kube::Client;\n}\n";
        assert_eq!(lines_with(text, "kube::"), [1]);
    }

    #[test]
    fn named_ban_covers_only_files_of_that_name() {
        let directory = Path::new("crates/controllers");
        let files = Files::Named(&["plan.rs"]);
        let covers = |path: &str| files.covers(directory, &directory.join(path));
        assert!(covers("source/src/bucket/plan.rs"));
        assert!(!covers("source/src/bucket/perform.rs") && !covers("source/src/plan_text.rs"));
    }

    #[test]
    fn every_ban_names_an_existing_directory() {
        for ban in BANS {
            let directory = crate::repository().join(ban.directory);
            assert!(directory.is_dir(), "{}", ban.directory);
        }
    }
}
