//! A resource in the course of a build: its document, and its history.
//!
//! Upstream keeps the history (earlier names, prefixes, what refers to it …) in
//! annotations of the document itself and strips them at the end. Here it is
//! typed and stands beside the document, which therefore needs no stripping and
//! is shared until somebody edits it.
//!
//! Parity: kustomize: `api/resource/resource.go`.

mod annotations;

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_yaml::tree::{Content, Node, Style, Tag, Text};

use crate::facts::Schema;
use crate::id::{Gvk, Id};

/// What to do with a generated resource whose id exists already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Behavior {
    /// Nothing was said; as [`Create`](Self::Create).
    #[default]
    Unspecified,
    /// Refuse.
    Create,
    /// Take its place.
    Replace,
    /// Add to it.
    Merge,
}

impl Behavior {
    /// What is not known is unspecified.
    pub(crate) fn parse(text: &str) -> Self {
        match text {
            "create" => Self::Create,
            "replace" => Self::Replace,
            "merge" => Self::Merge,
            _ => Self::Unspecified,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Create => "create",
            Self::Replace => "replace",
            Self::Merge => "merge",
        }
    }
}

/// A name that a resource had; group and version are always the current ones.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PreviousId {
    name: Text,
    /// The effective one.
    namespace: Text,
    kind: Text,
}

/// What happened to a resource.
#[derive(Debug, Clone, Default)]
struct History {
    previous: Vec<PreviousId>,
    prefixes: Vec<Text>,
    suffixes: Vec<Text>,
    /// The names of vars that read from it.
    variables: Vec<Text>,
    /// Generated resources have one.
    behavior: Option<Behavior>,
    wants_hash: bool,
    allows_name_change: bool,
    allows_kind_change: bool,
}

/// A Kubernetes object, or a part of one that is a patch.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    node: Arc<Node>,
    schema: Arc<Schema>,
    /// Most resources have none.
    history: Option<Box<History>>,
    /// How many numbers of [`Node::twin`] were given away.
    twins: u32,
}

impl Resource {
    pub(crate) fn new(node: Node, schema: Arc<Schema>) -> Self {
        Self {
            node: Arc::new(node),
            schema,
            history: None,
            twins: 0,
        }
    }

    /// A number for twins that no node of the document has.
    pub(crate) fn next_twin(&mut self) -> u32 {
        self.twins += 1;
        self.twins
    }

    /// May the document have twins?
    pub(crate) fn has_twins(&self) -> bool {
        self.twins > 0
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// The document, to be edited; it is copied if it is shared.
    pub(crate) fn node_mut(&mut self) -> &mut Node {
        Arc::make_mut(&mut self.node)
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Nothing is left of it.
    pub(crate) fn is_empty(&self) -> bool {
        is_nil_or_empty(&self.node)
    }

    fn metadata(&self) -> Option<&Node> {
        self.node
            .get("metadata")
            .filter(|node| !is_nil_or_empty(node))
    }

    fn metadata_text(&self, field: &str) -> Text {
        self.metadata()
            .and_then(|metadata| metadata.get(field))
            .filter(|node| !is_nil_or_empty(node))
            .map(text_of)
            .unwrap_or_default()
    }

    fn field_text(&self, field: &str) -> Text {
        self.node.get(field).map(text_of).unwrap_or_default()
    }

    pub(crate) fn name(&self) -> Text {
        self.metadata_text("name")
    }

    pub(crate) fn namespace(&self) -> Text {
        self.metadata_text("namespace")
    }

    pub(crate) fn kind(&self) -> Text {
        self.field_text("kind")
    }

    pub(crate) fn api_version(&self) -> Text {
        self.field_text("apiVersion")
    }

    pub(crate) fn gvk(&self) -> Gvk {
        Gvk::new(self.api_version(), self.kind())
    }

    /// The identity as the document has it now.
    pub(crate) fn cur_id(&self) -> Id {
        let gvk = self.gvk();
        Id {
            cluster_scoped: self.schema.is_cluster_scoped(&gvk),
            gvk,
            name: self.name(),
            namespace: self.namespace(),
        }
    }

    /// The identity it began with.
    pub(crate) fn orig_id(&self) -> Id {
        match self.history().and_then(|history| history.previous.first()) {
            Some(previous) => self.revive(previous),
            None => self.cur_id(),
        }
    }

    /// The identities it had before the current one, the oldest first.
    pub(crate) fn previous_ids(&self) -> impl Iterator<Item = Id> {
        let previous = self.history().map_or(&[][..], |history| &history.previous);
        previous.iter().map(|previous| self.revive(previous))
    }

    /// An earlier id. Its namespace is the effective one, so that it needs no scope.
    fn revive(&self, previous: &PreviousId) -> Id {
        Id {
            gvk: Gvk::new(self.api_version(), previous.kind.clone()),
            name: previous.name.clone(),
            namespace: previous.namespace.clone(),
            cluster_scoped: false,
        }
    }

    /// Is the type certainly one of the cluster?
    pub(crate) fn is_cluster_scoped(&self) -> bool {
        self.schema.is_cluster_scoped(&self.gvk())
    }

    /// Remembers the current id, before a change to it.
    pub(crate) fn store_previous_id(&mut self) {
        let id = self.cur_id();
        let previous = PreviousId {
            namespace: Text::from(id.effective_namespace()),
            kind: Text::from(id.gvk.kind()),
            name: id.name,
        };
        self.history_mut().previous.push(previous);
    }

    /// Sets the name. It is written as the old one was, so that a plain one made
    /// of digits alone is a number, as upstream has it.
    pub(crate) fn set_name(&mut self, name: &str) {
        set_scalar(self.metadata_mut(), "name", name);
    }

    /// Sets the namespace; an empty one removes the field.
    pub(crate) fn set_namespace(&mut self, namespace: &str) {
        if !namespace.is_empty() {
            let metadata = self.metadata_mut();
            set_scalar(metadata, "namespace", namespace);
        } else if self.node.lookup(&["metadata", "namespace"]).is_some() {
            self.metadata_mut().remove("namespace");
        }
    }

    pub(crate) fn set_kind(&mut self, kind: &str) {
        set_scalar(self.node_mut(), "kind", kind);
    }

    pub(crate) fn set_api_version(&mut self, api_version: &str) {
        set_scalar(self.node_mut(), "apiVersion", api_version);
    }

    fn metadata_mut(&mut self) -> &mut Node {
        let node = self.node_mut();
        if !node.get("metadata").is_some_and(is_map) {
            node.set("metadata", Node::map::<Text>([]));
        }
        node.get_mut("metadata").expect("it was just set")
    }

    pub(crate) fn labels(&self) -> BTreeMap<Text, Text> {
        self.metadata_map("labels")
    }

    pub(crate) fn annotations(&self) -> BTreeMap<Text, Text> {
        self.metadata_map("annotations")
    }

    pub(crate) fn annotation(&self, key: &str) -> Option<Text> {
        self.metadata()?.get("annotations")?.get(key).map(text_of)
    }

    fn metadata_map(&self, field: &str) -> BTreeMap<Text, Text> {
        let map = self.metadata().and_then(|metadata| metadata.get(field));
        map.map(map_of).unwrap_or_default()
    }

    /// Replaces the labels: sorted, each a string; none removes the field.
    pub(crate) fn set_labels(&mut self, labels: &BTreeMap<Text, Text>) {
        self.set_metadata_map("labels", labels);
    }

    /// Replaces the annotations: sorted, each a string; none removes the field.
    pub(crate) fn set_annotations(&mut self, annotations: &BTreeMap<Text, Text>) {
        self.set_metadata_map("annotations", annotations);
    }

    fn set_metadata_map(&mut self, field: &str, map: &BTreeMap<Text, Text>) {
        let metadata = self.metadata_mut();
        metadata.remove(field);
        if map.is_empty() {
            return;
        }
        let mut node = Node::map::<Text>([]);
        for (key, value) in map {
            node.set(key, Node::string(value.clone()));
        }
        metadata.set(field, node);
    }

    pub(crate) fn set_annotation(&mut self, key: &str, value: &str) {
        let metadata = self.metadata_mut();
        if !metadata.get("annotations").is_some_and(is_map) {
            metadata.set("annotations", Node::map::<Text>([]));
        }
        let annotations = metadata.get_mut("annotations").expect("it was just set");
        annotations.set(key, Node::string(value));
    }

    /// Removes an annotation, and with the last one all trace of them.
    pub(crate) fn remove_annotation(&mut self, key: &str) {
        if self
            .node
            .lookup(&["metadata", "annotations", key])
            .is_none()
        {
            return;
        }
        let metadata = self.metadata_mut();
        if let Some(annotations) = metadata.get_mut("annotations") {
            annotations.remove(key);
            if annotations.entries().is_empty() {
                metadata.remove("annotations");
            }
        }
    }

    /// Removes the annotations that upstream keeps for itself. If `rewrite` is
    /// set, all others become strings, as they do where upstream sets one of
    /// them, and an empty map of them vanishes.
    pub(crate) fn strip_internal_annotations(&mut self, rewrite: bool) {
        const INTERNAL: &str = "internal.config.kubernetes.io/";
        const LEGACY: [&str; 3] = [
            "config.kubernetes.io/path",
            "config.kubernetes.io/index",
            "config.k8s.io/id",
        ];
        const NAMES: [&str; 16] = [
            "previousKinds",
            "previousNames",
            "previousNamespaces",
            "prefixes",
            "suffixes",
            "refBy",
            "generatorBehavior",
            "needsHashSuffix",
            "allowNameChange",
            "allowKindChange",
            "path",
            "index",
            "seqindent",
            "id",
            "annotations-migration-resource-id",
            "helm-generated",
        ];
        let is_internal = |key: &str| {
            LEGACY.contains(&key)
                || key
                    .strip_prefix(INTERNAL)
                    .is_some_and(|name| NAMES.contains(&name))
        };
        let annotations = self
            .metadata()
            .and_then(|metadata| metadata.get("annotations"));
        let unchanged = match annotations {
            None => !rewrite || self.metadata().is_some(),
            Some(map) if map.entries().is_empty() => !rewrite,
            Some(map) => map
                .entries()
                .iter()
                .all(|(key, value)| is_string_as_set(value) && !is_internal(key.key_text())),
        };
        if unchanged {
            return;
        }
        let mut annotations = self.annotations();
        annotations.retain(|key, _| !is_internal(key));
        self.set_annotations(&annotations);
    }

    /// Adds the data of another to that of this one, which wins.
    pub(crate) fn merge_data_of(&mut self, other: &Self) {
        for field in ["data", "binaryData"] {
            let mut data = other.data(field);
            data.extend(self.data(field));
            self.node_mut().remove(field);
            if data.is_empty() {
                continue;
            }
            let mut node = Node::map::<Text>([]);
            for (key, value) in data {
                node.set(&key, Node::string(value));
            }
            self.node_mut().set(field, node);
        }
    }

    fn data(&self, field: &str) -> BTreeMap<Text, Text> {
        self.node.get(field).map(map_of).unwrap_or_default()
    }

    fn history(&self) -> Option<&History> {
        self.history.as_deref()
    }

    fn history_mut(&mut self) -> &mut History {
        self.history.get_or_insert_default()
    }

    pub(crate) fn prefixes(&self) -> &[Text] {
        self.history().map_or(&[], |history| &history.prefixes)
    }

    pub(crate) fn suffixes(&self) -> &[Text] {
        self.history().map_or(&[], |history| &history.suffixes)
    }

    /// Remembers a prefix that the name got; an empty one is none.
    pub(crate) fn add_prefix(&mut self, prefix: &str) {
        if !prefix.is_empty() {
            self.history_mut().prefixes.push(Text::from(prefix));
        }
    }

    /// Remembers a suffix that the name got; an empty one is none.
    pub(crate) fn add_suffix(&mut self, suffix: &str) {
        if !suffix.is_empty() {
            self.history_mut().suffixes.push(Text::from(suffix));
        }
    }

    /// The names of vars that take their value from this resource.
    pub(crate) fn variables(&self) -> &[Text] {
        self.history().map_or(&[], |history| &history.variables)
    }

    pub(crate) fn add_variable(&mut self, name: &str) {
        self.history_mut().variables.push(Text::from(name));
    }

    pub(crate) fn behavior(&self) -> Behavior {
        let history = self.history();
        history
            .and_then(|history| history.behavior)
            .unwrap_or_default()
    }

    pub(crate) fn set_behavior(&mut self, behavior: Behavior) {
        self.history_mut().behavior = Some(behavior);
    }

    /// Is a hash of the content to be added to the name?
    pub(crate) fn wants_hash(&self) -> bool {
        self.history().is_some_and(|history| history.wants_hash)
    }

    pub(crate) fn set_wants_hash(&mut self, wanted: bool) {
        self.history_mut().wants_hash = wanted;
    }

    /// May this patch rename its target?
    pub(crate) fn allows_name_change(&self) -> bool {
        self.history()
            .is_some_and(|history| history.allows_name_change)
    }

    pub(crate) fn allow_name_change(&mut self) {
        self.history_mut().allows_name_change = true;
    }

    /// May this patch change the kind of its target?
    pub(crate) fn allows_kind_change(&self) -> bool {
        self.history()
            .is_some_and(|history| history.allows_kind_change)
    }

    pub(crate) fn allow_kind_change(&mut self) {
        self.history_mut().allows_kind_change = true;
    }

    /// Takes over name, namespace and history of a resource that this one is
    /// merged onto or takes the place of; labels and annotations of both, the
    /// own ones winning.
    pub(crate) fn take_metadata_of(&mut self, other: &Self) {
        let mut labels = other.labels();
        labels.extend(self.labels());
        self.set_labels(&labels);
        let mut annotations = other.annotations();
        annotations.extend(self.annotations());
        self.set_annotations(&annotations);
        self.set_name(&other.name());
        self.set_namespace(&other.namespace());
        let wants_hash = self.wants_hash() && other.wants_hash();
        self.history.clone_from(&other.history);
        if self.history.is_some() {
            self.set_wants_hash(wants_hash);
        }
    }
}

/// Null, an empty map or list, or a scalar without text: upstream takes them
/// all for nothing.
pub(crate) fn is_nil_or_empty(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(entries) => entries.is_empty(),
        Content::Sequence(items) => items.is_empty(),
        Content::Scalar(_) => node.is_null(),
        Content::Alias(_) => false,
    }
}

/// Sets a scalar that does not say what it is; a new one is quoted where its
/// text would make it something else than text.
fn set_scalar(node: &mut Node, field: &str, text: &str) {
    let value = match node.get(field) {
        Some(_) => Node::plain(text),
        None => Node::string(text),
    };
    node.set(field, value);
}

fn is_map(node: &Node) -> bool {
    matches!(node.content, Content::Mapping(_))
}

/// Is it what [`Node::string`] makes of its text, as far as the output shows? A
/// text of several lines may change on its way through its own style.
fn is_string_as_set(node: &Node) -> bool {
    let has_style = node.style.has(Style::TEXT);
    match &node.content {
        Content::Scalar(text) => node.tag == Tag::Str && !(has_style && text.contains('\n')),
        _ => false,
    }
}

/// The entries of a map as texts; sorted.
fn map_of(node: &Node) -> BTreeMap<Text, Text> {
    match &node.content {
        Content::Mapping(entries) => entries
            .iter()
            .map(|(key, value)| (text_of(key), text_of(value)))
            .collect(),
        _ => BTreeMap::new(),
    }
}

/// The text of a scalar whatever it resolves to; collections have none.
pub(crate) fn text_of(node: &Node) -> Text {
    match &node.content {
        Content::Scalar(text) => text.clone(),
        _ => Text::default(),
    }
}
