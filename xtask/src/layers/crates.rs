//! The order of crates: floors by folder, and the neighbours that ARCHITECTURE.md lists.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, MetadataCommand};

/// The folders of crates, the lowest floor first. The root package stands above them.
const FLOORS: &[&str] = &[
    "crates/base",
    "crates/language",
    "crates/remotes",
    "crates/kubernetes",
    "crates/content",
    "crates/runtime",
    "crates/flux",
    "dev",
    CONTROLLERS,
];

/// Controllers never use each other.
const CONTROLLERS: &str = "crates/controllers";

/// A crate of the workspace.
#[derive(Debug, Default)]
pub(super) struct Member {
    /// The name without the prefix `sluice-`.
    pub(super) name: String,
    /// The folder, from the root of the repository.
    pub(super) folder: PathBuf,
    /// The workspace crates that it uses, except for tests.
    uses: BTreeSet<String>,
}

impl Member {
    /// Returns the folder as the table of ARCHITECTURE.md names it.
    fn row(&self) -> String {
        let folder = self.folder.strip_prefix("crates").unwrap_or(&self.folder);
        folder.display().to_string()
    }

    /// Returns the floor, or `None` for an unknown folder.
    fn floor(&self) -> Option<usize> {
        match self.folder.parent() {
            None => Some(FLOORS.len()),
            Some(parent) if parent == Path::new("") && self.folder == Path::new("") => {
                Some(FLOORS.len())
            }
            Some(parent) => FLOORS.iter().position(|floor| Path::new(floor) == parent),
        }
    }
}

/// Reads the crates of the workspace.
pub(super) fn members(root: &Path) -> Result<Vec<Member>> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("failed to read the metadata of the workspace")?;
    let members = metadata.packages.into_iter().map(|package| {
        let folder = package
            .manifest_path
            .parent()
            .map_or_else(PathBuf::new, |folder| {
                let folder = folder.as_std_path();
                folder.strip_prefix(root).unwrap_or(folder).to_owned()
            });
        Member {
            name: short(&package.name).to_owned(),
            folder,
            uses: package
                .dependencies
                .into_iter()
                .filter(|dependency| dependency.path.is_some())
                .filter(|dependency| dependency.kind != DependencyKind::Development)
                .map(|dependency| short(&dependency.name).to_owned())
                .collect(),
        }
    });
    Ok(members.collect())
}

/// Reads the table of ARCHITECTURE.md: the neighbours on its own floor that each crate may use, by
/// its folder.
pub(super) fn neighbours(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate | its one sentence | beside it |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let folder = cells.next()?;
        let beside = cells.next_back()?;
        let beside = beside
            .split(',')
            .map(str::trim)
            .filter(|name| !matches!(*name, "–" | ""))
            .map(str::to_owned);
        Some((folder.to_owned(), beside.collect()))
    })
    .collect()
}

/// Returns every dependency that breaks a rule, and every crate without a place.
pub(super) fn check(
    members: &[Member],
    neighbours: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<String> {
    let floors: BTreeMap<&str, Option<usize>> = members
        .iter()
        .map(|member| (member.name.as_str(), member.floor()))
        .collect();
    let mut faults = Vec::new();
    for member in members {
        let name = &member.name;
        if name == "xtask" {
            continue;
        }
        let Some(own) = member.floor() else {
            faults.push(format!(
                "{name} is in {}, which is not a floor",
                member.folder.display()
            ));
            continue;
        };
        let is_controller = FLOORS.get(own).is_some_and(|floor| *floor == CONTROLLERS);
        let mut beside = BTreeSet::new();
        for used in &member.uses {
            match (used.as_str(), floors.get(used.as_str()).copied().flatten()) {
                ("testkit", _) => {
                    faults.push(format!(
                        "{name} uses testkit, which is for dev-dependencies only"
                    ));
                }
                ("xtask", _) => faults.push(format!("{name} uses xtask, which nothing may use")),
                (_, Some(floor)) if floor > own => {
                    faults.push(format!("{name} uses {used}, which is on a higher floor"));
                }
                (_, Some(floor)) if floor == own && is_controller => {
                    faults.push(format!(
                        "{name} uses {used}: controllers do not use each other"
                    ));
                }
                (_, Some(floor)) if floor == own => {
                    beside.insert(used.clone());
                }
                (_, Some(floor)) if FLOORS[floor] == "dev" && own < FLOORS.len() => {
                    faults.push(format!("{name} uses {used}, which is for developers only"));
                }
                _ => {}
            }
        }
        if own == FLOORS.len() {
            continue;
        }
        match neighbours.get(&member.row()) {
            None => faults.push(format!("{name} has no row in the table of ARCHITECTURE.md")),
            Some(listed) if *listed != beside => faults.push(format!(
                "{name} uses {beside:?} of its own floor, but ARCHITECTURE.md lists {listed:?}"
            )),
            Some(_) => {}
        }
    }
    faults
}

fn short(name: &str) -> &str {
    name.strip_prefix("sluice-").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(folder: &str, uses: &[&str]) -> Member {
        let name = folder.rsplit('/').next().unwrap();
        let name = if folder.starts_with(CONTROLLERS) {
            format!("{name}-controller")
        } else {
            name.to_owned()
        };
        Member {
            name: if folder.is_empty() {
                "sluice".to_owned()
            } else {
                name
            },
            folder: folder.into(),
            uses: uses.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn faults(members: &[Member], table: &str) -> Vec<String> {
        let head = "| crate | its one sentence | beside it |\n|---|---|---|\n";
        check(members, &neighbours(&format!("{head}{table}")))
    }

    #[test]
    fn lower_floors_may_be_used() {
        let members = [
            member("crates/base/golang", &[]),
            member("crates/base/yaml", &["golang"]),
            member("", &["yaml", "devcluster"]),
            member("dev/devcluster", &["yaml"]),
            member("xtask", &["sluice", "testkit"]),
        ];
        let table =
            "| base/golang | x | – |\n| base/yaml | x | golang |\n| dev/devcluster | x | – |\n";
        assert_eq!(faults(&members, table), Vec::<String>::new());
    }

    #[test]
    fn higher_floor_is_refused() {
        let members = [
            member("crates/base/yaml", &["object"]),
            member("crates/kubernetes/object", &[]),
        ];
        assert_eq!(
            faults(
                &members,
                "| base/yaml | x | – |\n| kubernetes/object | x | – |\n"
            ),
            ["yaml uses object, which is on a higher floor"]
        );
    }

    #[test]
    fn neighbour_needs_a_row() {
        let members = [
            member("crates/base/yaml", &["golang"]),
            member("crates/base/golang", &[]),
        ];
        assert_eq!(
            faults(&members, "| base/yaml | x | – |\n"),
            [
                "yaml uses {\"golang\"} of its own floor, but ARCHITECTURE.md lists {}",
                "golang has no row in the table of ARCHITECTURE.md",
            ]
        );
    }

    #[test]
    fn controllers_do_not_use_each_other() {
        let members = [
            member("crates/controllers/source", &["kustomize-controller"]),
            member("crates/controllers/kustomize", &[]),
        ];
        let table = "| controllers/source | x | – |\n| controllers/kustomize | x | – |\n";
        assert_eq!(
            faults(&members, table),
            ["source-controller uses kustomize-controller: controllers do not use each other"]
        );
    }

    #[test]
    fn product_does_not_use_developer_crates() {
        let members = [
            member("crates/runtime/engine", &["testkit"]),
            member("crates/controllers/source", &["devcluster"]),
            member("dev/devcluster", &[]),
        ];
        let table = "| runtime/engine | x | – |\n| controllers/source | x | – |\n| dev/devcluster | x | – |\n";
        assert_eq!(
            faults(&members, table),
            [
                "engine uses testkit, which is for dev-dependencies only",
                "source-controller uses devcluster, which is for developers only",
            ]
        );
    }

    #[test]
    fn unknown_folder_is_refused() {
        assert_eq!(
            faults(&[member("crates/common", &[])], ""),
            ["common is in crates/common, which is not a floor"]
        );
    }
}
