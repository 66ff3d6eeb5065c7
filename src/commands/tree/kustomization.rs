//! `tree kustomization`: the inventory as a tree, Kustomizations and Helm releases in it opened in
//! turn; if that is wanted, down to the Pods.
//!
//! An object that the inventory has and the cluster has not is marked, and one that applies to a
//! remote cluster has nothing below its own inventory: what that names is not here.

mod health;
mod pods;

use futures::StreamExt as _;
use futures::future::{FutureExt as _, LocalBoxFuture};
use serde_json::Value;
use sluice_object::{Object, ObjectId};

use super::entry::{self, Entry};
use crate::CommandResult;
use crate::cluster::Context;
use crate::commands::release;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::resource::{self, HELM, KUSTOMIZE, Resource, at, by_kind, text};

/// Requests under way at once.
const CONCURRENCY: usize = 16;

/// What the groups of Flux's own kinds have in common.
const FLUX: &str = "toolkit.fluxcd.io";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the Kustomization
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Show Flux's own objects only
    #[arg(long, switch = false)]
    compact: bool,
    /// How many levels are shown below the Kustomization
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,
    /// Format of the output
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
    /// Show what workloads made, down to their Pods
    #[arg(long, switch = false)]
    pods: bool,
    /// Show how each object fares
    #[arg(long, switch = false)]
    status: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let Some(name) = args.name.first() else {
        return Err(CommandError::user("kustomization name is required"));
    };
    let root = context.block_on(async {
        let object = context.required(kustomizations()?, name).await?;
        let view = View {
            context,
            compact: args.compact,
        };
        let levels = args.depth.unwrap_or(usize::MAX);
        let mut root = view.entry(&object, &[], levels).await?;
        if args.pods {
            pods::add(context, &mut root, levels).await?;
        }
        if args.status {
            health::add(context, &mut root).await?;
        }
        Ok::<_, CommandError>(root)
    })??;
    entry::print(&root, args.output)
}

fn kustomizations() -> Result<&'static Resource, CommandError> {
    by_kind("Kustomization")
        .ok_or_else(|| CommandError::internal("the registry lacks Kustomization"))
}

/// What is shown of a tree.
struct View<'a> {
    context: &'a Context,
    compact: bool,
}

impl View<'_> {
    /// What a Kustomization applied. `above` breaks the loop of those that apply each other.
    fn entry<'a>(
        &'a self,
        object: &'a Object,
        above: &'a [ObjectId],
        levels: usize,
    ) -> LocalBoxFuture<'a, Result<Entry, CommandError>> {
        async move {
            let mut entry = Entry::leaf(&object.id());
            if levels == 0 {
                return Ok(entry);
            }
            let own = object.id();
            let above = [above, std::slice::from_ref(&own)].concat();
            let opens = at(object, "/spec/kubeConfig").is_none_or(Value::is_null);
            let ids = inventory(object)?;
            let ids = ids.iter().filter(|id| self.shows(id) && **id != own);
            entry.resources = futures::stream::iter(ids)
                .map(|id| self.child(id, &above, opens, levels - 1))
                .buffered(CONCURRENCY)
                .collect::<Vec<_>>()
                .await
                .into_iter()
                .collect::<Result<_, _>>()?;
            Ok(entry)
        }
        .boxed_local()
    }

    fn shows(&self, id: &ObjectId) -> bool {
        !self.compact || id.group.contains(FLUX)
    }

    async fn child(
        &self,
        id: &ObjectId,
        above: &[ObjectId],
        opens: bool,
        levels: usize,
    ) -> Result<Entry, CommandError> {
        let mut leaf = Entry::leaf(id);
        if !opens {
            return Ok(leaf);
        }
        match (id.group.as_str(), id.kind.as_str()) {
            (KUSTOMIZE, "Kustomization") if !above.contains(id) => {
                let found = self
                    .context
                    .find_in(kustomizations()?, &id.namespace, &id.name)
                    .await?;
                match found {
                    Some(child) => self.entry(&child, above, levels).await,
                    None => Ok(leaf.missing()),
                }
            }
            (HELM, "HelmRelease") => match release::inventory(self.context, id).await? {
                Some(ids) => {
                    let ids = ids.iter().filter(|id| levels > 0 && self.shows(id));
                    leaf.resources = ids.map(Entry::leaf).collect();
                    Ok(leaf)
                }
                None => Ok(leaf.missing()),
            },
            _ => Ok(leaf),
        }
    }
}

/// The ids in `status.inventory`, in its order.
fn inventory(object: &Object) -> Result<Vec<ObjectId>, CommandError> {
    resource::inventory(object)
        .map(|(id, _)| {
            ObjectId::parse_inventory(id).map_err(|error| {
                CommandError::cluster(format!(
                    "inventory of Kustomization '{}/{}': {error}",
                    text(object, "/metadata/namespace"),
                    object.name()
                ))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_inventory_is_read_in_its_order_and_a_bad_id_is_named() {
        let object = |ids: &[&str]| -> Object {
            let entries: Vec<Value> = ids.iter().map(|id| json!({"id": id, "v": "v1"})).collect();
            serde_json::from_value(json!({
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "metadata": {"name": "apps", "namespace": "flux-system"},
                "status": {"inventory": {"entries": entries}},
            }))
            .unwrap()
        };
        let ids = inventory(&object(&["_web__Namespace", "web_app_apps_Deployment"])).unwrap();
        assert_eq!(ids[0].kind, "Namespace");
        assert_eq!(ids[1].group, "apps");
        let error = inventory(&object(&["nonsense"])).unwrap_err();
        assert!(
            error.message().contains("flux-system/apps"),
            "{}",
            error.message()
        );
    }
}
