//! What the binary consists of, as an SPDX 2.3 document.
//!
//! Which crates are in it is cargo's own answer for the target that is shipped; their checksums are
//! those of `Cargo.lock`, their licences what their manifests say. A crate `…-sys` stands for the C
//! library whose source it holds. The binary is asked, too: a crate that it names and the list
//! lacks is a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, ensure};
use cargo_metadata::{Metadata, MetadataCommand, PackageId};
use serde_json::{Value, json};

use crate::binary::{output, sha256};

/// What is shipped.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A crate, as `Cargo.lock` tells crates apart.
type Name = (String, String);

/// The crates of the binary.
pub(crate) struct Bill {
    metadata: Metadata,
    crates: BTreeMap<Name, PackageId>,
    checksums: BTreeMap<Name, String>,
    compiler: String,
}

impl Bill {
    /// Asks cargo, without a network.
    pub(crate) fn of(root: &Path) -> anyhow::Result<Self> {
        let listed = output(
            "cargo",
            &[
                "tree",
                "--locked",
                "--offline",
                "--package",
                "sluice",
                "--edges",
                "normal",
                "--target",
                TARGET,
                "--prefix",
                "none",
                "--format",
                "{p}",
            ],
            root,
        )?;
        let names = names(&listed);
        let metadata = MetadataCommand::new()
            .current_dir(root)
            .other_options(
                ["--locked", "--offline", "--filter-platform", TARGET].map(str::to_owned),
            )
            .exec()?;
        let crates: BTreeMap<Name, PackageId> = metadata
            .packages
            .iter()
            .map(|package| {
                let name = (package.name.to_string(), package.version.to_string());
                (name, package.id.clone())
            })
            .filter(|(name, _)| names.contains(name))
            .collect();
        for (name, version) in &names {
            ensure!(
                crates.contains_key(&(name.clone(), version.clone())),
                "cargo tree names {name} {version}, and cargo metadata does not"
            );
        }
        let lock = root.join("Cargo.lock");
        let lock =
            std::fs::read_to_string(&lock).with_context(|| format!("read {}", lock.display()))?;
        Ok(Self {
            metadata,
            crates,
            checksums: checksums(&lock),
            compiler: output("rustc", &["--version"], root)?,
        })
    }

    /// Fails if the binary names a crate that is not listed.
    pub(crate) fn covers(&self, binary: &[u8]) -> anyhow::Result<()> {
        let missing: Vec<String> = named_in(binary)
            .into_iter()
            .filter(|directory| {
                !self
                    .crates
                    .keys()
                    .any(|(name, version)| *directory == format!("{name}-{version}"))
            })
            .collect();
        ensure!(
            missing.is_empty(),
            "the binary names crates that the bill of materials lacks: {}",
            missing.join(", ")
        );
        Ok(())
    }

    /// The document about one binary.
    pub(crate) fn document(
        &self,
        binary: &[u8],
        version: &str,
        created: &str,
    ) -> anyhow::Result<Vec<u8>> {
        let digest = sha256(binary);
        let own = self
            .crates
            .keys()
            .find_map(|(name, version)| (name == "sluice").then(|| version.clone()))
            .context("the bill does not list sluice itself")?;
        let mut packages = vec![json!({
            "SPDXID": "SPDXRef-Compiler",
            "name": "rust-std",
            "versionInfo": self.compiler,
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": false,
            "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "MIT OR Apache-2.0",
            "copyrightText": "NOASSERTION",
        })];
        let mut relationships = vec![
            json!({
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": identifier("sluice", &own),
            }),
            json!({
                "spdxElementId": identifier("sluice", &own),
                "relationshipType": "STATIC_LINK",
                "relatedSpdxElement": "SPDXRef-Compiler",
            }),
        ];
        for (key @ (name, number), id) in &self.crates {
            packages.push(self.package(key, id, (name == "sluice").then_some(digest.as_str())));
            let node = self
                .metadata
                .resolve
                .as_ref()
                .and_then(|resolve| resolve.nodes.iter().find(|node| node.id == *id))
                .with_context(|| format!("cargo metadata does not resolve {name} {number}"))?;
            let needed: BTreeSet<&Name> = node
                .deps
                .iter()
                .filter(|dependency| {
                    dependency
                        .dep_kinds
                        .iter()
                        .any(|kind| kind.kind == cargo_metadata::DependencyKind::Normal)
                })
                .filter_map(|dependency| {
                    self.crates
                        .iter()
                        .find_map(|(name, id)| (*id == dependency.pkg).then_some(name))
                })
                .collect();
            for (other, other_version) in needed {
                relationships.push(json!({
                    "spdxElementId": identifier(name, number),
                    "relationshipType": "DEPENDS_ON",
                    "relatedSpdxElement": identifier(other, other_version),
                }));
            }
        }
        let mut text = serde_json::to_vec_pretty(&json!({
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": format!("sluice-{version}"),
            // Equal binaries have equal names, and no others.
            "documentNamespace": format!("https://sluice.dev/spdx/sluice-{version}-{digest}"),
            "creationInfo": { "created": created, "creators": ["Tool: cargo-xtask-release"] },
            "packages": packages,
            "relationships": relationships,
        }))?;
        text.push(b'\n');
        Ok(text)
    }

    fn package(&self, key: &Name, id: &PackageId, digest: Option<&str>) -> Value {
        let (name, version) = key;
        let described = self
            .metadata
            .packages
            .iter()
            .find(|package| package.id == *id);
        let licence = described
            .and_then(|package| package.license.clone())
            .map_or_else(
                || "NOASSERTION".to_owned(),
                |text| text.replace('/', " OR "),
            );
        let mut package = json!({
            "SPDXID": identifier(name, version),
            "name": name,
            "versionInfo": version,
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": false,
            "licenseConcluded": "NOASSERTION",
            "licenseDeclared": licence,
            "copyrightText": "NOASSERTION",
        });
        let checksum = digest.or_else(|| self.checksums.get(key).map(String::as_str));
        if let Some(checksum) = checksum {
            package["checksums"] = json!([{ "algorithm": "SHA256", "checksumValue": checksum }]);
        }
        // What has no source is ours.
        if described.is_some_and(|package| package.source.is_some()) {
            package["externalRefs"] = json!([{
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": format!("pkg:cargo/{name}@{}", version.replace('+', "%2B")),
            }]);
        }
        package
    }
}

/// The crates that `cargo tree` prints, one a line: `name vVERSION (…)`.
fn names(listed: &str) -> BTreeSet<Name> {
    listed
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next()?;
            let version = words.next()?.strip_prefix('v')?;
            Some((name.to_owned(), version.to_owned()))
        })
        .collect()
}

/// The checksums of a lock file.
fn checksums(lock: &str) -> BTreeMap<Name, String> {
    lock.split("[[package]]")
        .filter_map(|block| {
            let value = |key: &str| {
                block.lines().find_map(|line| {
                    let (found, value) = line.split_once(" = ")?;
                    (found == key).then(|| value.trim_matches('"').to_owned())
                })
            };
            Some(((value("name")?, value("version")?), value("checksum")?))
        })
        .collect()
}

/// The identifier of a crate: letters, digits, dots and dashes only.
fn identifier(name: &str, version: &str) -> String {
    let text: String = format!("{name}-{version}")
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' => character,
            _ => '-',
        })
        .collect();
    format!("SPDXRef-Package-{text}")
}

/// The crates of which a binary names a file, as `name-version`: panics say where they happened, in
/// paths like `/cargo/registry/src/INDEX/NAME-VERSION/src/lib.rs`.
fn named_in(binary: &[u8]) -> BTreeSet<String> {
    const MARK: &[u8] = b"/registry/src/";
    let mut found = BTreeSet::new();
    let mut rest = binary;
    while let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) {
        rest = &rest[at + MARK.len()..];
        let mut parts = rest.splitn(3, |byte| *byte == b'/');
        let (Some(_index), Some(name)) = (parts.next(), parts.next()) else {
            break;
        };
        if let Ok(name) = std::str::from_utf8(&name[..name.len().min(100)])
            && name.chars().all(|character| character.is_ascii_graphic())
        {
            found.insert(name.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bill() -> Bill {
        Bill::of(crate::repository()).unwrap()
    }

    fn listed(document: &[u8]) -> BTreeSet<Name> {
        let document: Value = serde_json::from_slice(document).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        document["packages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|package| (text(&package["name"]), text(&package["versionInfo"])))
            .collect()
    }

    /// Walked from the resolved graph, which is another way than the list's.
    #[test]
    fn every_crate_of_the_lock_that_is_in_the_binary_is_listed_and_no_tool_of_the_tests() {
        let bill = bill();
        let listed = listed(
            &bill
                .document(b"binary", "1.2.3", "1970-01-01T00:00:00Z")
                .unwrap(),
        );
        let locked = std::fs::read_to_string(crate::repository().join("Cargo.lock")).unwrap();
        let root = bill
            .metadata
            .packages
            .iter()
            .find(|package| package.name == "sluice")
            .unwrap();
        for dependency in &root.dependencies {
            let is_listed = listed.iter().any(|(name, _)| *name == dependency.name);
            match dependency.kind {
                cargo_metadata::DependencyKind::Normal if dependency.target.is_none() => {
                    assert!(is_listed, "{} is missing", dependency.name);
                }
                cargo_metadata::DependencyKind::Development if dependency.name == "trycmd" => {
                    assert!(!is_listed, "trycmd is in no binary");
                }
                _ => {}
            }
        }
        for (name, version) in &listed {
            if name != "rust-std" {
                let locked =
                    locked.contains(&format!("name = \"{name}\"\nversion = \"{version}\""));
                assert!(locked, "{name} {version} is not in the lock");
            }
        }
        // What C code is in it, and one crate of each layer.
        for name in [
            "aws-lc-sys",
            "libgit2-sys",
            "tikv-jemalloc-sys",
            "kube-client",
            "sluice-golang",
        ] {
            assert!(listed.iter().any(|(found, _)| found == name), "{name}");
        }
        assert!(listed.len() > 300, "{}", listed.len());
    }

    #[test]
    fn the_document_is_what_spdx_asks_for() {
        let bill = bill();
        let text = bill
            .document(b"binary", "1.2.3", "1970-01-01T00:00:00Z")
            .unwrap();
        assert_eq!(
            text,
            bill.document(b"binary", "1.2.3", "1970-01-01T00:00:00Z")
                .unwrap()
        );
        let document: Value = serde_json::from_slice(&text).unwrap();
        let packages = document["packages"].as_array().unwrap();
        let mut identifiers = BTreeSet::from(["SPDXRef-DOCUMENT"]);
        for package in packages {
            for field in [
                "name",
                "SPDXID",
                "downloadLocation",
                "licenseDeclared",
                "copyrightText",
            ] {
                assert!(package[field].is_string(), "{field} of {package}");
            }
            assert!(
                identifiers.insert(package["SPDXID"].as_str().unwrap()),
                "{package}"
            );
            let from_registry = package.get("externalRefs").is_some();
            if from_registry {
                let checksum = package["checksums"][0]["checksumValue"].as_str().unwrap();
                assert_eq!(checksum.len(), 64, "{package}");
                assert_ne!(package["licenseDeclared"], "NOASSERTION", "{package}");
            }
        }
        let ours = packages
            .iter()
            .find(|package| package["name"] == "sluice")
            .unwrap();
        assert_eq!(ours["checksums"][0]["checksumValue"], sha256(b"binary"));
        let relationships = document["relationships"].as_array().unwrap();
        assert!(relationships.len() > packages.len());
        for relationship in relationships {
            for end in ["spdxElementId", "relatedSpdxElement"] {
                let named = relationship[end].as_str().unwrap();
                assert!(identifiers.contains(named), "{named}");
            }
        }
    }

    #[test]
    fn a_binary_that_names_a_crate_which_is_not_listed_is_refused() {
        let bill = bill();
        let (name, version) = bill
            .crates
            .keys()
            .find(|(name, _)| name == "tokio")
            .unwrap();
        let known = format!("\0/cargo/registry/src/index-1/{name}-{version}/src/lib.rs\0");
        bill.covers(known.as_bytes()).unwrap();
        let strange = format!("{known}/cargo/registry/src/index-1/left-pad-0.0.3/src/lib.rs\0");
        let error = bill.covers(strange.as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with("lacks: left-pad-0.0.3"), "{error}");
    }
}
