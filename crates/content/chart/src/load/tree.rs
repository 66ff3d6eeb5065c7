//! Charts in a tree of files that is not on a disk.

use std::collections::HashMap;

use crate::error::Error;
use crate::ignore::Rules;

/// The rules of a `.helmignore`, for a tree whose files come in any order.
#[derive(Debug, Default)]
pub struct IgnoreRules {
    rules: Rules,
    /// The answers for folders so far.
    folders: HashMap<String, bool>,
}

impl IgnoreRules {
    /// Reads a `.helmignore`. Without one, only hidden templates are ignored.
    pub fn parse(text: Option<&[u8]>) -> Result<Self, Error> {
        let rules = match text {
            Some(text) => Rules::parse(&String::from_utf8_lossy(text))?,
            None => Rules::default(),
        };
        Ok(Self {
            rules: rules.with_defaults(),
            folders: HashMap::new(),
        })
    }

    /// Whether a file, by its path below the chart, or one of its folders is ignored.
    pub fn is_ignored(&mut self, path: &str) -> bool {
        for (at, _) in path.match_indices('/') {
            let folder = &path[..at];
            let is_ignored = match self.folders.get(folder) {
                Some(known) => *known,
                None => {
                    let is_ignored = self.rules.is_ignored(folder, true);
                    self.folders.insert(folder.to_owned(), is_ignored);
                    is_ignored
                }
            };
            if is_ignored {
                return true;
            }
        }
        self.rules.is_ignored(path, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_folder_hides_its_files() {
        let mut rules = IgnoreRules::parse(Some(b"ci/\n*.md\n")).unwrap();
        for (path, is_ignored) in [
            ("ci/values.yaml", true),
            ("ci/a/b", true),
            ("ci", false),
            ("docs/README.md", true),
            ("templates/.hidden", true),
            ("templates/a.yaml", false),
        ] {
            assert_eq!(rules.is_ignored(path), is_ignored, "{path}");
        }
    }
}
