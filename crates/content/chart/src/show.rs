//! The text that `helm template` prints, whole or only of some files.

use crate::error::Error;
use crate::manifest::{self, Hook};
use crate::pattern::compile_match;
use crate::template::RenderedChart;

/// Which documents are printed.
#[derive(Debug, Clone, Default)]
pub struct ShowOptions {
    /// Whether hooks are left out.
    pub skips_hooks: bool,
    /// Whether the hooks of tests are left out.
    pub skips_tests: bool,
    /// Patterns of files below the chart, such as `templates/service.yaml`; all files if empty.
    pub only: Vec<String>,
}

impl RenderedChart {
    /// The text that `helm template` prints without flags.
    pub fn to_text(&self) -> Vec<u8> {
        self.text(|_| true)
    }

    /// The text that `helm template` prints with its flags.
    ///
    /// Fails if a pattern matches no file.
    pub fn show(&self, options: &ShowOptions) -> Result<Vec<u8>, Error> {
        let is_shown = |hook: &Hook| !(options.skips_tests && hook.is_test());
        let text = self.text(|hook| !options.skips_hooks && is_shown(hook));
        if options.only.is_empty() {
            return Ok(text);
        }
        let documents = manifest::split(&text);
        let mut shown = Vec::new();
        for pattern in &options.only {
            // As in Helm, a malformed pattern matches nothing.
            let matcher = compile_match(pattern).ok();
            let is_match = |document: &&&[u8]| {
                let path = source(document);
                matcher
                    .as_ref()
                    .zip(path)
                    .is_some_and(|(matcher, path)| matcher.is_match(path))
            };
            let mut found = documents.iter().filter(is_match).peekable();
            if found.peek().is_none() {
                return Err(Error::NoSuchTemplate(pattern.clone()));
            }
            for document in found {
                shown.extend_from_slice(b"---\n");
                shown.extend_from_slice(document);
                shown.push(b'\n');
            }
        }
        Ok(shown)
    }

    fn text(&self, is_shown: impl Fn(&Hook) -> bool) -> Vec<u8> {
        let mut out = trim(&self.manifest()).to_vec();
        out.push(b'\n');
        for hook in self.hooks.iter().filter(|hook| is_shown(hook)) {
            manifest::print(&mut out, &hook.path, &hook.content);
        }
        out
    }
}

/// The path of a document's template below the chart, from its first comment about a source.
fn source(document: &[u8]) -> Option<&[u8]> {
    let mut lines = document.split(|byte| *byte == b'\n');
    lines.find_map(|line| {
        let (_, path) = find(line, b"# Source: ").map(|at| line.split_at(at + 10))?;
        let chart = path.iter().position(|byte| *byte == b'/')?;
        let below = &path[chart + 1..];
        (chart > 0 && !below.is_empty()).then_some(below)
    })
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

/// A text without white space around it, as Unicode knows it.
fn trim(text: &[u8]) -> &[u8] {
    match std::str::from_utf8(text) {
        Ok(text) => text.trim().as_bytes(),
        Err(_) => text.trim_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::source;

    #[test]
    fn source_is_the_path_below_the_chart() {
        let cases: [(&[u8], Option<&[u8]>); 4] = [
            (
                b"# Source: web/templates/a.yaml\nkind: A\n",
                Some(b"templates/a.yaml"),
            ),
            (b"# Source: web\n# Source: b/c\n", Some(b"c")),
            (b"kind: A\n", None),
            (b"# Source: /a\n", None),
        ];
        for (document, expected) in cases {
            assert_eq!(source(document), expected);
        }
    }
}
