//! `cargo xtask generate`: files that are derived from code.
//!
//! [`GENERATORS`] lists them. A generator owns every file of its directory with one of its
//! extensions, and stale files are removed. It returns texts only; this module writes and compares
//! them. Pages with derived [`sections`] stay written by hand around these.

mod fields;
mod lockdown;
mod performance;
mod records;
mod sections;
mod weight;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use sluice::commands::completion::{self, Shell};
use sluice_system::fs;

/// Write the files that are derived from code
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Fail if a file is out of date, and write nothing
    #[arg(long)]
    check: bool,
}

/// Generates one directory of derived files.
struct Generator {
    /// The directory, from the root of the repository.
    directory: &'static str,
    /// Extensions of the derived files. Without them, only the returned files are derived.
    extensions: &'static [&'static str],
    /// Returns the files by name.
    files: fn() -> Result<BTreeMap<String, String>>,
}

/// All generators.
const GENERATORS: &[Generator] = &[
    Generator {
        directory: "crates/base/api/crds",
        extensions: &["yaml"],
        files: || Ok(definitions()),
    },
    Generator {
        directory: "completions",
        extensions: &["bash", "fish", "ps1", "zsh"],
        files: || Ok(completions()),
    },
    Generator {
        directory: "man",
        extensions: &["1"],
        files: manual,
    },
    Generator {
        directory: "docs/commands",
        extensions: &["md"],
        files: || Ok(sluice::cli::chapters("sluice").into_iter().collect()),
    },
    Generator {
        directory: records::DIRECTORY,
        extensions: &["svg"],
        files: records::files,
    },
    Generator {
        directory: "docs/kinds",
        extensions: &[],
        files: fields::pages,
    },
    Generator {
        directory: "docs",
        extensions: &[],
        files: weight::pages,
    },
    Generator {
        directory: "docs",
        extensions: &[],
        files: lockdown::pages,
    },
    Generator {
        directory: "docs",
        extensions: &[],
        files: performance::pages,
    },
    Generator {
        directory: "docs/images",
        extensions: &[],
        files: performance::plots,
    },
];

/// The names of the command line.
const PROGRAMS: [&str; 2] = ["flux", "sluice"];

/// How a file differs from the output of its generator.
#[derive(Debug, PartialEq, Eq)]
enum Drift {
    Missing,
    Changed,
    Stale,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut drifted = Vec::new();
    for generator in GENERATORS {
        let directory = crate::repository().join(generator.directory);
        let files = (generator.files)()?;
        for (name, drift) in compare(&directory, generator.extensions, &files)? {
            if !arguments.check {
                correct(&directory.join(&name), files.get(&name))?;
            }
            let what = match drift {
                Drift::Missing => "missing",
                Drift::Changed => "out of date",
                Drift::Stale => "no longer derived from anything",
            };
            drifted.push(format!("{}/{name}: {what}", generator.directory));
        }
    }
    if arguments.check && !drifted.is_empty() {
        bail!(
            "derived files differ; run `cargo xtask generate` and commit:\n{}",
            drifted.join("\n")
        );
    }
    #[expect(clippy::print_stderr, reason = "a task prints its changes")]
    for file in drifted {
        eprintln!("{file}: updated");
    }
    Ok(())
}

/// Compares a directory with the output of its generator.
fn compare(
    directory: &Path,
    extensions: &[&str],
    files: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Drift>> {
    let mut drifts = BTreeMap::new();
    let mut standing = BTreeMap::new();
    if fs::exists(directory)? {
        for entry in fs::read_dir(directory)? {
            let path = entry.path;
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let has_extension = path
                .extension()
                .is_some_and(|found| extensions.iter().any(|extension| found == *extension));
            if has_extension || files.contains_key(name) {
                standing.insert(name.to_owned(), fs::read_to_string(path)?);
            }
        }
    }
    for (name, text) in files {
        match standing.remove(name) {
            None => drifts.insert(name.clone(), Drift::Missing),
            Some(found) if found != *text => drifts.insert(name.clone(), Drift::Changed),
            Some(_) => None,
        };
    }
    drifts.extend(standing.into_keys().map(|name| (name, Drift::Stale)));
    Ok(drifts)
}

/// Writes a file, or removes a stale one.
fn correct(path: &Path, text: Option<&String>) -> Result<()> {
    match text {
        Some(text) => {
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            fs::write(path, text)?;
        }
        None => fs::remove_file(path)?,
    }
    Ok(())
}

/// Custom resource definitions, one file per component.
fn definitions() -> BTreeMap<String, String> {
    const HEADER: &str =
        "# Generated by `cargo xtask generate` from the types in crates/base/api/src.\n---\n";
    let components = sluice_api::crds::generate().into_iter();
    components
        .map(|(component, definitions)| {
            let documents: Vec<_> = definitions.iter().map(sluice_yaml::v2::to_string).collect();
            (
                format!("{component}.yaml"),
                format!("{HEADER}{}", documents.join("---\n")),
            )
        })
        .collect()
}

/// Completion scripts of every shell, for each name of the command line.
fn completions() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for program in PROGRAMS {
        for (shell, extension) in Shell::ALL {
            let script = completion::script(program, shell);
            files.insert(format!("{program}.{extension}"), script);
        }
    }
    files
}

/// One manual page for each command.
fn manual() -> Result<BTreeMap<String, String>> {
    let root = sluice::cli::manual("sluice");
    let mut files = BTreeMap::new();
    write_page(&root, &mut files)?;
    let everywhere: BTreeSet<&clap::Id> = root.get_arguments().map(clap::Arg::get_id).collect();
    for command in root.get_subcommands() {
        write_pages(command, &everywhere, &mut files)?;
    }
    Ok(files)
}

/// Writes the pages of a command and its subcommands. The first page describes the global flags.
fn write_pages(
    command: &clap::Command,
    everywhere: &BTreeSet<&clap::Id>,
    files: &mut BTreeMap<String, String>,
) -> Result<()> {
    if command.is_hide_set() || command.get_name() == "help" {
        return Ok(());
    }
    let page = command
        .clone()
        .mut_args(|argument| {
            let is_elsewhere = argument.is_global_set() && everywhere.contains(argument.get_id());
            let hide = argument.is_hide_set() || is_elsewhere;
            argument.hide(hide)
        })
        .after_help("The flags that every command takes are described in sluice(1).");
    write_page(&page, files)?;
    for below in command.get_subcommands() {
        write_pages(below, everywhere, files)?;
    }
    Ok(())
}

fn write_page(command: &clap::Command, files: &mut BTreeMap<String, String>) -> Result<()> {
    let page = clap_mangen::Man::new(command.clone()).source("sluice");
    let mut text = Vec::new();
    page.render(&mut text).context("write a manual page")?;
    let text = String::from_utf8(text).context("a manual page is text")?;
    files.insert(page.get_filename(), text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_lists_missing_changed_and_stale_files() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
        write("changed.yaml", "old");
        write("same.yaml", "same");
        write("stale.yaml", "left");
        write("README.md", "not ours");
        let files = [
            ("changed.yaml", "new"),
            ("same.yaml", "same"),
            ("missing.yaml", "new"),
        ]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
        let drifts = compare(directory.path(), &["yaml"], &files).unwrap();
        let expected = [
            ("changed.yaml", Drift::Changed),
            ("missing.yaml", Drift::Missing),
            ("stale.yaml", Drift::Stale),
        ];
        assert_eq!(
            drifts,
            expected
                .map(|(name, drift)| (name.to_owned(), drift))
                .into()
        );
        for name in drifts.keys() {
            correct(&directory.path().join(name), files.get(name)).unwrap();
        }
        assert!(
            compare(directory.path(), &["yaml"], &files)
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn page_lists_own_flags_without_hidden_and_global() {
        let pages = manual().unwrap();
        let has = |page: &str, flag: &str| {
            let flag = format!("\\-\\-{}\\fR", flag.replace('-', "\\-"));
            pages[page].contains(&flag)
        };
        assert!(has("sluice-get-kustomizations.1", "all-namespaces"));
        assert!(has("sluice-bootstrap-git.1", "components-extra"));
        assert!(!has("sluice-bootstrap-git.1", "manifests"));
        assert!(!has("sluice-bootstrap-git.1", "kubeconfig"));
        assert!(has("sluice.1", "kubeconfig"));
    }

    #[test]
    fn missing_directory_lacks_every_file() {
        let directory = tempfile::tempdir().unwrap().path().join("none");
        let files = BTreeMap::from([("a.yaml".to_owned(), String::new())]);
        let drifts = compare(&directory, &["yaml"], &files).unwrap();
        assert_eq!(drifts["a.yaml"], Drift::Missing);
        correct(&directory.join("a.yaml"), files.get("a.yaml")).unwrap();
        assert!(compare(&directory, &["yaml"], &files).unwrap().is_empty());
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn generated_definitions_match_types() {
        let files = definitions();
        for (component, expected) in sluice_api::crds::generate() {
            let text = &files[&format!("{component}.yaml")];
            assert_eq!(
                sluice_yaml::v2::documents(text).unwrap(),
                expected,
                "{component}"
            );
        }
    }

    #[test]
    fn only_first_page_describes_global_flags() {
        let pages = manual().unwrap();
        for name in ["sluice", "sluice-get-sources-git", "sluice-dev"] {
            assert!(pages.contains_key(&format!("{name}.1")), "{name}");
        }
        for (name, page) in &pages {
            let is_described = page.contains("\\-\\-kubeconfig\\fR");
            assert_eq!(is_described, name == "sluice.1", "{name}");
        }
    }

    #[test]
    fn every_shell_completes_both_names() {
        let scripts = completions();
        assert_eq!(scripts.len(), PROGRAMS.len() * Shell::ALL.len());
        for (name, script) in scripts {
            let program = name.split('.').next().unwrap();
            assert!(script.contains(program), "{name}");
            assert!(!script.contains("PROGRAM"), "{name}");
        }
    }
}
