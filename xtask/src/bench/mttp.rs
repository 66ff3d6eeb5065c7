//! Mean time to production: N pairs of a source and a Kustomization, created at once. Each pair has
//! a Deployment without replicas, a `ServiceAccount`, a Service and an Ingress, with `wait: true`.
//! The bench measures until all are ready, until all have the next version, and until all are
//! deleted. Start at [`pairs`]. `--source oci` measures N `OCIRepository` objects alone, and
//! `--kind helm` N `HelmReleases` of one chart with the same objects ([`releases`]).

mod oci;
pub(super) mod pairs;
mod releases;

use serde_json::json;

use super::CommonFlags;
use super::controller::Subject;
use super::limits;
use super::record::Record;
use super::target::Target;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Numbers of pairs, one run each
    #[arg(long, value_delimiter = ',', default_value = "100")]
    objects: Vec<usize>,
    /// Kind of the measured objects
    #[arg(long, value_enum, default_value = "kustomize")]
    kind: AppliedKind,
    /// Sources of the pairs; `oci` measures `OCIRepository` objects alone
    #[arg(long, value_enum, default_value = "git")]
    source: SourceKind,
    /// Account and path of the Kustomizations' requests
    #[arg(long, value_enum, default_value = "account")]
    target: Target,
    /// Measure each controller, and those of `REFERENCE_BIN_DIR`, apart
    #[arg(long)]
    apart: bool,
    /// Fail if pairs exceed their ratio to the floor of the same run
    #[arg(long, conflicts_with = "apart")]
    check: bool,
    #[command(flatten)]
    common: CommonFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AppliedKind {
    /// Pairs of a source and a Kustomization
    Kustomize,
    /// `HelmReleases` of one chart
    Helm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SourceKind {
    /// Pairs with a `GitRepository` each
    Git,
    /// Pairs with an `OCIRepository` each
    OciPairs,
    /// `OCIRepository` objects alone
    Oci,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    if args.kind == AppliedKind::Helm {
        return releases::run(args);
    }
    let subjects = if args.apart {
        Subject::all(args.common.binary.as_deref())?
    } else {
        vec![Subject::ours(args.common.binary.as_deref())?]
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut record = Record::begin();
    for (side, path) in Subject::programs(&subjects) {
        record.add_program(side, path)?;
    }
    let (mut results, mut verdicts) = (Vec::new(), Vec::new());
    if args.source == SourceKind::Oci {
        println!("{}", oci::Outcome::HEADER);
    } else {
        println!("{}", pairs::Outcome::HEADER);
    }
    for count in &args.objects {
        for subject in &subjects {
            if args.source == SourceKind::Oci {
                let measured = oci::measure(*count, subject, args.common.log.as_deref());
                let result = runtime.block_on(measured)?;
                println!("{}", result.row());
                results.push(result.to_value());
            } else {
                let result = runtime.block_on(pairs::measure(*count, args, subject))?;
                println!("{}", result.row());
                eprint!("{}", result.details());
                if args.check {
                    verdicts.extend(limits::judge(pairs::LIMITS, &result.ratios()));
                }
                results.push(result.to_value());
            }
        }
    }
    record.add_limits(&verdicts);
    record.write(args.common.record.as_deref(), json!({ "runs": results }))?;
    limits::check(&verdicts)
}
