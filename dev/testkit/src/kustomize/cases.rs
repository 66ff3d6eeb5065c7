//! Cases on disk: a tree, options and the answer of the reference.
//!
//! `<field>/<name>/files/` is the tree, `expected.yaml` or `expected.error` the answer of the
//! pinned binary, and `options.toml` the options:
//!
//! ```toml
//! path = "overlay"          # the folder to build; default: the tree itself
//! mode = "flux"             # --reorder none, --load-restrictor LoadRestrictionsNone
//! reorder = "legacy"        # none or legacy
//! load_restrictor = "none"  # root or none
//! managed_by = "true"       # --enable-managedby-label
//! error = "class"           # our words differ, the class of the fault does not
//! code = "IdConflict"       # the code that our error has
//! chain = "over base"       # the folders, from `files/`, that led to the fault
//! file = "base/a.yaml"      # the file that our error names, from `files/`
//! line = "3"                # and the line in it
//! pending = "why"           # missing in the engine; the case is listed, not judged
//! ```
//!
//! `expected.error` has the class on its first line, then the text. The path of the tree is written
//! as `{root}`, and an address in Go's memory as `0x…`.

use std::path::{Path, PathBuf};

use sluice_system::fs;

use super::{Flags, Kustomize, Outcome, class_of};

/// Options of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseOptions {
    /// The folder to build, from `files/`.
    pub path: String,
    /// The flags of the command.
    pub flags: Flags,
    /// Whether only the class of an error must agree, not its text.
    pub class_only: bool,
    /// The code that our error must have.
    pub code: Option<String>,
    /// The folders that our error must name, from the tree.
    pub chain: Option<Vec<String>>,
    /// The file that our error must name, from the tree.
    pub file: Option<String>,
    /// The line that our error must name.
    pub line: Option<usize>,
    /// The feature that the engine lacks.
    pub pending: Option<String>,
}

/// A case on disk.
#[derive(Debug, Clone)]
pub struct Case {
    directory: PathBuf,
    /// `<field>/<name>`
    pub name: String,
    /// Options of the build.
    pub options: CaseOptions,
}

impl Case {
    /// Returns the cases below a folder whose names contain the filter, sorted.
    ///
    /// # Panics
    ///
    /// If a case cannot be read.
    pub fn all(directory: &Path, filter: &str) -> Vec<Self> {
        let mut cases = Vec::new();
        for field in fs::read_dir(directory).unwrap() {
            if !field.file_type.is_dir() {
                continue;
            }
            for case in fs::read_dir(&field.path).unwrap() {
                let name = case.path.strip_prefix(directory).unwrap();
                let name = name.to_str().unwrap().to_owned();
                if case.file_type.is_dir() && name.contains(filter) {
                    let options = read_options(&case.path.join("options.toml"), &name);
                    cases.push(Self {
                        directory: fs::canonicalize(&case.path).unwrap(),
                        name,
                        options,
                    });
                }
            }
        }
        cases.sort_by(|left, right| left.name.cmp(&right.name));
        cases
    }

    /// Returns a path relative to the tree, whose root is `.`.
    ///
    /// # Panics
    ///
    /// If the path is not in the tree.
    pub fn relative(&self, path: &str) -> String {
        let path = Path::new(path).strip_prefix(self.files()).unwrap();
        match path.to_str().unwrap() {
            "" => ".".to_owned(),
            path => path.to_owned(),
        }
    }

    fn files(&self) -> PathBuf {
        self.directory.join("files")
    }

    /// The folder to build.
    pub fn root(&self) -> PathBuf {
        match self.options.path.as_str() {
            "" | "." => self.files(),
            path => self.files().join(path),
        }
    }

    /// Masks the parts of an outcome that depend on this machine and this run.
    pub fn portable(&self, outcome: Outcome) -> Outcome {
        let files = self.files();
        outcome.map_err(|error| {
            let error = error.trim_end().replace(files.to_str().unwrap(), "{root}");
            without_addresses(&error)
        })
    }

    /// Returns the stored answer of the reference.
    ///
    /// # Panics
    ///
    /// If the answer is missing. The refresh command stores one.
    pub fn expected(&self) -> Outcome {
        let read = |name| fs::read(self.directory.join(name));
        if let Ok(bytes) = read("expected.yaml") {
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        let stored = read("expected.error").unwrap_or_else(|_| {
            panic!(
                "{} has no expectation: cargo xtask conformance refresh {}",
                self.name, self.name
            )
        });
        let stored = String::from_utf8_lossy(&stored).into_owned();
        let (_, text) = stored.split_once('\n').expect("a class, then the text");
        Err(text.trim_end().to_owned())
    }

    /// Runs the reference and stores its answer. Returns whether it changed.
    ///
    /// # Panics
    ///
    /// If the answer cannot be stored.
    pub fn refresh(&self, kustomize: &Kustomize) -> bool {
        let (keep, drop, contents) = self.answer(kustomize);
        let stale = fs::exists(&drop).unwrap();
        if stale {
            fs::remove_file(drop).unwrap();
        }
        let changed = fs::read(&keep).ok().as_deref() != Some(contents.as_bytes());
        if changed {
            fs::write(keep, contents).unwrap();
        }
        changed || stale
    }

    /// Runs the reference, and returns whether the stored answer is its answer.
    pub fn is_current(&self, kustomize: &Kustomize) -> bool {
        let (keep, drop, contents) = self.answer(kustomize);
        let is_stored = fs::read(&keep).ok().as_deref() == Some(contents.as_bytes());
        is_stored && fs::exists(&drop).is_ok_and(|exists| !exists)
    }

    /// The file of the reference's answer, the file that must not exist, and the answer.
    fn answer(&self, kustomize: &Kustomize) -> (PathBuf, PathBuf, String) {
        let answer = self.portable(kustomize.build(&self.root(), self.options.flags));
        let (keep, drop, contents) = match answer {
            Ok(text) => ("expected.yaml", "expected.error", text),
            Err(error) => {
                let contents = format!("{}\n{error}\n", class_line(&error));
                ("expected.error", "expected.yaml", contents)
            }
        };
        let path = |name| self.directory.join(name);
        (path(keep), path(drop), contents)
    }
}

fn class_line(error: &str) -> String {
    let class = class_of(error);
    let line = class.lines().next().unwrap_or_default();
    line.split(':').next().unwrap_or_default().to_owned()
}

fn without_addresses(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find("0x") {
        let digits = rest[found + 2..]
            .find(|character: char| !character.is_ascii_hexdigit())
            .unwrap_or(rest.len() - found - 2);
        out.push_str(&rest[..found]);
        // Short numbers may be values of a manifest.
        out.push_str(if digits >= 8 {
            "0x…"
        } else {
            &rest[found..found + 2 + digits]
        });
        rest = &rest[found + 2 + digits..];
    }
    out.push_str(rest);
    out
}

fn read_options(path: &Path, name: &str) -> CaseOptions {
    let mut options = CaseOptions::default();
    let Ok(text) = fs::read_to_string(path) else {
        return options;
    };
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = line.split_once('=').map(|(key, value)| (key.trim(), value));
        let Some((key, Some(value))) = entry.map(|(key, value)| (key, quoted(value))) else {
            panic!("{name}/options.toml: {line:?} is not `key = \"value\"`");
        };
        match (key, value) {
            ("path", value) => value.clone_into(&mut options.path),
            ("mode", "flux") => options.flags = Flags::flux(),
            ("mode", "cli") => options.flags = Flags::default(),
            ("reorder", "none") => options.flags.reorder = Some("none"),
            ("reorder", "legacy") => options.flags.reorder = Some("legacy"),
            ("load_restrictor", value @ ("none" | "root")) => {
                options.flags.unrestricted = value == "none";
            }
            ("managed_by", value @ ("true" | "false")) => {
                options.flags.managed_by_label = value == "true";
            }
            ("error", value @ ("class" | "text")) => options.class_only = value == "class",
            ("code", value) => options.code = Some(value.to_owned()),
            ("chain", value) => {
                let folders = value.split_whitespace().map(str::to_owned);
                options.chain = Some(folders.collect());
            }
            ("file", value) => options.file = Some(value.to_owned()),
            ("line", value) => options.line = Some(value.parse().unwrap()),
            ("pending", value) => options.pending = Some(value.to_owned()),
            _ => panic!("{name}/options.toml: {line:?} means nothing"),
        }
    }
    options
}

/// Returns the text between the first pair of quotes.
fn quoted(value: &str) -> Option<&str> {
    let value = value.trim().strip_prefix('"')?;
    value.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::without_addresses;

    #[test]
    fn addresses_in_memory_are_left_out_and_numbers_are_not() {
        assert_eq!(
            without_addresses("generator &{0x26cb182c6750 <nil>}: 0x1f and 0x"),
            "generator &{0x… <nil>}: 0x1f and 0x"
        );
    }
}
