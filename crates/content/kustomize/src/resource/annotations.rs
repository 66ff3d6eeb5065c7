//! A resource's history as annotations, for as long as a patch looks at it.
//!
//! Upstream keeps the history in annotations, and a patch meets them: it finds a map of
//! annotations to add to where the manifest has none, and one that removes all annotations
//! makes the resource forget its names and its hash.

use std::collections::BTreeMap;

use sluice_yaml::tree::Text;

use super::{Behavior, History, PreviousId, Resource};

const PREVIOUS_KINDS: &str = "internal.config.kubernetes.io/previousKinds";
const PREVIOUS_NAMES: &str = "internal.config.kubernetes.io/previousNames";
const PREVIOUS_NAMESPACES: &str = "internal.config.kubernetes.io/previousNamespaces";
const PREFIXES: &str = "internal.config.kubernetes.io/prefixes";
const SUFFIXES: &str = "internal.config.kubernetes.io/suffixes";
const BEHAVIOR: &str = "internal.config.kubernetes.io/generatorBehavior";
const HASH: &str = "internal.config.kubernetes.io/needsHashSuffix";
const NAME_CHANGE: &str = "internal.config.kubernetes.io/allowNameChange";
const KIND_CHANGE: &str = "internal.config.kubernetes.io/allowKindChange";
const ENABLED: &str = "enabled";

const ALL: [&str; 9] = [
    PREVIOUS_KINDS,
    PREVIOUS_NAMES,
    PREVIOUS_NAMESPACES,
    PREFIXES,
    SUFFIXES,
    BEHAVIOR,
    HASH,
    NAME_CHANGE,
    KIND_CHANGE,
];

impl Resource {
    /// Believes the history that a manifest brings along, as upstream does: what
    /// was built with its annotations left in can be built on.
    pub(crate) fn adopt_history(&mut self) {
        let annotations = self.node.lookup(&["metadata", "annotations"]);
        let brings = |key: &&str| annotations.is_some_and(|known| known.get(key).is_some());
        if !ALL.iter().any(brings) {
            return;
        }
        let texts = |key| -> Vec<Text> {
            let text = self.annotation(key).unwrap_or_default();
            text.split(',')
                .filter(|_| !text.is_empty())
                .map(Text::from)
                .collect()
        };
        let enabled = |key| self.annotation(key).is_some_and(|value| &*value == ENABLED);
        let kinds = texts(PREVIOUS_KINDS).into_iter();
        let namespaces = texts(PREVIOUS_NAMESPACES).into_iter();
        let names = texts(PREVIOUS_NAMES).into_iter();
        let previous = names.zip(namespaces).zip(kinds);
        let previous = previous.map(|((name, namespace), kind)| PreviousId {
            name,
            namespace,
            kind,
        });
        let history = History {
            previous: previous.collect(),
            prefixes: texts(PREFIXES),
            suffixes: texts(SUFFIXES),
            behavior: self.annotation(BEHAVIOR).map(|text| Behavior::parse(&text)),
            wants_hash: enabled(HASH),
            allows_name_change: enabled(NAME_CHANGE),
            allows_kind_change: enabled(KIND_CHANGE),
            ..History::default()
        };
        self.history = Some(Box::new(history));
        self.strip_history();
    }

    /// Writes the history into the annotations.
    pub(crate) fn show_history(&mut self) {
        let shown = self.history().map(History::annotations).unwrap_or_default();
        for (key, value) in shown {
            self.set_annotation(key, &value);
        }
    }

    /// Takes the history out of the annotations, and forgets what is no longer there.
    pub(crate) fn hide_history(&mut self) {
        let annotations = self.annotations();
        if let Some(history) = &mut self.history {
            history.keep(|key| annotations.contains_key(key));
        }
        self.strip_history();
    }

    /// Takes the history out of the annotations, whatever became of it there.
    pub(crate) fn strip_history(&mut self) {
        let shown = |key: &&str| {
            self.node
                .lookup(&["metadata", "annotations", key])
                .is_some()
        };
        let keys: Vec<&str> = ALL.into_iter().filter(shown).collect();
        if keys.is_empty() {
            return;
        }
        let metadata = self.metadata_mut();
        let annotations = metadata.get_mut("annotations").expect("it holds a key");
        for key in keys {
            annotations.remove(key);
        }
        if annotations.entries().is_empty() {
            metadata.remove("annotations");
        }
    }
}

impl History {
    fn annotations(&self) -> BTreeMap<&'static str, String> {
        let mut shown = BTreeMap::new();
        let mut list = |key, texts: Vec<&str>| {
            // A list of empty texts only is no annotation, as empty ones are not appended.
            if texts.iter().any(|text| !text.is_empty()) {
                shown.insert(key, texts.join(","));
            }
        };
        let previous = |of: fn(&super::PreviousId) -> &Text| {
            self.previous
                .iter()
                .map(|previous| &**of(previous))
                .collect()
        };
        list(PREVIOUS_NAMES, previous(|previous| &previous.name));
        list(
            PREVIOUS_NAMESPACES,
            previous(|previous| &previous.namespace),
        );
        list(PREVIOUS_KINDS, previous(|previous| &previous.kind));
        list(PREFIXES, self.prefixes.iter().map(Text::as_str).collect());
        list(SUFFIXES, self.suffixes.iter().map(Text::as_str).collect());
        if let Some(behavior) = self.behavior {
            shown.insert(BEHAVIOR, behavior.as_str().to_owned());
        }
        for (key, enabled) in [
            (HASH, self.wants_hash),
            (NAME_CHANGE, self.allows_name_change),
            (KIND_CHANGE, self.allows_kind_change),
        ] {
            if enabled {
                shown.insert(key, ENABLED.to_owned());
            }
        }
        shown
    }

    /// Forgets what is not to be kept.
    fn keep(&mut self, is_kept: impl Fn(&str) -> bool) {
        if !is_kept(PREVIOUS_NAMES) {
            self.previous.clear();
        }
        if !is_kept(PREFIXES) {
            self.prefixes.clear();
        }
        if !is_kept(SUFFIXES) {
            self.suffixes.clear();
        }
        if !is_kept(BEHAVIOR) {
            self.behavior = None;
        }
        self.wants_hash &= is_kept(HASH);
    }
}
