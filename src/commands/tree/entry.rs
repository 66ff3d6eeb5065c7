//! What a tree is made of, and how it is printed: as a drawing, as YAML or as JSON.

use serde::{Serialize, Serializer};
use serde_json::json;
use sluice_object::ObjectId;

use crate::output::tree::{Canvas, Node, Tone};
use crate::output::{self, Format};
use crate::{CommandResult, Exit};

/// An object and the objects that it manages.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    #[serde(serialize_with = "serialize_id")]
    pub(super) resource: ObjectId,
    /// The inventory lists the object, but the cluster does not have it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) missing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resources: Vec<Self>,
}

/// Writes an id as Go marshals `object.ObjMetadata`.
fn serialize_id<S: Serializer>(id: &ObjectId, serializer: S) -> Result<S::Ok, S::Error> {
    json!({
        "Namespace": id.namespace,
        "Name": id.name,
        "GroupKind": { "Group": id.group, "Kind": id.kind },
    })
    .serialize(serializer)
}

/// Prints a tree. Flux ends drawings and YAML with an empty line.
pub(super) fn print(root: &Entry, format: Option<Format>) -> CommandResult {
    let text = match format {
        Some(Format::Json) => output::value(root, Format::Json)?,
        Some(Format::Yaml) => format!("{}\n", output::value(root, Format::Yaml)?),
        None => format!("{}\n", node(root).render_on(Canvas::stdout())),
    };
    output::data(&text)?;
    Ok(Exit::SUCCESS)
}

impl Entry {
    pub(super) fn leaf(id: &ObjectId) -> Self {
        Self {
            resource: id.clone(),
            missing: false,
            status: None,
            resources: Vec::new(),
        }
    }

    pub(super) fn missing(mut self) -> Self {
        self.missing = true;
        self
    }

    pub(super) fn kind(&self) -> &str {
        &self.resource.kind
    }

    pub(super) fn group(&self) -> &str {
        &self.resource.group
    }
}

pub(super) fn node(entry: &Entry) -> Node {
    let ObjectId {
        namespace, name, ..
    } = &entry.resource;
    let label = if namespace.is_empty() {
        format!("{}/{name}", entry.kind())
    } else {
        format!("{}/{namespace}/{name}", entry.kind())
    };
    let note = if entry.missing {
        Some((Tone::Bad, "missing".to_owned()))
    } else {
        entry.status.clone().map(|status| (tone(&status), status))
    };
    Node {
        label,
        note,
        children: entry.resources.iter().map(node).collect(),
    }
}

/// How a status is to be taken, by its first word.
fn tone(status: &str) -> Tone {
    match status.split(':').next().unwrap_or_default() {
        "Current" => Tone::Good,
        "Failed" | "NotFound" => Tone::Bad,
        _ => Tone::Open,
    }
}
