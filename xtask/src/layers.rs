//! `cargo xtask layers`: the order of the house, as ARCHITECTURE.md draws it.
//!
//! A crate depends on lower layers only, never on its own. Controllers are
//! strangers to each other by the same rule. Dev-dependencies are free, so that
//! tests may look upwards; testkit is one and nothing else.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, MetadataCommand};
use sluice_system::fs;

/// Fail if a crate depends on its own layer or a higher one
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// The crates of each layer, the lowest first. Names lack the prefix `sluice-`.
const LAYERS: &[&[&str]] = &[
    &["golang", "system"],
    &["yaml", "api", "auth"],
    &[
        "object",
        "client",
        "gotemplate",
        "artifact",
        "git",
        "oci",
        "bucket",
        "sops",
        "forge",
    ],
    &["apply", "kustomize", "runtime"],
    &["helm", "manifests", "trees", "devcluster"],
    &[
        "source-controller",
        "kustomize-controller",
        "helm-controller",
        "notification-controller",
        "image-reflector-controller",
        "image-automation-controller",
        "source-watcher-controller",
        "operator-controller",
    ],
    &["sluice"],
];

/// The highest layer that testkit may use.
const TESTKIT_REACH: usize = 4;

/// Words that the sources of a directory must not use.
struct Ban {
    directory: &'static str,
    word: &'static str,
    reason: &'static str,
    /// Where the word may be used all the same, from the directory.
    except: &'static [&'static str],
}

const BANS: &[Ban] = &[Ban {
    directory: "src/commands",
    word: "sluice_engine",
    reason: "commands are not controllers: what both need belongs in a lower crate",
    except: &["controller", "dev"],
}];

/// What the rules look at in a crate.
#[derive(Debug, Default)]
struct Member {
    name: String,
    /// The workspace crates that it depends on, other than for its tests.
    uses: Vec<String>,
}

pub(crate) fn run(_: &Arguments) -> Result<()> {
    let mut faults = check(&members()?);
    for ban in BANS {
        let directory = crate::repository().join(ban.directory);
        if fs::exists(&directory)? {
            for path in sources(&directory)? {
                if ban
                    .except
                    .iter()
                    .any(|part| is_part(&directory, part, &path))
                {
                    continue;
                }
                for line in lines_with(&fs::read_to_string(&path)?, ban.word) {
                    let path = path.strip_prefix(crate::repository()).unwrap_or(&path);
                    let place = format!("{}:{line}", path.display());
                    faults.push(format!("{place}: uses {}; {}", ban.word, ban.reason));
                }
            }
        }
    }
    if !faults.is_empty() {
        bail!("the layers do not hold:\n{}", faults.join("\n"));
    }
    Ok(())
}

/// Reads the crates of the workspace.
fn members() -> Result<Vec<Member>> {
    let metadata = MetadataCommand::new()
        .manifest_path(crate::repository().join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("read the workspace's metadata")?;
    let members = metadata.packages.into_iter().map(|package| Member {
        name: package.name.to_string(),
        uses: package
            .dependencies
            .into_iter()
            .filter(|dependency| dependency.path.is_some())
            .filter(|dependency| dependency.kind != DependencyKind::Development)
            .map(|dependency| dependency.name)
            .collect(),
    });
    Ok(members.collect())
}

/// Returns every dependency that breaks a rule, and every crate without a layer.
fn check(members: &[Member]) -> Vec<String> {
    let layers: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(layer, names)| names.iter().map(move |name| (*name, layer)))
        .collect();
    let layer_of = |name: &str| layers.get(short(name)).copied();
    let mut faults = Vec::new();
    for member in members {
        let own = match (short(&member.name), layer_of(&member.name)) {
            ("xtask", _) => continue,
            ("testkit", _) => TESTKIT_REACH + 1,
            (_, Some(layer)) => layer,
            (name, None) => {
                faults.push(format!(
                    "{name} has no layer: give it one in xtask/src/layers.rs"
                ));
                continue;
            }
        };
        for used in &member.uses {
            let name = short(&member.name);
            match (short(used), layer_of(used)) {
                ("testkit", _) => {
                    faults.push(format!(
                        "{name} uses testkit: it is for dev-dependencies only"
                    ));
                }
                ("xtask", _) => faults.push(format!("{name} uses xtask: nothing does")),
                (used, Some(layer)) if layer > own => {
                    faults.push(format!(
                        "{name} (layer {own}) uses {used} (layer {layer}), which is above it"
                    ));
                }
                (used, Some(layer)) if layer == own => {
                    faults.push(format!(
                        "{name} uses {used}, which is beside it in layer {layer}"
                    ));
                }
                _ => {}
            }
        }
    }
    faults
}

fn short(name: &str) -> &str {
    name.strip_prefix("sluice-").unwrap_or(name)
}

/// Returns the Rust sources below a directory.
fn sources(directory: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry.path;
        if entry.file_type.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Whether a source belongs to a module of the directory: `part.rs`, or a file below `part/`.
fn is_part(directory: &Path, part: &str, path: &Path) -> bool {
    path == directory.join(part).with_extension("rs") || path.starts_with(directory.join(part))
}

/// Returns the numbers of the lines that use a word outside of a comment.
fn lines_with(text: &str, word: &str) -> Vec<usize> {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    code.zip(1..)
        .filter(|(line, _)| line.contains(word))
        .map(|(_, number)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, uses: &[&str]) -> Member {
        Member {
            name: name.into(),
            uses: uses.iter().map(|name| (*name).into()).collect(),
        }
    }

    #[test]
    fn the_workspace_holds() {
        run(&Arguments {}).unwrap();
    }

    #[test]
    fn lower_layers_may_be_used() {
        let members = [
            member("sluice-golang", &[]),
            member("sluice-yaml", &["sluice-golang"]),
            member("sluice", &["sluice-yaml", "sluice-source-controller"]),
            member("sluice-testkit", &["sluice-devcluster"]),
            member("xtask", &["sluice", "sluice-testkit"]),
        ];
        assert_eq!(check(&members), Vec::<String>::new());
    }

    #[test]
    fn higher_layers_may_not_be_used() {
        let faults = check(&[member("sluice-yaml", &["sluice-object"])]);
        assert_eq!(
            faults,
            ["yaml (layer 1) uses object (layer 2), which is above it"]
        );
    }

    #[test]
    fn controllers_are_strangers_to_each_other() {
        let faults = check(&[member(
            "sluice-source-controller",
            &["sluice-kustomize-controller"],
        )]);
        assert_eq!(
            faults,
            ["source-controller uses kustomize-controller, which is beside it in layer 5"]
        );
    }

    #[test]
    fn testkit_stays_out_of_the_product_and_below_the_controllers() {
        let faults = check(&[
            member("sluice-engine", &["sluice-testkit"]),
            member("sluice-testkit", &["sluice-source-controller"]),
        ]);
        assert_eq!(
            faults,
            [
                "runtime uses testkit: it is for dev-dependencies only",
                "testkit uses source-controller, which is beside it in layer 5",
            ]
        );
    }

    #[test]
    fn a_crate_without_a_layer_is_a_fault() {
        let faults = check(&[member("sluice-common", &[])]);
        assert_eq!(
            faults,
            ["common has no layer: give it one in xtask/src/layers.rs"]
        );
    }

    #[test]
    fn an_exception_is_a_module_with_its_files_and_nothing_that_begins_like_it() {
        let directory = Path::new("src/commands");
        let part = |path: &str| is_part(directory, "dev", &directory.join(path));
        assert!(part("dev.rs") && part("dev/stage.rs"));
        assert!(!part("device.rs") && !part("get/dev.rs"));
    }

    #[test]
    fn a_banned_word_counts_outside_of_comments_only() {
        let text = "// not sluice_engine\nuse sluice_engine::Host;\nlet a = 1; // sluice_engine\n";
        assert_eq!(lines_with(text, "sluice_engine"), [2]);
    }
}
