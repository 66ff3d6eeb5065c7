//! A resource during a build: its document and its history.
//!
//! Upstream keeps the history (previous names, prefixes, referring vars and so on) in
//! annotations of the document. It strips them at the end. Here the history is typed and
//! separate, so the document is shared between copies until it is edited.
//!
//! Parity: kustomize: `api/resource/resource.go`.

mod annotations;

use std::collections::BTreeMap;
use std::sync::Arc;

use sluice_yaml::tree::{Content, Node, Style, Tag, Text};

use crate::id::{Gvk, Id};
use crate::schema::Schema;

/// The annotation with the origin of a resource.
pub(crate) const ORIGIN_ANNOTATION: &str = "config.kubernetes.io/origin";
/// The annotation with the transformers that changed a resource.
pub(crate) const TRANSFORMATIONS_ANNOTATION: &str = "alpha.config.kubernetes.io/transformations";

/// How to add a generated resource whose id already exists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Behavior {
    /// The default; like [`Create`](Self::Create).
    #[default]
    Unspecified,
    /// Return an error.
    Create,
    /// Replace the existing resource.
    Replace,
    /// Merge into the existing resource.
    Merge,
}

impl Behavior {
    /// Parses a behavior; an unknown text is unspecified.
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

/// A previous id. Group and version are always the current ones.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PreviousId {
    name: Text,
    /// The effective namespace.
    namespace: Text,
    kind: Text,
}

/// The changes of a resource during a build, and the requests of its generator.
#[derive(Debug, Clone, Default)]
struct History {
    previous: Vec<PreviousId>,
    prefixes: Vec<Text>,
    suffixes: Vec<Text>,
    /// The names of vars that read from it.
    variables: Vec<Text>,
    /// Set for generated resources.
    behavior: Option<Behavior>,
    needs_hash: bool,
    allows_name_change: bool,
    allows_kind_change: bool,
    /// The annotations as read, if the manifest brought a history.
    read: Option<Box<ReadAnnotations>>,
}

/// The entry of the annotations in the metadata of a manifest.
#[derive(Debug, Clone)]
struct ReadAnnotations {
    place: usize,
    key: Node,
    value: Node,
}

/// A Kubernetes object, or a patch of one.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    node: Arc<Node>,
    schema: Arc<Schema>,
    /// Most resources have no history.
    history: Option<Box<History>>,
    /// The number of used ids for [`Node::twin`].
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

    /// Returns an unused id for twins.
    pub(crate) fn next_twin(&mut self) -> u32 {
        self.twins += 1;
        self.twins
    }

    /// Whether the document may have twins.
    pub(crate) fn has_twins(&self) -> bool {
        self.twins > 0
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// The document for editing; copied if shared.
    pub(crate) fn node_mut(&mut self) -> &mut Node {
        Arc::make_mut(&mut self.node)
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Whether the document is empty, for example after a deletion.
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

    /// Returns the current id.
    pub(crate) fn cur_id(&self) -> Id {
        let gvk = self.gvk();
        Id {
            cluster_scoped: self.schema.is_cluster_scoped(&gvk),
            gvk,
            name: self.name(),
            namespace: self.namespace(),
        }
    }

    /// Returns the id before all changes.
    pub(crate) fn orig_id(&self) -> Id {
        match self.history().and_then(|history| history.previous.first()) {
            Some(previous) => self.to_previous_id(previous),
            None => self.cur_id(),
        }
    }

    /// Returns the previous ids, the oldest first.
    pub(crate) fn previous_ids(&self) -> impl Iterator<Item = Id> {
        let previous = self.history().map_or(&[][..], |history| &history.previous);
        previous
            .iter()
            .map(|previous| self.to_previous_id(previous))
    }

    /// Converts a previous id. Its namespace is effective, so its scope does not matter.
    fn to_previous_id(&self, previous: &PreviousId) -> Id {
        Id {
            gvk: Gvk::new(self.api_version(), previous.kind.clone()),
            name: previous.name.clone(),
            namespace: previous.namespace.clone(),
            cluster_scoped: false,
        }
    }

    /// Whether the type is known to be cluster-scoped.
    pub(crate) fn is_cluster_scoped(&self) -> bool {
        self.schema.is_cluster_scoped(&self.gvk())
    }

    /// Stores the current id as a previous id, before a change.
    pub(crate) fn store_previous_id(&mut self) {
        let id = self.cur_id();
        let previous = PreviousId {
            namespace: Text::from(id.effective_namespace()),
            kind: Text::from(id.gvk.kind()),
            name: id.name,
        };
        self.history_mut().previous.push(previous);
    }

    /// Sets the name in the style of the old one. So a plain name of digits becomes a number,
    /// as upstream has it.
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
        node.get_mut("metadata").expect("the field was just set")
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

    /// Replaces the labels with sorted strings; an empty map removes the field.
    pub(crate) fn set_labels(&mut self, labels: &BTreeMap<Text, Text>) {
        self.set_metadata_map("labels", labels);
    }

    /// Replaces the annotations with sorted strings; an empty map removes the field.
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
        let annotations = metadata
            .get_mut("annotations")
            .expect("the field was just set");
        annotations.set(key, Node::string(value));
    }

    /// Removes an annotation, and the field with its last annotation.
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

    /// Removes the internal annotations of upstream. With `rewrite`, also converts all other
    /// annotations to strings and removes an empty map, as upstream does.
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

    /// Merges the data of another resource; the data of this one wins.
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

    /// Records a prefix of the name; ignores an empty one.
    pub(crate) fn add_prefix(&mut self, prefix: &str) {
        if !prefix.is_empty() {
            self.history_mut().prefixes.push(Text::from(prefix));
        }
    }

    /// Records a suffix of the name; ignores an empty one.
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

    /// Whether to append a hash to the name.
    pub(crate) fn needs_hash(&self) -> bool {
        self.history().is_some_and(|history| history.needs_hash)
    }

    pub(crate) fn set_needs_hash(&mut self, wanted: bool) {
        self.history_mut().needs_hash = wanted;
    }

    /// Whether this patch may rename its target.
    pub(crate) fn allows_name_change(&self) -> bool {
        self.history()
            .is_some_and(|history| history.allows_name_change)
    }

    pub(crate) fn allow_name_change(&mut self) {
        self.history_mut().allows_name_change = true;
    }

    /// Whether this patch may change the kind of its target.
    pub(crate) fn allows_kind_change(&self) -> bool {
        self.history()
            .is_some_and(|history| history.allows_kind_change)
    }

    pub(crate) fn allow_kind_change(&mut self) {
        self.history_mut().allows_kind_change = true;
    }

    /// Takes name, namespace and history of a resource that this one replaces or merges into.
    /// Labels and annotations are merged, and those of this resource win.
    pub(crate) fn take_metadata_of(&mut self, other: &Self) {
        let mut labels = other.labels();
        labels.extend(self.labels());
        self.set_labels(&labels);
        let mut annotations = other.annotations();
        annotations.extend(self.annotations());
        self.set_annotations(&annotations);
        self.set_name(&other.name());
        self.set_namespace(&other.namespace());
        let needs_hash = self.needs_hash() && other.needs_hash();
        self.history.clone_from(&other.history);
        if self.history.is_some() {
            self.set_needs_hash(needs_hash);
        }
    }
}

/// Whether a node is null, an empty map or list, or an empty scalar, which upstream treats alike.
pub(crate) fn is_nil_or_empty(node: &Node) -> bool {
    match &node.content {
        Content::Mapping(entries) => entries.is_empty(),
        Content::Sequence(items) => items.is_empty(),
        Content::Scalar(_) => node.is_null(),
        Content::Alias(_) => false,
    }
}

/// Sets a scalar. An existing one becomes plain; a new one is quoted where its text would not
/// be a string otherwise.
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

/// Whether the output of a node equals that of [`Node::string`] with its text. The style of a
/// node may change a text of several lines.
fn is_string_as_set(node: &Node) -> bool {
    let has_style = node.style.has(Style::TEXT);
    match &node.content {
        Content::Scalar(text) => node.tag == Tag::Str && !(has_style && text.contains('\n')),
        _ => false,
    }
}

/// The entries of a map as texts, sorted.
fn map_of(node: &Node) -> BTreeMap<Text, Text> {
    match &node.content {
        Content::Mapping(entries) => entries
            .iter()
            .map(|(key, value)| (text_of(key), text_of(value)))
            .collect(),
        _ => BTreeMap::new(),
    }
}

/// The text of a scalar of any type; empty for collections.
pub(crate) fn text_of(node: &Node) -> Text {
    match &node.content {
        Content::Scalar(text) => text.clone(),
        _ => Text::default(),
    }
}
