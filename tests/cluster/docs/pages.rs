//! Reads the commands and objects in the pages for users.
//!
//! Every block of commands is run by `tests/cluster/docs.rs`, unless a comment on the line before
//! it says otherwise. A comment in the first lines of a page is about all of its blocks:
//!
//! | Comment | Meaning |
//! |---|---|
//! | `tested by: NAME, NAME` | these tests run the commands of the block |
//! | `not run: REASON` | no test runs the commands |

use std::path::Path;

/// How the commands of a block are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Run,
    TestedBy(Vec<String>),
    NotRun(String),
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Path of the page from the root of the repository.
    pub(crate) page: String,
    /// The number of its first line, from 1.
    pub(crate) line: usize,
    pub(crate) language: String,
    pub(crate) mark: Mark,
    pub(crate) text: String,
}

impl Block {
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.page, self.line)
    }

    /// Returns the commands and their output, which only `console` blocks have.
    pub(crate) fn commands(&self) -> Vec<(String, Vec<String>)> {
        let mut commands: Vec<(String, Vec<String>)> = Vec::new();
        match self.language.as_str() {
            "sh" => {
                for line in self.text.replace("\\\n", " ").lines() {
                    commands.push((line.to_owned(), Vec::new()));
                }
            }
            "console" => {
                for line in self.text.lines() {
                    if let Some(command) = line.strip_prefix("$ ") {
                        commands.push((command.to_owned(), Vec::new()));
                    } else if let Some((_, output)) = commands.last_mut() {
                        output.push(line.to_owned());
                    }
                }
            }
            _ => {}
        }
        commands
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the paths and texts of the pages for users.
pub(crate) fn pages() -> Vec<(String, String)> {
    let mut paths = vec!["README.md".to_owned()];
    for folder in ["docs", "docs/kinds"] {
        for entry in sluice_system::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.path.file_name().unwrap().to_str().unwrap();
            if entry.path.extension().is_some_and(|end| end == "md") {
                paths.push(format!("{folder}/{name}"));
            }
        }
    }
    paths.sort();
    let read = |path: String| {
        let text = sluice_system::fs::read_to_string(root().join(&path)).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// Returns the blocks of the pages for users.
pub(crate) fn blocks() -> Vec<Block> {
    let pages = pages();
    pages
        .iter()
        .flat_map(|(page, text)| read(page, text))
        .collect()
}

fn mark(line: &str) -> Option<Mark> {
    let comment = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    let (key, value) = comment.split_once(": ")?;
    match key {
        "tested by" => Some(Mark::TestedBy(
            value.split(", ").map(str::to_owned).collect(),
        )),
        "not run" => Some(Mark::NotRun(value.to_owned())),
        _ => None,
    }
}

fn read(page: &str, text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    // The comment of a page is below its title.
    let whole = lines.get(2).copied().and_then(mark);
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (index, line) in lines.iter().enumerate() {
        match (line.trim_start().strip_prefix("```"), open) {
            (Some(language), false) => {
                let above = index.checked_sub(1).and_then(|index| mark(lines[index]));
                blocks.push(Block {
                    page: page.to_owned(),
                    line: index + 2,
                    language: language.to_owned(),
                    mark: above.or_else(|| whole.clone()).unwrap_or(Mark::Run),
                    text: String::new(),
                });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let block = blocks.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
            (None, false) => {}
        }
    }
    blocks
}
