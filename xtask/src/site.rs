//! `cargo xtask site`: the documentation as a book with search, built by mdBook.
//!
//! `docs/SUMMARY.md` orders the pages, and `docs/book.toml` configures the book. The sources are
//! copied with their paths, so links work in the book as they do in the repository. `--check` needs
//! no mdBook: it compares the summary and all links with the pages. [`markdown`] reads pages.

mod markdown;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use sluice_system::fs;

use crate::source;

/// Build the documentation as a site with search
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Output directory
    #[arg(long, default_value = "target/site")]
    output: PathBuf,
    /// Compare the summary and all links with the pages, and build nothing
    #[arg(long)]
    check: bool,
}

/// Order and titles of the pages.
const SUMMARY: &str = "docs/SUMMARY.md";
/// Configuration of mdBook.
const CONFIGURATION: &str = "docs/book.toml";
/// Pages of the book outside of its folders.
const FRONT: [&str; 6] = [
    "README.md",
    "PARITY.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
];
/// Folders whose pages belong to the book.
const FOLDERS: [&str; 2] = ["docs", "tests/bench/records"];
/// Folders whose pages follow their index in the order of their names.
const LISTED: [&str; 3] = ["docs/commands", "docs/dev/records", "tests/bench/records"];

/// The texts of all pages, by their path from the root of the repository.
type Pages = BTreeMap<String, String>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = crate::repository();
    let pages = read(root)?;
    let summary = fs::read_to_string(root.join(SUMMARY))?;
    let mut faults = order_faults(&summary, &pages);
    faults.extend(link_faults(&pages, &|path| root.join(path).exists()));
    ensure!(
        faults.is_empty(),
        "the pages do not fit together:\n{}",
        faults.join("\n")
    );
    if arguments.check {
        return Ok(());
    }
    let staged = tempfile::tempdir()?;
    stage(
        root,
        staged.path(),
        &pages,
        &full_summary(&summary, &pages)?,
    )?;
    let output = std::path::absolute(root.join(&arguments.output))?;
    build(staged.path(), &output)?;
    println!("wrote {}", output.join("index.html").display());
    Ok(())
}

fn read(root: &Path) -> Result<Pages> {
    let mut paths: Vec<PathBuf> = FRONT.iter().map(|page| root.join(page)).collect();
    for folder in FOLDERS {
        paths.extend(source::files(&root.join(folder), &["md"])?);
    }
    let mut pages = Pages::new();
    for path in paths {
        let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
        if name != SUMMARY {
            pages.insert(name, fs::read_to_string(&path)?);
        }
    }
    Ok(pages)
}

/// Returns the folder of a page.
fn folder(page: &str) -> &str {
    page.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves a link of a page to a path from the root; `None` outside of the repository.
fn resolve(page: &str, link: &str) -> Option<String> {
    let mut resolved = PathBuf::new();
    for component in Path::new(folder(page)).join(link).components() {
        match component {
            Component::ParentDir => {
                resolved.file_name()?;
                resolved.pop();
            }
            Component::Normal(name) => resolved.push(name),
            _ => {}
        }
    }
    Some(resolved.to_string_lossy().into_owned())
}

/// Returns pages that the summary lacks, names twice or invents.
fn order_faults(summary: &str, pages: &Pages) -> Vec<String> {
    let mut faults = Vec::new();
    let mut listed = BTreeSet::new();
    for link in markdown::links(summary) {
        let Some(page) = resolve(SUMMARY, &link.target).filter(|page| pages.contains_key(page))
        else {
            faults.push(format!("{SUMMARY}:{}: no page {}", link.line, link.target));
            continue;
        };
        if !listed.insert(page) {
            faults.push(format!(
                "{SUMMARY}:{}: a second entry of {}",
                link.line, link.target
            ));
        }
    }
    for page in pages.keys() {
        let is_index = page.ends_with("README.md");
        let follows = !is_index && LISTED.contains(&folder(page));
        if !follows && !listed.contains(page) {
            faults.push(format!("{SUMMARY}: no entry of {page}"));
        }
    }
    faults
}

/// Returns links of pages that lead nowhere.
fn link_faults(pages: &Pages, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (page, text) in pages {
        for link in markdown::links(text) {
            if let Err(fault) = check(page, &link.target, pages, exists) {
                faults.push(format!("{page}:{}: {}: {fault}", link.line, link.target));
            }
        }
    }
    faults
}

fn check(
    page: &str,
    link: &str,
    pages: &Pages,
    exists: &dyn Fn(&str) -> bool,
) -> std::result::Result<(), &'static str> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(());
    }
    let (path, anchor) = link
        .split_once('#')
        .map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let target = if path.is_empty() {
        page.to_owned()
    } else {
        resolve(page, path).ok_or("outside of the repository")?
    };
    let Some(text) = pages.get(&target) else {
        if !exists(&target) {
            return Err("no such file");
        }
        let is_beside = FOLDERS
            .iter()
            .any(|folder| target.starts_with(&format!("{folder}/")));
        let extension = Path::new(&target).extension();
        return if is_beside && extension.is_some_and(|extension| extension != "md") {
            Ok(())
        } else {
            Err("not a part of the book: link to a page, or name the path as code")
        };
    };
    match anchor {
        Some(anchor) if !markdown::anchors(text).contains(anchor) => Err("no such heading"),
        _ => Ok(()),
    }
}

/// Returns the name of a page or of a link in the book. mdBook serves an index under another name.
fn in_book(name: &str) -> String {
    let (path, anchor) = name.split_once('#').unwrap_or((name, ""));
    let hash = if anchor.is_empty() { "" } else { "#" };
    match path.strip_suffix("README.md") {
        Some(folder) if !path.contains("://") => format!("{folder}index.md{hash}{anchor}"),
        _ => name.to_owned(),
    }
}

/// Returns a page with the links of the book.
fn with_book_links(text: &str) -> String {
    let mut page = text.to_owned();
    for link in markdown::links(text) {
        let from = format!("]({})", link.target);
        page = page.replace(&from, &format!("]({})", in_book(&link.target)));
    }
    page
}

/// Returns the summary with paths from the root, and with the pages of listed folders.
fn full_summary(summary: &str, pages: &Pages) -> Result<String> {
    let mut full = String::new();
    for line in summary.lines() {
        let Some((before, rest)) = line.split_once("](") else {
            writeln!(full, "{line}")?;
            continue;
        };
        let link = rest.trim_end_matches(')');
        let page = resolve(SUMMARY, link).with_context(|| format!("{SUMMARY}: {link}"))?;
        writeln!(full, "{before}]({page})")?;
        if !(page.ends_with("README.md") && LISTED.contains(&folder(&page))) {
            continue;
        }
        let indent = before.len() - before.trim_start().len() + 2;
        for (below, text) in pages {
            if folder(below) == folder(&page) && !below.ends_with("README.md") {
                let title =
                    markdown::title(text).with_context(|| format!("{below} has no title"))?;
                writeln!(full, "{:indent$}- [{title}]({below})", "")?;
            }
        }
    }
    Ok(full)
}

/// Writes the sources of the book: all files of its folders under their paths.
fn stage(root: &Path, staged: &Path, pages: &Pages, summary: &str) -> Result<()> {
    let sources = staged.join("src");
    for folder in FOLDERS {
        fs::create_dir_all(sources.join(folder))?;
        fs::copy_dir_all(root.join(folder), sources.join(folder))?;
    }
    for (page, text) in pages {
        fs::write(sources.join(in_book(page)), with_book_links(text))?;
    }
    fs::write(sources.join("SUMMARY.md"), with_book_links(summary))?;
    let configuration = fs::read_to_string(root.join(CONFIGURATION))?;
    fs::write(staged.join("book.toml"), configuration)?;
    Ok(())
}

fn build(staged: &Path, output: &Path) -> Result<()> {
    let status = Command::new("mdbook")
        .arg("build")
        .arg(staged)
        .arg("--dest-dir")
        .arg(output)
        .status()
        .context("failed to start mdbook\nhint: `./test.sh site` installs it")?;
    if !status.success() {
        bail!("mdbook failed: {status}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(pages: &[(&str, &str)]) -> Pages {
        let pages = pages.iter();
        pages
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn summary_names_each_page_once() {
        let pages = pages(&[
            ("README.md", ""),
            ("docs/a.md", ""),
            ("docs/b.md", ""),
            ("docs/commands/README.md", ""),
            ("docs/commands/get.md", ""),
        ]);
        let summary = "[x](../README.md)\n- [a](a.md)\n- [a](a.md)\n- [c](c.md)\n";
        let expected = [
            "docs/SUMMARY.md:3: a second entry of a.md",
            "docs/SUMMARY.md:4: no page c.md",
            "docs/SUMMARY.md: no entry of docs/b.md",
            "docs/SUMMARY.md: no entry of docs/commands/README.md",
        ];
        assert_eq!(order_faults(summary, &pages), expected);
    }

    #[test]
    fn links_lead_to_pages_headings_and_files() {
        let pages = pages(&[
            ("README.md", "[a](docs/a.md#good-news)\n[b](docs/a.md#bad)"),
            (
                "docs/a.md",
                "## Good news\n[c](#good-news) [d](https://e.example/f) [g](../../h)\n\
                 [i](x.svg) [j](none.svg) [k](../src)",
            ),
        ]);
        let exists = |path: &str| ["docs/x.svg", "src"].contains(&path);
        let expected = [
            "README.md:2: docs/a.md#bad: no such heading",
            "docs/a.md:2: ../../h: outside of the repository",
            "docs/a.md:3: none.svg: no such file",
            "docs/a.md:3: ../src: not a part of the book: link to a page, or name the path as code",
        ];
        assert_eq!(link_faults(&pages, &exists), expected);
    }

    #[test]
    fn links_to_an_index_use_its_name_in_the_book() {
        let page =
            "[a](docs/README.md#b) [c](README.md) [d](e.md) [f](https://g.example/README.md)";
        let expected =
            "[a](docs/index.md#b) [c](index.md) [d](e.md) [f](https://g.example/README.md)";
        assert_eq!(with_book_links(page), expected);
    }

    #[test]
    fn listed_folder_follows_its_index() {
        let pages = pages(&[
            ("docs/commands/README.md", "# Commands\n"),
            ("docs/commands/get.md", "# `sluice get`\n"),
        ]);
        let summary = "# Summary\n- [Commands](commands/README.md)\n";
        let expected = "# Summary\n- [Commands](docs/commands/README.md)\n  \
                        - [`sluice get`](docs/commands/get.md)\n";
        assert_eq!(full_summary(summary, &pages).unwrap(), expected);
    }

    #[test]
    fn pages_of_the_repository_fit_together() {
        run(&Arguments {
            output: PathBuf::new(),
            check: true,
        })
        .unwrap();
    }
}
