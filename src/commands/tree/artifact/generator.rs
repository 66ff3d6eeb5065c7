//! `tree artifact generator`: the external artifacts in the inventory of an artifact generator.

use serde_json::Value;
use sluice_object::{Object, ObjectId};

use super::super::entry::{self, Entry};
use crate::CommandResult;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::Format;
use crate::resource::{at, by_kind};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the artifact generator
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Format of the output
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let [name] = args.name.as_slice() else {
        let typed = args.name.len();
        return Err(CommandError::user(format!(
            "accepts 1 arg(s), received {typed}"
        )));
    };
    let lacks = |kind| CommandError::internal(format!("the registry lacks {kind}"));
    let generator = by_kind("ArtifactGenerator").ok_or_else(|| lacks("ArtifactGenerator"))?;
    let artifact = by_kind("ExternalArtifact").ok_or_else(|| lacks("ExternalArtifact"))?;
    let object = context.block_on(context.required(generator, name))??;
    entry::print(&tree(&object, artifact.group, artifact.kind), args.output)
}

/// The generator with what its inventory names below it, in the inventory's order.
fn tree(generator: &Object, group: &str, kind: &str) -> Entry {
    let mut root = Entry::leaf(&generator.id());
    let inventory = at(generator, "/status/inventory").and_then(Value::as_array);
    root.resources = inventory
        .into_iter()
        .flatten()
        .map(|made| {
            let text = |field: &str| made[field].as_str().unwrap_or_default().to_owned();
            Entry::leaf(&ObjectId {
                group: group.to_owned(),
                kind: kind.to_owned(),
                namespace: text("namespace"),
                name: text("name"),
            })
        })
        .collect();
    root
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_made_is_below_the_generator_in_the_order_of_the_inventory() {
        let generator: Object = serde_json::from_value(json!({
            "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
            "metadata": {"name": "split", "namespace": "apps"},
            "status": {"inventory": [
                {"name": "web", "namespace": "apps", "digest": "sha256:1", "filename": "1.tar.gz"},
                {"name": "api", "namespace": "apps"},
            ]},
        }))
        .unwrap();
        let root = tree(&generator, "source.toolkit.fluxcd.io", "ExternalArtifact");
        assert_eq!(
            entry::node(&root).render(),
            "ArtifactGenerator/apps/split\n\
             ├── ExternalArtifact/apps/web\n\
             └── ExternalArtifact/apps/api\n"
        );
    }
}
