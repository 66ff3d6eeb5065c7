//! What a Kustomization costs when something is to be done: many objects, dependencies, encrypted
//! Secrets, a request that comes while others wait, and waits among many pods.
//!
//! Each part has a control plane and a controller of its own, so that nothing is counted to a
//! neighbour. Sources are the bench's own ([`super::stage`]): what is measured begins when an
//! artifact is in a status.

mod dependencies;
mod objects;
mod pods;
mod queue;
mod secrets;

use super::Usual;
use super::controller::Subject;
use super::report::Report;
use super::target::Target;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Numbers of objects of one Kustomization, one run each
    #[arg(long, value_delimiter = ',', default_value = "10,100,1500")]
    objects: Vec<usize>,
    /// Length of a chain of Kustomizations that depend on each other; 0 leaves it out
    #[arg(long, default_value_t = 20)]
    chain: usize,
    /// Kustomizations that depend on one; 0 leaves it out
    #[arg(long, default_value_t = 200)]
    fan_out: usize,
    /// Secrets encrypted in one Kustomization, for each kind of key; 0 leaves it out
    #[arg(long, default_value_t = 200)]
    secrets: usize,
    /// Kustomizations in the queue that a request has to pass; 0 leaves it out
    #[arg(long, default_value_t = 128)]
    queue: usize,
    /// How many of them never become healthy
    #[arg(long, default_value_t = 11)]
    unhealthy: usize,
    /// Pods in the namespace of a wait; 0 leaves it out
    #[arg(long, default_value_t = 1000)]
    pods: usize,
    /// With whose rights the many objects are applied, and which way
    #[arg(long, value_enum, default_value = "own")]
    target: Target,
    /// How often what can be repeated is repeated
    #[arg(long, default_value_t = 5)]
    runs: usize,
    #[command(flatten)]
    usual: Usual,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subjects = Subject::all(args.usual.binary.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new();
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
    report.save(args.usual.record.as_deref())
}
