//! Implements `create tenant`: creates namespaces with an account that has a cluster role there.
//!
//! Existing objects are updated, and foreign labels stay. A binding is recreated only if its role
//! differs, because the API server refuses to change it.

use serde_json::{Map, Value, json};
use sluice_client::{DeleteOptions, GroupVersionKind};
use sluice_golang::non_empty;
use sluice_object::names;

use super::{Creation, WRITE, format_faults, print};
use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags};

const LABEL: &str = "toolkit.fluxcd.io/tenant";
const RBAC: &str = "rbac.authorization.k8s.io";
/// Role with all permissions.
const ADMINISTRATOR: &str = "cluster-admin";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Cluster role of the tenant in its namespaces
    #[arg(long, default_value = ADMINISTRATOR, value_name = "ROLE")]
    cluster_role: String,
    /// Skip creating the namespaces
    #[arg(long, switch = false)]
    skip_namespace: bool,
    /// Namespaces of the tenant
    #[arg(long, value_parser = flags::csv, value_name = "NAMESPACE")]
    with_namespace: Vec<Vec<String>>,
    /// Service account of the tenant [default: name of the tenant]
    #[arg(long, value_name = "NAME")]
    with_service_account: Option<String>,
}

/// A tenant's objects in one namespace.
struct Place {
    namespace: Value,
    account: Value,
    binding: Value,
}

pub(super) fn run(args: &Args, creation: &Creation<'_>) -> CommandResult {
    let places = places(args, creation)?;
    let progress = creation.context.progress;
    if args.cluster_role == ADMINISTRATOR {
        progress
            .warning("the tenant may do everything in its namespaces: --cluster-role names less");
    }
    if creation.common.export {
        for place in &places {
            let objects = [&place.namespace, &place.account, &place.binding];
            for object in objects.into_iter().skip(usize::from(args.skip_namespace)) {
                print(object)?;
            }
        }
        return Ok(Exit::SUCCESS);
    }
    creation.context.block_on(async {
        for place in &places {
            let mut steps = vec![
                ("namespace", &place.namespace),
                ("service account", &place.account),
                ("role binding", &place.binding),
            ];
            if args.skip_namespace {
                steps.remove(0);
            }
            for (human, object) in steps {
                progress.action(format!("applying {human} {}", text(object, "name")));
                write(creation.context, object).await?;
            }
        }
        Ok::<_, CommandError>(())
    })??;
    progress.success("tenant setup completed");
    Ok(Exit::SUCCESS)
}

fn places(args: &Args, creation: &Creation<'_>) -> Result<Vec<Place>, CommandError> {
    let tenant = creation.name;
    check("tenant name", tenant, &names::label_key_faults(tenant))?;
    if args.cluster_role.is_empty() {
        return Err(CommandError::missing_flag(
            "cluster-role is required",
            "--cluster-role",
        ));
    }
    let namespaces = args.with_namespace.concat();
    if namespaces.is_empty() {
        return Err(CommandError::missing_flag(
            "with-namespace is required",
            "--with-namespace",
        ));
    }
    namespaces
        .iter()
        .map(|namespace| {
            check("namespace", namespace, &names::label_key_faults(namespace))?;
            check("namespace", namespace, &names::label_faults(namespace))?;
            let mut labels = creation.labels()?;
            labels.insert(LABEL.to_owned(), json!(tenant));
            let account = non_empty(args.with_service_account.as_deref()).unwrap_or(tenant);
            check(
                "service-account name",
                account,
                &names::label_key_faults(account),
            )?;
            Ok(place(
                tenant,
                namespace,
                account,
                &args.cluster_role,
                &labels,
            ))
        })
        .collect()
}

fn check(what: &str, name: &str, faults: &[String]) -> Result<(), CommandError> {
    match format_faults(faults) {
        Some(faults) => Err(CommandError::user(format!(
            "invalid {what} '{name}': {faults}"
        ))),
        None => Ok(()),
    }
}

fn place(
    tenant: &str,
    namespace: &str,
    account: &str,
    role: &str,
    labels: &Map<String, Value>,
) -> Place {
    let metadata = |name: &str| json!({ "name": name, "namespace": namespace, "labels": labels });
    Place {
        namespace: json!({
            "apiVersion": "v1", "kind": "Namespace",
            "metadata": { "name": namespace, "labels": labels },
        }),
        account: json!({
            "apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(account),
        }),
        binding: json!({
            "apiVersion": format!("{RBAC}/v1"), "kind": "RoleBinding",
            "metadata": metadata(&format!("{tenant}-reconciler")),
            "roleRef": { "apiGroup": RBAC, "kind": "ClusterRole", "name": role },
            "subjects": [
                { "apiGroup": RBAC, "kind": "User", "name": format!("gotk:{namespace}:reconciler") },
                { "kind": "ServiceAccount", "name": account, "namespace": namespace },
            ],
        }),
    }
}

fn text<'o>(object: &'o Value, field: &str) -> &'o str {
    object["metadata"][field].as_str().unwrap_or_default()
}

/// Creates an object, or updates the existing one.
async fn write(context: &Context, wanted: &Value) -> Result<(), CommandError> {
    let cluster = context.cluster()?;
    let api_version = wanted["apiVersion"].as_str().unwrap_or_default();
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let kind = wanted["kind"].as_str().unwrap_or_default();
    let gvk = GroupVersionKind::gvk(group, version, kind);
    let name = text(wanted, "name");
    let namespace = Some(text(wanted, "namespace")).filter(|namespace| !namespace.is_empty());
    let live = cluster
        .get(&gvk, namespace, name)
        .await
        .map_err(|error| refusal(&error))?;
    let written = match live {
        None => cluster.create(&gvk, namespace, wanted, WRITE).await,
        Some(live) if has_other_role(wanted, &live) => {
            let deleted = cluster
                .delete(&gvk, namespace, name, &DeleteOptions::default())
                .await;
            match deleted {
                Ok(_) => cluster.create(&gvk, namespace, wanted, WRITE).await,
                Err(error) => Err(error),
            }
        }
        Some(_) => {
            let mut patch = json!({ "metadata": { "labels": wanted["metadata"]["labels"] } });
            if let Some(subjects) = wanted.get("subjects") {
                patch["subjects"] = subjects.clone();
            }
            cluster.merge(&gvk, namespace, name, &patch, WRITE).await
        }
    };
    written.map(drop).map_err(|error| refusal(&error))
}

fn has_other_role(wanted: &Value, live: &Value) -> bool {
    wanted.get("roleRef").is_some() && wanted["roleRef"] != live["roleRef"]
}
