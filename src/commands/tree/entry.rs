//! Prints a tree of objects as a drawing, YAML or JSON.

use sluice_insight::tree::Node;
use sluice_object::ObjectId;

use crate::output::tree::{Canvas, Node as Line, Tone};
use crate::output::{self, Format};
use crate::{CommandResult, Exit};

/// Prints a tree. Flux ends drawings and YAML with an empty line.
pub(super) fn print(root: &Node, format: Option<Format>) -> CommandResult {
    let text = match format {
        Some(Format::Json) => output::value(root, Format::Json)?,
        Some(Format::Yaml) => format!("{}\n", output::value(root, Format::Yaml)?),
        None => format!("{}\n", line(root).render_on(Canvas::stdout())),
    };
    output::data(&text)?;
    Ok(Exit::SUCCESS)
}

fn line(node: &Node) -> Line {
    let ObjectId {
        namespace, name, ..
    } = &node.resource;
    let label = if namespace.is_empty() {
        format!("{}/{name}", node.kind())
    } else {
        format!("{}/{namespace}/{name}", node.kind())
    };
    let note = if node.missing {
        Some((Tone::Bad, "missing".to_owned()))
    } else {
        node.status.clone().map(|status| (tone(&status), status))
    };
    Line {
        label,
        note,
        children: node.resources.iter().map(line).collect(),
    }
}

/// Returns the tone of a status by its first word.
fn tone(status: &str) -> Tone {
    match status.split(':').next().unwrap_or_default() {
        "Current" => Tone::Good,
        "Failed" | "NotFound" => Tone::Bad,
        _ => Tone::Open,
    }
}
