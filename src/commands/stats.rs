//! Implements `stats`: counts the objects of each kind by state, and their storage.

use futures::future::join_all;
use sluice_insight::kinds::{Resource, by_kind};
use sluice_insight::stats::{KINDS, Stats};

use crate::cluster::{Context, ListError};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::table::Table;
use crate::{CommandResult, Exit, compat, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Count objects in all namespaces
    #[arg(long, short = 'A', global = true, switch = false)]
    all_namespaces: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let namespace = (!args.all_namespaces).then(|| context.namespace());
    let kinds: Vec<&Resource> = KINDS.into_iter().filter_map(by_kind).collect();
    // Connects first, so that an unreachable cluster is reported once, not per kind.
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
                return Err(error.code(compat::reported_failure().0));
            }
            Err(ListError::Other(error)) => {
                context.progress.failure(error.message());
                Vec::new()
            }
        };
        let stats = Stats::of(&objects);
        table.row([
            kind.kind.to_owned(),
            stats.running.to_string(),
            stats.failing.to_string(),
            stats.suspended.to_string(),
            size(stats.bytes),
        ]);
    }
    output::stdout(&table.render(true))?;
    Ok(Exit::SUCCESS)
}

/// Formats bytes. Zero is a dash.
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
        reason = "only one fractional digit is printed"
    )]
    let number = bytes as f64 / divisor as f64;
    format!("{number:.1} {}iB", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_form_of_flux() {
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
}
