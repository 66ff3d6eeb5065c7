//! Reads links, headings and titles of Markdown pages. Pure.

use std::collections::{BTreeMap, BTreeSet};

/// A link or an image.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The number of its line, from 1.
    pub(super) line: usize,
    pub(super) target: String,
}

/// Returns the lines outside of code blocks, with their numbers.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(page.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Removes code spans.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Returns the links of a page.
pub(super) fn links(page: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (number, line) in prose(page) {
        let line = without_code(line);
        for after in line.split("](").skip(1) {
            if let Some((target, _)) = after.split_once(')') {
                links.push(Link {
                    line: number,
                    target: target.to_owned(),
                });
            }
        }
    }
    links
}

fn headings(page: &str) -> impl Iterator<Item = &str> {
    prose(page).filter_map(|(_, line)| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len() && text.starts_with(' ')).then(|| text.trim())
    })
}

/// Returns the first heading.
pub(super) fn title(page: &str) -> Option<&str> {
    headings(page).next()
}

/// Returns the anchors of the headings, as GitHub and mdBook name them.
pub(super) fn anchors(page: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for heading in headings(page) {
        let anchor: String = heading
            .to_lowercase()
            .chars()
            .filter_map(|letter| match letter {
                ' ' => Some('-'),
                '-' | '_' => Some(letter),
                _ => letter.is_alphanumeric().then_some(letter),
            })
            .collect();
        let count = counts.entry(anchor.clone()).or_default();
        anchors.insert(match *count {
            0 => anchor,
            count => format!("{anchor}-{count}"),
        });
        *count += 1;
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_do_not_count() {
        let page = "[a](b.md) `[c](d.md)`\n```sh\n[e](f.md)\n```\n![g](h.svg)\n";
        let expected = [(1, "b.md"), (5, "h.svg")].map(|(line, target)| Link {
            line,
            target: target.to_owned(),
        });
        assert_eq!(links(page), expected);
    }

    #[test]
    fn anchors_are_those_of_the_forges() {
        let page = "# `install.sh`, and more\n## By hand\n## By hand\n```\n# no\n```\n";
        let expected = ["by-hand", "by-hand-1", "installsh-and-more"];
        assert_eq!(Vec::from_iter(anchors(page)), expected);
        assert_eq!(title(page), Some("`install.sh`, and more"));
    }
}
