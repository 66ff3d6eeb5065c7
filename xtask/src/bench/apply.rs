//! Costs of a busy Kustomization: many objects, dependencies, encrypted Secrets, a request in a
//! full queue, and waits among many pods.
//!
//! Each part has its own control plane and controller. Sources come from the bench
//! ([`super::stage`]), so a measurement begins when a status has an artifact.

mod dependencies;
mod objects;
mod pods;
mod queue;
mod secrets;

use super::CommonFlags;
use super::controller::Subject;
use super::report::Report;
use super::target::Target;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Numbers of objects of one Kustomization, one run each
    #[arg(long, value_delimiter = ',', default_value = "10,100,1500")]
    objects: Vec<usize>,
    /// Length of a chain of dependencies; 0 skips it
    #[arg(long, default_value_t = 20)]
    chain: usize,
    /// Kustomizations that depend on one; 0 skips it
    #[arg(long, default_value_t = 200)]
    fan_out: usize,
    /// Encrypted Secrets in one Kustomization, per kind of key; 0 skips it
    #[arg(long, default_value_t = 200)]
    secrets: usize,
    /// Kustomizations in the queue before a request; 0 skips it
    #[arg(long, default_value_t = 128)]
    queue: usize,
    /// Number of those that never become healthy
    #[arg(long, default_value_t = 11)]
    unhealthy: usize,
    /// Pods in the namespace of a wait; 0 skips it
    #[arg(long, default_value_t = 1000)]
    pods: usize,
    /// Account and path of the requests for many objects
    #[arg(long, value_enum, default_value = "own")]
    target: Target,
    /// Number of repetitions
    #[arg(long, default_value_t = 5)]
    runs: usize,
    #[command(flatten)]
    common: CommonFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all(args.common.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(Subject::programs(&subjects))?;
    runtime.block_on(async {
        for subject in &subjects {
            for count in &args.objects {
                objects::measure(args, subject, *count, &mut report).await?;
            }
            if args.chain > 0 {
                dependencies::chain(args, subject, &mut report).await?;
            }
            if args.fan_out > 0 {
                dependencies::fan_out(args, subject, &mut report).await?;
            }
            if args.secrets > 0 {
                secrets::measure(args, subject, &mut report).await?;
            }
            if args.queue > 0 {
                queue::measure(args, subject, &mut report).await?;
            }
            if args.pods > 0 {
                pods::measure(args, subject, &mut report).await?;
            }
        }
        anyhow::Ok(())
    })?;
    report.save(args.common.record.as_deref())
}
