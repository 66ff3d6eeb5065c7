//! The bill of materials of the binary: a CycloneDX document, written by `cargo cyclonedx`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use cargo_metadata::MetadataCommand;
use serde_json::{Value, json};

use crate::binary::{run_tool, sha256};

/// The target that we ship.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Name of the files that `cargo cyclonedx` writes beside each manifest of the workspace.
const FILE: &str = "sluice-release-bill";

/// The crates of the binary.
pub(crate) struct Bill {
    document: Value,
}

impl Bill {
    /// Lists the crates without a network.
    pub(crate) fn of(root: &Path, epoch: u64) -> anyhow::Result<Self> {
        let metadata = MetadataCommand::new().current_dir(root).no_deps().exec()?;
        let manifests = metadata
            .packages
            .iter()
            .map(|package| &package.manifest_path);
        let written: Vec<PathBuf> = manifests
            .map(|manifest| manifest.with_file_name(format!("{FILE}.json")).into())
            .collect();
        let listed = run_tool("cargo-cyclonedx", epoch, |command| {
            command
                .args(["cyclonedx", "--quiet", "--format", "json"])
                .args(["--spec-version", "1.5", "--no-build-deps"])
                .args(["--target", TARGET, "--override-filename", FILE])
                .env("CARGO_NET_OFFLINE", "true");
        })
        .and_then(|()| {
            let path = root.join(format!("{FILE}.json"));
            fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))
        });
        for path in written.iter().filter(|path| path.exists()) {
            fs::remove_file(path).with_context(|| format!("remove {}", path.display()))?;
        }
        // The document contains the path of the checkout in the identifiers of our crates.
        let text = listed?.replace(&format!("file://{}", root.display()), "file:///sluice");
        Ok(Self {
            document: serde_json::from_str(&text)?,
        })
    }

    /// Name and version of each crate, as `NAME-VERSION`.
    fn crates(&self) -> BTreeSet<String> {
        let components = self.document["components"].as_array();
        let name = |component: &Value| {
            let text = |key: &str| component[key].as_str().map(str::to_owned);
            Some(format!("{}-{}", text("name")?, text("version")?))
        };
        components.into_iter().flatten().filter_map(name).collect()
    }

    /// Fails if the binary names a crate that the bill does not list.
    pub(crate) fn covers(&self, binary: &[u8]) -> anyhow::Result<()> {
        let missing: Vec<String> = crates_in(binary)
            .difference(&self.crates())
            .cloned()
            .collect();
        ensure!(
            missing.is_empty(),
            "the binary names crates that the bill of materials lacks: {}",
            missing.join(", ")
        );
        Ok(())
    }

    /// Returns the document with the digest of the binary.
    pub(crate) fn document(&self, binary: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut document = self.document.clone();
        document["metadata"]["component"]["hashes"] =
            json!([{ "alg": "SHA-256", "content": sha256(binary) }]);
        let mut text = serde_json::to_vec_pretty(&document)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// Finds the crates, as `NAME-VERSION`, whose files a binary names.
///
/// The text of a panic contains a path like `/cargo/registry/src/INDEX/NAME-VERSION/src/lib.rs`.
fn crates_in(binary: &[u8]) -> BTreeSet<String> {
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
    use crate::release::tests::has_tool;

    #[test]
    fn bill_lists_shipped_crates_and_omits_test_crates() {
        if !has_tool("cargo-cyclonedx") {
            return;
        }
        let root = crate::repository();
        let bill = Bill::of(root, 1_700_000_000).unwrap();
        let text = String::from_utf8(bill.document(b"binary").unwrap()).unwrap();
        assert!(text.contains(&sha256(b"binary")));
        assert!(!text.contains(root.to_str().unwrap()));
        let crates = bill.crates();
        let lists = |name: &str| {
            let prefix = format!("{name}-");
            crates.iter().any(|found| {
                found
                    .strip_prefix(&prefix)
                    .is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
            })
        };
        for name in [
            "aws-lc-sys",
            "libgit2-sys",
            "tikv-jemalloc-sys",
            "kube-client",
            "sluice-golang",
        ] {
            assert!(lists(name), "{name}");
        }
        assert!(!lists("trycmd") && !lists("sluice-testkit"));
        let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
        for component in bill.document["components"].as_array().unwrap() {
            let text = |key: &str| component[key].as_str().unwrap();
            let (name, version) = (text("name"), text("version"));
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"");
            assert!(lock.contains(&entry), "{entry} in Cargo.lock");
        }
    }

    #[test]
    fn binary_with_unlisted_crate_is_rejected() {
        let bill = Bill {
            document: json!({ "components": [{ "name": "tokio", "version": "1.2.3" }] }),
        };
        let known = "\0/cargo/registry/src/index-1/tokio-1.2.3/src/lib.rs\0";
        bill.covers(known.as_bytes()).unwrap();
        let unlisted = format!("{known}/cargo/registry/src/index-1/left-pad-0.0.3/src/lib.rs\0");
        let error = bill.covers(unlisted.as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with("lacks: left-pad-0.0.3"), "{error}");
    }
}
