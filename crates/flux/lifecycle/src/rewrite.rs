//! Replaces old API versions of Flux's kinds in a text.
//!
//! Only the version changes, so comments, order, quotes and line endings stay. A parser finds
//! mappings with `apiVersion` and `kind`. A line scan finds neighbouring `apiVersion: ` and
//! `kind: ` lines as Flux does. This includes chart templates and manifests inside of texts.

use std::collections::BTreeMap;

use sluice_yaml::Dialect;
use sluice_yaml::node::{Content, Document, Documents, NodeId};

/// A version to replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// The line, from one.
    pub line: usize,
    /// The kind.
    pub kind: String,
    /// The old version.
    pub old: String,
    /// The new version.
    pub new: &'static str,
}

/// The versions of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TextVersions {
    /// By the byte offset of the old version.
    upgrades: BTreeMap<usize, Upgrade>,
    /// Lines with a malformed `apiVersion`, and its text.
    pub malformed: Vec<(usize, String)>,
}

impl TextVersions {
    /// Finds versions other than the `latest` of a group and kind.
    pub fn in_text(text: &str, latest: impl Fn(&str, &str) -> Option<&'static str>) -> Self {
        let mut found = Self::default();
        found.by_lines(text, &latest);
        found.by_structure(text, &latest);
        found
    }

    /// The upgrades in the order of the text.
    pub fn upgrades(&self) -> impl Iterator<Item = &Upgrade> {
        self.upgrades.values()
    }

    /// Whether no version has to be replaced.
    pub fn is_empty(&self) -> bool {
        self.upgrades.is_empty()
    }

    /// The text with the new versions.
    pub fn applied_to(&self, text: &str) -> String {
        let mut text = text.to_owned();
        // From the end, so that earlier offsets stay valid.
        for (at, upgrade) in self.upgrades.iter().rev() {
            text.replace_range(*at..at + upgrade.old.len(), upgrade.new);
        }
        text
    }

    /// Records an upgrade of the `apiVersion` at `at`, if there is a newer version.
    fn note(
        &mut self,
        text: &str,
        at: usize,
        line: usize,
        (group, version): (&str, &str),
        kind: &str,
        latest: &impl Fn(&str, &str) -> Option<&'static str>,
    ) {
        let Some(new) = latest(group, kind).filter(|new| *new != version) else {
            return;
        };
        // A quote may precede the value. Values with escapes are skipped.
        let written = text[at..].lines().next().unwrap_or_default();
        let Some(before) = written.find(&format!("{group}/{version}")) else {
            return;
        };
        let at = at + before + group.len() + 1;
        let upgrade = Upgrade {
            line,
            kind: kind.to_owned(),
            old: version.to_owned(),
            new,
        };
        self.upgrades.insert(at, upgrade);
    }

    fn by_lines(&mut self, text: &str, latest: &impl Fn(&str, &str) -> Option<&'static str>) {
        let mut start = 0;
        let lines: Vec<(usize, &str)> = text
            .split('\n')
            .map(|line| {
                let begun = start;
                start += line.len() + 1;
                (begun, line)
            })
            .collect();
        for (number, (start, line)) in lines.iter().enumerate() {
            let Some((column, api_version)) = value_of("apiVersion: ", line) else {
                continue;
            };
            let Some(parts) = group_and_version(api_version) else {
                self.malformed.push((number + 1, api_version.to_owned()));
                continue;
            };
            let after = lines.get(number + 1);
            let after = after.and_then(|(_, line)| value_of("kind: ", line));
            // Only a line before it with the same indentation can be of the same mapping.
            let before = number.checked_sub(1).map(|before| lines[before].1);
            let before = before
                .and_then(|line| value_of("kind: ", line))
                .filter(|(other, _)| *other == column);
            let Some((_, kind)) = after.or(before) else {
                continue;
            };
            self.note(text, start + column, number + 1, parts, kind, latest);
        }
    }

    fn by_structure(&mut self, text: &str, latest: &impl Fn(&str, &str) -> Option<&'static str>) {
        // The parser counts characters.
        let bytes: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
        // The line scan handles the text after a syntax error.
        for document in Documents::new(text, Dialect::V3).map_while(Result::ok) {
            let mut pending = vec![document.root()];
            while let Some(id) = pending.pop() {
                match &document.node(id).content {
                    Content::Sequence { items, .. } => pending.extend(items),
                    Content::Mapping { entries, .. } => {
                        pending.extend(entries.iter().map(|(_, value)| *value));
                        let field = |name: &str| {
                            let named = |(key, _): &&(NodeId, NodeId)| {
                                scalar(&document, *key).is_some_and(|(key, _, _)| key == name)
                            };
                            scalar(&document, entries.iter().find(named)?.1)
                        };
                        if let Some((api_version, index, line)) = field("apiVersion")
                            && let Some((kind, _, _)) = field("kind")
                            && let Some(parts) = group_and_version(api_version)
                            && let Some(at) = bytes.get(index)
                        {
                            self.note(text, *at, line + 1, parts, kind, latest);
                        }
                    }
                    Content::Scalar { .. } | Content::Alias { .. } => {}
                }
            }
        }
    }
}

/// The text of a scalar and its offset.
fn scalar(document: &Document, id: NodeId) -> Option<(&str, usize, usize)> {
    let node = document.node(id);
    match &node.content {
        Content::Scalar { value, .. } => Some((value, node.start.index, node.start.line)),
        _ => None,
    }
}

/// The first word after a key on a line, and the column of the key.
fn value_of<'l>(key: &str, line: &'l str) -> Option<(usize, &'l str)> {
    let column = line.find(key)?;
    let value = line[column + key.len()..].trim();
    Some((column, value.split(' ').next().unwrap_or_default()))
}

/// Group and version; the core group is empty.
fn group_and_version(text: &str) -> Option<(&str, &str)> {
    match text.split_once('/') {
        None => Some(("", text)),
        Some((_, version)) if version.contains('/') => None,
        Some(parts) => Some(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds of two groups in a release.
    fn latest(group: &str, kind: &str) -> Option<&'static str> {
        match (group, kind) {
            ("image.toolkit.fluxcd.io", "ImagePolicy" | "ImageRepository") => Some("v1"),
            ("helm.toolkit.fluxcd.io", "HelmRelease") => Some("v2"),
            _ => None,
        }
    }

    #[track_caller]
    fn rewritten(text: &str) -> (String, Vec<String>) {
        let found = TextVersions::in_text(text, latest);
        let told = found.upgrades();
        let told = told.map(|it| format!("{}: {} {} -> {}", it.line, it.kind, it.old, it.new));
        (found.applied_to(text), told.collect())
    }

    #[test]
    fn only_the_version_is_replaced() {
        let text = "# v1beta2 of it\r\n---\r\napiVersion: image.toolkit.fluxcd.io/v1beta2 # v1beta2\r\nkind: ImagePolicy\r\nspec: {a:   'v1beta2'}\r\n---\r\napiVersion: v1\r\nkind: Secret\r\n";
        let (new, told) = rewritten(text);
        assert_eq!(told, ["3: ImagePolicy v1beta2 -> v1"]);
        assert_eq!(new, text.replace("io/v1beta2 # v1beta2", "io/v1 # v1beta2"));
    }

    #[test]
    fn order_quotes_and_style_do_not_matter() {
        for text in [
            "kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2beta1\n",
            "kind: HelmRelease\nmetadata:\n  name: a\napiVersion: \"helm.toolkit.fluxcd.io/v2beta1\"\n",
            "{kind: HelmRelease, apiVersion: 'helm.toolkit.fluxcd.io/v2beta1'}\n",
            "items:\n- apiVersion: helm.toolkit.fluxcd.io/v2beta1\n  metadata: {name: é}\n  kind: HelmRelease\n",
            "é: ü\napiVersion:   helm.toolkit.fluxcd.io/v2beta1\nkind: HelmRelease\n",
        ] {
            let (new, told) = rewritten(text);
            assert_eq!(told.len(), 1, "{text}");
            assert_eq!(new, text.replace("/v2beta1", "/v2"), "{text}");
        }
    }

    #[test]
    fn templates_and_embedded_manifests_are_found() {
        for text in [
            "{{- if .Values.on }}\napiVersion: helm.toolkit.fluxcd.io/v2beta1\nkind: HelmRelease\nmetadata:\n  name: {{ .Values.name }}\n{{- end }}\n",
            "{{- range .Values.all }}\nkind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2beta1\n{{- end }}\n",
            "kind: ConfigMap\ndata:\n  a.yaml: |\n    apiVersion: helm.toolkit.fluxcd.io/v2beta1\n    kind: HelmRelease\n",
        ] {
            let (new, told) = rewritten(text);
            assert_eq!(told.len(), 1, "{text}");
            assert_eq!(new, text.replace("/v2beta1", "/v2"), "{text}");
        }
    }

    #[test]
    fn current_and_foreign_versions_stay() {
        for text in [
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n",
            "apiVersion: helm.toolkit.fluxcd.io/v2beta1\nkind: Other\n",
            "apiVersion: apps/v1beta1\nkind: Deployment\n",
            "apiVersion: helm.toolkit.fluxcd.io/v2beta1\nspec: {}\n",
            "kind: HelmRelease\n---\napiVersion: helm.toolkit.fluxcd.io/v2beta1\n",
            "a:\n  kind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2beta1\n",
            "",
        ] {
            assert_eq!(rewritten(text), (text.to_owned(), Vec::new()), "{text}");
        }
    }

    #[test]
    fn two_versions_on_one_line_are_replaced() {
        let text = "[{apiVersion: helm.toolkit.fluxcd.io/v2beta1, kind: HelmRelease}, {apiVersion: helm.toolkit.fluxcd.io/v2beta2, kind: HelmRelease}]\n";
        let (new, told) = rewritten(text);
        assert_eq!(
            told,
            [
                "1: HelmRelease v2beta1 -> v2",
                "1: HelmRelease v2beta2 -> v2"
            ]
        );
        assert_eq!(new.matches("io/v2,").count(), 2);
    }

    #[test]
    fn malformed_version_is_reported_with_its_line() {
        let text = "\napiVersion: image.toolkit.fluxcd.io/v1/v2\nkind: ImagePolicy\n";
        let found = TextVersions::in_text(text, latest);
        assert!(found.is_empty());
        assert_eq!(
            found.malformed,
            [(2, "image.toolkit.fluxcd.io/v1/v2".to_owned())]
        );
    }

    #[test]
    fn second_rewrite_changes_nothing() {
        let text = "apiVersion: image.toolkit.fluxcd.io/v1beta1\nkind: ImageRepository\n---\nkind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2beta2\n";
        let (once, _) = rewritten(text);
        assert_eq!(rewritten(&once), (once.clone(), Vec::new()));
    }
}
