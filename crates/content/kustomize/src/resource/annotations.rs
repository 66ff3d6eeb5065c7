//! Converts the history of a resource to annotations while a patch is applied, and for a hash.
//!
//! Upstream keeps the history in annotations, and patches depend on it. A patch finds a map
//! of annotations even if the manifest has none. A patch that removes all annotations also
//! removes previous names and the request for a hash. The hash of an object counts them too.

use std::collections::BTreeMap;

use sluice_yaml::tree::{Content, Node, Style, Tag, Text};

use super::{Behavior, History, PreviousId, ReadAnnotations, Resource, is_map};

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

/// In the order in which upstream adds them.
const ALL: [&str; 9] = [
    PREFIXES,
    PREVIOUS_NAMES,
    PREVIOUS_NAMESPACES,
    PREVIOUS_KINDS,
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
            read: self.read_annotations().map(Box::new),
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

    fn read_annotations(&self) -> Option<ReadAnnotations> {
        let metadata = self.metadata()?.entries();
        let place = metadata
            .iter()
            .position(|(key, _)| key.key_text() == "annotations")?;
        let (key, value) = metadata[place].clone();
        Some(ReadAnnotations { place, key, value })
    }

    /// Returns the document as upstream has it: with the history in its annotations.
    pub(crate) fn document_with_history(&self) -> Node {
        let mut resource = self.clone();
        let Some(history) = self.history() else {
            return (*resource.node).clone();
        };
        if let Some(read) = &history.read {
            resource.restore_annotations(read);
        }
        let shown = history.annotations();
        for key in ALL {
            if let Some(value) = shown.get(key)
                && resource.annotation(key).as_deref() != Some(value.as_str())
            {
                resource.add_internal_annotation(key, value);
            }
        }
        (*resource.node).clone()
    }

    /// Puts the annotations back as they were read, unless the build changed them.
    fn restore_annotations(&mut self, read: &ReadAnnotations) {
        let mut stripped = read.value.clone();
        for key in ALL {
            stripped.remove(key);
        }
        let known = self.node.lookup(&["metadata", "annotations"]);
        let is_unchanged = match known {
            None => stripped.entries().is_empty(),
            Some(known) => *known == stripped,
        };
        if !is_unchanged {
            return;
        }
        let metadata = self.metadata_mut();
        metadata.remove("annotations");
        if let Content::Mapping(entries) = &mut metadata.content {
            let place = read.place.min(entries.len());
            entries.insert(place, (read.key.clone(), read.value.clone()));
        }
    }

    /// Sets an annotation with the tags and the quotes that upstream gives it.
    fn add_internal_annotation(&mut self, key: &str, value: &str) {
        let value = Node {
            style: Style::SINGLE_QUOTED,
            ..Node::string(value)
        };
        let metadata = self.metadata_mut();
        if !metadata.get("annotations").is_some_and(is_map) {
            metadata.remove("annotations");
            let annotations = Node {
                content: Content::Mapping(Vec::new()),
                tag: Tag::Unset,
                ..Node::default()
            };
            add(metadata, "annotations", annotations);
        }
        let annotations = metadata.get_mut("annotations");
        let annotations = annotations.expect("the field was just added");
        match annotations.get_mut(key) {
            Some(known) => known.replace(value),
            None => add(annotations, key, value),
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

/// Adds an entry whose key has no type, as upstream does.
fn add(map: &mut Node, key: &str, value: Node) {
    if let Content::Mapping(entries) = &mut map.content {
        entries.push((Node::plain(key), value));
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
