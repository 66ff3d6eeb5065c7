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

use crate::source::{self, CommentKind, Source};

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
    /// Only files of these names, and files whose head says that they are pure.
    Pure(&'static [&'static str]),
    /// Only this module of the directory, with its files.
    Module(&'static str),
    /// Only files of this name, but not of these kinds.
    Named {
        name: &'static str,
        except: &'static [&'static str],
    },
}

/// The end of the head of a file without effects.
const PURE: &str = "Pure.";

/// Modules of `api` that name kinds. `meta` and `event` do not.
const KIND_MODULES: &[&str] = &[
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

/// Words of effects: waits, clients, clocks and logs.
const EFFECTS: &[&str] = &[
    "async ",
    ".await",
    "kube::Api",
    "kube::Client",
    "sluice_client::Cluster",
    "sluice_release::ReleaseCluster",
    "session::Session",
    "Clock",
    "Instant",
    "tracing::",
];

/// Words of what a run holds besides data: permits, locks, open files, and clients of one
/// connection.
const HELD: &[&str] = &[
    "Permit",
    "Mutex",
    "sluice_apply::Applier",
    "sluice_oci::Deadline",
    "dyn Forge",
    "registry::Connection",
    "sluice_git::Store",
    "sluice_producer::Spool",
];

/// The kinds whose facts hold more than data. ARCHITECTURE.md lists them.
const HOLDERS: &[&str] = &[
    "artifact_generator",
    "git_repository",
    "helm_chart",
    "helm_repository",
    "image_repository",
    "image_update_automation",
    "kustomization",
    "oci_repository",
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
        directory: "crates",
        words: &["tokio::spawn("],
        reason: "use sluice_system::spawn, so that tests find long polls of the task",
        files: Files::Except(&["base/system/src/polls", "remotes/identity/src/fake"]),
    },
    Ban {
        directory: "crates/controllers",
        words: EFFECTS,
        reason: "specs, data and decisions are pure; a client or a clock belongs into observe or perform",
        files: Files::Pure(&["spec.rs", "model.rs", "plan.rs", "conclude.rs"]),
    },
    Ban {
        directory: "crates/controllers",
        words: &["subresource: Some("],
        reason: "only engine::report writes a status; use report::apply_status for a published object",
        files: Files::All,
    },
    Ban {
        directory: "crates/controllers",
        words: &["sluice_apply::Applier"],
        reason: "decisions are pure; an applier belongs into perform",
        files: Files::Pure(&["spec.rs", "plan.rs", "conclude.rs"]),
    },
    Ban {
        directory: "crates/controllers",
        words: HELD,
        reason: "facts are plain data; hold it beside them, as the session of a HelmRelease",
        files: Files::Named {
            name: "model.rs",
            except: HOLDERS,
        },
    },
    Ban {
        directory: "crates/controllers/helm/src/helm_release",
        words: &["&mut Facts", "Draft", "draft", "results::", "next::"],
        reason: "effects return reports; steps.rs adds them to the facts",
        files: Files::Module("perform"),
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
        if !source::is_test_file(relative) {
            let text = fs::read_to_string(&path)?;
            faults.extend(ban.faults(relative, &text));
        }
    }
    Ok(faults)
}

impl Ban {
    /// Returns the lines of a file that use a banned word.
    fn faults(&self, path: &Path, text: &str) -> Vec<String> {
        let directory = Path::new(self.directory);
        if !path.starts_with(directory) || !self.files.covers(directory, path, text) {
            return Vec::new();
        }
        let (shown, reason) = (path.display(), self.reason);
        let uses = self.words.iter().flat_map(|word| {
            let lines = lines_with(text, word).into_iter();
            lines.map(move |line| (line, word.trim()))
        });
        uses.map(|(line, word)| format!("{shown}:{line}: uses {word}; {reason}"))
            .collect()
    }
}

impl Files {
    fn covers(&self, directory: &Path, path: &Path, text: &str) -> bool {
        match self {
            Self::All => true,
            Self::Except(parts) => !parts.iter().any(|part| is_part(directory, part, path)),
            Self::Pure(names) => is_named(path, names) || says_pure(text),
            Self::Module(part) => is_part(directory, part, path),
            Self::Named { name, except } => {
                let kind = path.parent().and_then(Path::file_name);
                is_named(path, &[name]) && !except.iter().any(|other| kind == Some(other.as_ref()))
            }
        }
    }
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    path.file_name()
        .is_some_and(|found| names.iter().any(|name| found == *name))
}

/// Returns whether the head of a file says that it has no effects.
fn says_pure(text: &str) -> bool {
    let source = Source::read(text);
    let mut heads = source.comments.iter();
    let head = heads.find(|comment| comment.kind == CommentKind::Inner);
    head.is_some_and(|head| head.lines.iter().any(|line| line.ends_with(PURE)))
}

/// Returns whether a source belongs to a module of the directory: `part.rs`, or a file below
/// `part/`.
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
        let files = Files::Pure(&["plan.rs"]);
        let covers = |path: &str| files.covers(directory, &directory.join(path), "");
        assert!(covers("source/src/bucket/plan.rs"));
        assert!(!covers("source/src/bucket/perform.rs") && !covers("source/src/plan_text.rs"));
    }

    /// The banned words that a file of the tree would use.
    fn banned(path: &str, text: &str) -> usize {
        let faults = BANS
            .iter()
            .flat_map(|ban| ban.faults(Path::new(path), text));
        faults.count()
    }

    #[test]
    fn pure_file_may_not_log_or_hold_a_client() {
        let texts = [
            "fn a() { tracing::info!(\"a\"); }",
            "use sluice_client::{Cluster, Identity};",
            "use super::session::Session;",
            "use sluice_release::ReleaseCluster;",
            "use kube::Client;",
        ];
        let folder = "crates/controllers/helm/src/helm_release";
        for text in texts {
            for file in ["plan.rs", "conclude.rs", "model.rs"] {
                assert_eq!(banned(&format!("{folder}/{file}"), text), 1, "{text}");
            }
            let pure = format!("//! The next action. Pure.\n//!\n//! More.\n\n{text}");
            assert_eq!(banned(&format!("{folder}/next.rs"), &pure), 1, "{text}");
            assert_eq!(banned(&format!("{folder}/watches.rs"), text), 0, "{text}");
        }
        let identity = "use sluice_client::Identity;";
        assert_eq!(banned(&format!("{folder}/plan.rs"), identity), 0);
    }

    #[test]
    fn only_listed_kinds_hold_more_than_data() {
        for text in [
            "use sluice_dial::RemotePermit;",
            "use sluice_oci::{Deadline, Digest};",
            "struct Connection { forge: Box<dyn Forge> }",
        ] {
            let count =
                |kind: &str| banned(&format!("crates/controllers/a/src/{kind}/model.rs"), text);
            assert_eq!(count("bucket"), 1, "{text}");
            assert_eq!(count("oci_repository"), 0, "{text}");
        }
    }

    #[test]
    fn every_pure_part_of_helm_says_so() {
        let folder = crate::repository().join("crates/controllers/helm/src/helm_release");
        for name in ["draft.rs", "next.rs", "results.rs", "state.rs", "steps.rs"] {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            assert!(says_pure(&text), "{name}");
        }
    }

    #[test]
    fn effect_of_helm_may_not_change_the_status() {
        let folder = "crates/controllers/helm/src/helm_release";
        let text = "fn a(facts: &Facts) { facts.draft.summarize(); }";
        for (file, faults) in [("perform.rs", 1), ("perform/action.rs", 1), ("steps.rs", 0)] {
            assert_eq!(banned(&format!("{folder}/{file}"), text), faults, "{file}");
        }
    }

    #[test]
    fn every_ban_names_an_existing_directory() {
        for ban in BANS {
            let directory = crate::repository().join(ban.directory);
            assert!(directory.is_dir(), "{}", ban.directory);
        }
    }
}
