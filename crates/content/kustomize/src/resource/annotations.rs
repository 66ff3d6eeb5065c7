//! Converts the history of a resource to annotations while a patch is applied.
//!
//! Upstream keeps the history in annotations, and patches depend on it. A patch finds a map
//! of annotations even if the manifest has none. A patch that removes all annotations also
//! removes previous names and the request for a hash.

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
    /// Reads the history from the annotations of a manifest, as upstream does. The output of
    /// one build can be the input of another.
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
            needs_hash: enabled(HASH),
            allows_name_change: enabled(NAME_CHANGE),
            allows_kind_change: enabled(KIND_CHANGE),
            ..History::default()
        };
        self.history = Some(Box::new(history));
        self.strip_history();
    }

    /// Writes the history to the annotations.
    pub(crate) fn show_history(&mut self) {
        let shown = self.history().map(History::annotations).unwrap_or_default();
        for (key, value) in shown {
            self.set_annotation(key, &value);
        }
    }

    /// Removes the history from the annotations, and forgets the parts that a patch removed.
    pub(crate) fn hide_history(&mut self) {
        let annotations = self.annotations();
        if let Some(history) = &mut self.history {
            history.keep(|key| annotations.contains_key(key));
        }
        self.strip_history();
    }

    /// Removes the history from the annotations.
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
        let annotations = metadata.get_mut("annotations").expect("they hold a key");
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
            // Upstream skips empty texts, so a list of them is not an annotation.
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
            (HASH, self.needs_hash),
            (NAME_CHANGE, self.allows_name_change),
            (KIND_CHANGE, self.allows_kind_change),
        ] {
            if enabled {
                shown.insert(key, ENABLED.to_owned());
            }
        }
        shown
    }

    /// Clears the parts of the history that are not kept.
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
        self.needs_hash &= is_kept(HASH);
    }
}
