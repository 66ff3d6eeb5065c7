//! `stats`: how many objects of each kind there are, how they fare, and what they store.

use futures::future::join_all;
use serde_json::Value;
use sluice_object::Object;

use crate::cluster::{Context, ListError};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::table::Table;
use crate::resource::{Resource, at, by_kind, is_suspended};
use crate::{CommandResult, Exit, compat, output};

/// The kinds that are counted, in the order of print.
const KINDS: [&str; 13] = [
    "GitRepository",
    "OCIRepository",
    "HelmRepository",
    "HelmChart",
    "Bucket",
    "Kustomization",
    "HelmRelease",
    "Alert",
    "Provider",
    "Receiver",
    "ImageUpdateAutomation",
    "ImagePolicy",
    "ImageRepository",
];

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Count the objects of all namespaces
    #[arg(long, short = 'A', global = true, switch = false)]
    all_namespaces: bool,
}

/// What the objects of a kind add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    running: usize,
    failing: usize,
    suspended: usize,
    bytes: u64,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let namespace = (!args.all_namespaces).then(|| context.namespace());
    let kinds: Vec<&Resource> = KINDS.into_iter().filter_map(by_kind).collect();
    // A cluster that cannot be reached is one failure, not thirteen.
    context.cluster()?;
    let lists = kinds
        .iter()
        .map(|kind| context.list(kind, namespace.as_deref(), None, None));
    let lists = context.block_on(async {
        tokio::time::timeout(context.timeout(), join_all(lists))
            .await
            .map_err(|_| CommandError::cluster("timed out waiting for the lists of objects"))
    })??;
    let mut table = Table::new(["Reconcilers", "Running", "Failing", "Suspended", "Storage"]);
    for (kind, list) in kinds.iter().zip(lists) {
        let objects = match list {
            Ok(objects) => objects,
            Err(ListError::NoKind(_)) => Vec::new(),
            Err(ListError::NoAnswer(error)) => {
                return Err(error.code(compat::told_failure().0));
            }
            Err(ListError::Other(error)) => {
                context.progress.failure(error.message());
                Vec::new()
            }
        };
        let sum = Sum::of(&objects);
        table.row([
            kind.kind.to_owned(),
            sum.running.to_string(),
            sum.failing.to_string(),
            sum.suspended.to_string(),
            size(sum.bytes),
        ]);
    }
    output::stdout(&table.render(true))?;
    Ok(Exit::SUCCESS)
}

impl Sum {
    fn of(objects: &[Object]) -> Self {
        let mut sum = Self::default();
        for object in objects {
            if is_suspended(object) {
                sum.suspended += 1;
            } else {
                sum.running += 1;
            }
            let conditions = at(object, "/status/conditions").and_then(Value::as_array);
            sum.failing += conditions
                .into_iter()
                .flatten()
                .filter(|condition| condition["type"] == "Ready" && condition["status"] == "False")
                .count();
            sum.bytes += at(object, "/status/artifact/size")
                .and_then(Value::as_u64)
                .unwrap_or_default();
        }
        sum
    }
}

/// Bytes in words; none is a dash.
fn size(bytes: u64) -> String {
    const UNITS: [char; 6] = ['K', 'M', 'G', 'T', 'P', 'E'];
    if bytes == 0 {
        return "-".to_owned();
    }
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut unit = 0;
    let mut divisor = 1024;
    while bytes / divisor >= 1024 {
        divisor *= 1024;
        unit += 1;
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "one digit after the point is printed"
    )]
    let number = bytes as f64 / divisor as f64;
    format!("{number:.1} {}iB", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sizes_read_as_in_flux() {
        for (bytes, text) in [
            (0, "-"),
            (1, "1 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1_258_291, "1.2 MiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn a_suspended_object_may_be_failing_too() {
        let object = |body: Value| -> Object {
            let mut value = json!({"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}});
            value
                .as_object_mut()
                .unwrap()
                .extend(body.as_object().unwrap().clone());
            serde_json::from_value(value).unwrap()
        };
        let failing =
            json!([{"type": "Ready", "status": "False"}, {"type": "Stalled", "status": "False"}]);
        let sum = Sum::of(&[
            object(json!({"spec": {"suspend": true}, "status": {"conditions": failing}})),
            object(json!({"status": {"artifact": {"size": 10}}})),
            object(json!({"status": {"artifact": {"size": 5}}})),
        ]);
        let expected = Sum {
            running: 2,
            failing: 1,
            suspended: 1,
            bytes: 15,
        };
        assert_eq!(sum, expected);
    }
}
