//! `cargo xtask conformance fleet DIR[=PATH]…`: all controllers of Flux and ours sync the clusters
//! of public GitOps repositories, each on its own API server.
//!
//! [`checkout`] clones a repository and edits it for clusters without a network. [`mirror`] answers
//! for every host that it names, with local charts ([`charts`]) or stand-ins. Both servers get
//! definitions without a schema for unknown kinds, and the Secrets that the repository lacks
//! ([`side`]). Both sides run until no object of Flux changes. [`lines`] then describes every
//! applied object, every state of Flux's objects, and the events.
//!
//! Expected differences are those of `conformance kustomizations`, and `explained.yaml` here.
//! `REFERENCE_BIN_DIR` names the directory with Flux's controllers. Controllers that it does not
//! have are left out on both sides.

mod charts;
mod checkout;
mod lines;
mod mirror;
mod remotes;
mod side;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sluice_system::fs;
use sluice_testkit::Reference;
use sluice_testkit::expected_differences::{ExpectedDifferences, UsedPatterns, differences};
use sluice_testkit::outcome::Outcome;

use super::kustomizations::definitions;
use charts::Charts;
use checkout::Checkout;
use mirror::Mirror;
use side::{CONTROLLERS, Origin, Side};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Clones named OWNER+NAME, each with the path of a cluster
    #[arg(required = true, value_name = "DIR[=PATH]")]
    clones: Vec<String>,
    /// Path of our command line
    #[arg(long, default_value = "target/debug/sluice")]
    program: PathBuf,
    /// Directory with charts, at any depth
    #[arg(long)]
    charts: Vec<PathBuf>,
    /// Seconds without a change after which a side is done
    #[arg(long, default_value_t = 30)]
    quiet: u64,
    /// Maximum number of minutes for one repository
    #[arg(long, default_value_t = 8)]
    minutes: u64,
    /// Print at most this many lines of differences of a repository
    #[arg(long, default_value_t = 40)]
    differences: usize,
    /// Directory for outcomes, differences and logs
    #[arg(long)]
    details: Option<PathBuf>,
}

/// Both outcomes of a repository.
struct ClusterComparison {
    checkout: Checkout,
    mirror: Mirror,
    theirs: Outcome,
    ours: Outcome,
    /// Objects that a side still works on at the end. They are not compared.
    working: BTreeSet<String>,
    /// Whether both sides came to rest.
    rested: bool,
    seconds: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let program = fs::canonicalize(&args.program).context("our command line is not built")?;
    let reference = Reference::find().context("REFERENCE_BIN_DIR names no directory")?;
    let has = |name: &&str| reference.has(name);
    let controllers: Vec<&str> = CONTROLLERS.iter().copied().filter(has).collect();
    println!("controllers: {}", controllers.join(", "));
    let charts = Charts::of(&args.charts)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let mut different = 0;
    let mut rows = String::new();
    for clone in &args.clones {
        let (directory, path) = match clone.split_once('=') {
            Some((directory, path)) => (directory, Some(path)),
            None => (clone.as_str(), None),
        };
        let checkout = Checkout::of(Path::new(directory), path)
            .with_context(|| format!("prepare {directory}"))?;
        let sides = (Origin::Theirs(&reference), Origin::Ours(&program));
        let played = runtime.block_on(play(args, checkout, &charts, &sides, &controllers))?;
        let unexplained = unexplained(&played);
        different += usize::from(!unexplained.is_empty());
        report(args, &played, &unexplained, &mut rows);
    }
    println!(
        "| Repository | Commit | objects | states | objects with events | Ready | different | at work | rested | time |\n|---|---|---|---|---|---|---|---|---|---|\n{rows}"
    );
    anyhow::ensure!(different == 0, "{different} repositories differ");
    Ok(())
}

async fn play(
    args: &Args,
    checkout: Checkout,
    charts: &Charts,
    (theirs, ours): &(Origin<'_>, Origin<'_>),
    controllers: &[&str],
) -> anyhow::Result<ClusterComparison> {
    let began = Instant::now();
    let served = checkout.served();
    let mirror = Mirror::start(&checkout.remotes, charts, &checkout.hosts, &served).await?;
    let scratch = tempfile::tempdir()?;
    let authority = scratch.path().join("authority.pem");
    fs::write(&authority, mirror.cloud.certificate())?;
    let sides = tokio::join!(Side::start(), Side::start());
    let mut sides = [(sides.0?, theirs), (sides.1?, ours)];
    let native = sides[0].0.kinds().await?;
    let definitions = definitions::of_checkout(&checkout.documents, &native);
    let bound = Duration::from_secs(args.minutes * 60);
    let quiet = Duration::from_secs(args.quiet);
    for (side, whose) in &mut sides {
        side.prepare(&checkout, &definitions).await?;
        side.run(whose, controllers, &mirror, &authority)?;
    }
    for (side, _) in &sides {
        for object in &checkout.sync {
            side.apply(object).await?;
        }
    }
    let [(mut theirs, _), (mut ours, _)] = sides;
    let rested = tokio::join!(
        theirs.until_rest(quiet, bound),
        ours.until_rest(quiet, bound)
    );
    if let Some(directory) = &args.details {
        fs::create_dir_all(directory)?;
        let name = checkout.repository.replace('/', "+");
        fs::write(directory.join(format!("{name}.theirs.log")), theirs.logs())?;
        fs::write(directory.join(format!("{name}.ours.log")), ours.logs())?;
    }
    let rested = rested.0? && rested.1?;
    let outcomes = tokio::join!(theirs.outcome(), ours.outcome());
    let (mut theirs, mut ours) = (outcomes.0?, outcomes.1?);
    let working = separate_working(&mut theirs, &mut ours, rested);
    Ok(ClusterComparison {
        theirs,
        ours,
        working,
        rested,
        seconds: began.elapsed().as_secs(),
        checkout,
        mirror,
    })
}

/// Removes the sections of objects that one side still works on. If a side is late, an object that
/// the other one lacks counts too.
fn separate_working(theirs: &mut Outcome, ours: &mut Outcome, rested: bool) -> BTreeSet<String> {
    let sections = |outcome: &Outcome| -> BTreeMap<String, Vec<String>> {
        let sections = outcome.0.iter();
        sections
            .map(|section| (section.title.clone(), section.lines.clone()))
            .collect()
    };
    let is_working = |line: &String| {
        line.starts_with("Ready Unknown ")
            || line.starts_with("Reconciling True Progressing ")
            || line.starts_with("Ready False DependencyNotReady ")
            || line.starts_with("status \"pending-")
    };
    let (left, right) = (sections(theirs), sections(ours));
    let mut working = BTreeSet::new();
    let titles: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    for title in titles {
        let object = title.split_once(' ').map_or("", |(_, object)| object);
        let (theirs, ours) = (left.get(title), right.get(title));
        let mut lines = theirs.into_iter().chain(ours).flatten();
        if theirs != ours
            && (lines.any(is_working) || (!rested && (theirs.is_none() || ours.is_none())))
        {
            working.insert(object.to_owned());
        }
    }
    for outcome in [theirs, ours] {
        outcome.0.retain(|section| {
            let object = section
                .title
                .split_once(' ')
                .map_or("", |(_, object)| object);
            !working.contains(object)
        });
    }
    working
}

/// Lists the differences that no row of `docs/differences.md` explains.
fn unexplained(played: &ClusterComparison) -> String {
    let mut used = UsedPatterns::new();
    let fleet = ExpectedDifferences::read(&explanations()).of("fleet");
    let applied = super::kustomizations::explanations();
    let applied = ExpectedDifferences::read(&applied).of("corpus");
    let sides = (&played.theirs, &played.ours);
    let is_applied = |title: &str| title.starts_with("create ");
    fleet.unexplained(sides.0, sides.1, |title| !is_applied(title), &mut used)
        + &applied.unexplained(sides.0, sides.1, is_applied, &mut used)
}

fn explanations() -> PathBuf {
    crate::repository().join("xtask/src/conformance/fleet/explained.yaml")
}

fn report(args: &Args, played: &ClusterComparison, unexplained: &str, rows: &mut String) {
    let ClusterComparison {
        checkout,
        theirs,
        ours,
        ..
    } = played;
    let count = |word: &str| {
        let sections = theirs.0.iter();
        let sections = sections.filter(|section| section.title.starts_with(word));
        sections.count()
    };
    let ready = |outcome: &Outcome| {
        let states = outcome.0.iter();
        let states = states.filter(|section| section.title.starts_with("status "));
        let is_ready = |line: &String| line.starts_with("Ready True");
        let ready = states.filter(|section| section.lines.iter().any(is_ready));
        ready.count()
    };
    let working: Vec<&str> = played.working.iter().map(String::as_str).collect();
    let titles = unexplained.lines();
    let is_title = |line: &&str| {
        ["create ", "status ", "events "]
            .iter()
            .any(|word| line.starts_with(word))
    };
    let different = titles.filter(is_title).count();
    println!(
        "\n## {} at `{}`, path {}\n",
        checkout.repository, checkout.commit, checkout.path
    );
    for (edit, files) in &checkout.edits {
        println!("- {edit}: {} files", files.len());
    }
    let mut not_had: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let remotes = &checkout.remotes;
    let stand_ins = played.mirror.stand_ins.iter().cloned();
    not_had.insert("stand-ins", stand_ins.collect());
    not_had.insert(
        "local charts",
        played.mirror.local.iter().cloned().collect(),
    );
    not_had.insert(
        "addresses with variables",
        remotes.unnamed.iter().cloned().collect(),
    );
    let absent = checkout.absent.iter();
    let absent = absent.map(|object| format!("{}/{}", object.kind(), object.name()));
    not_had.insert("made-up config maps and Secrets", absent.collect());
    let is_own = |url: &&String| url.trim_end_matches(".git").ends_with(&checkout.repository);
    let foreign = remotes.repositories.iter().filter(|url| !is_own(url));
    not_had.insert(
        "Git repositories that are missing",
        foreign.cloned().collect(),
    );
    for (what, names) in not_had.iter().filter(|(_, names)| !names.is_empty()) {
        println!("- {what} ({}): {}", names.len(), names.join(", "));
    }
    if !working.is_empty() {
        println!(
            "- at work at the end ({}): {}",
            working.len(),
            working.join(", ")
        );
    }
    println!();
    for line in unexplained.lines().take(args.differences) {
        println!("    {line}");
    }
    let commit = checkout.commit.get(..12).unwrap_or(&checkout.commit);
    writeln!(
        rows,
        "| {} | `{commit}` | {} | {} | {} | {} / {} | {different} | {} | {} | {} s |",
        checkout.repository,
        count("create "),
        count("status "),
        count("events "),
        ready(theirs),
        ready(ours),
        working.len(),
        if played.rested { "yes" } else { "no" },
        played.seconds
    )
    .expect("a string takes all");
    if let Some(directory) = &args.details {
        let name = checkout.repository.replace('/', "+");
        let file = |ending: &str| directory.join(format!("{name}.{ending}"));
        let texts = [
            ("theirs", theirs.to_string()),
            ("ours", ours.to_string()),
            ("unexplained", unexplained.to_owned()),
            ("all", differences(theirs, ours)),
        ];
        for (ending, text) in texts {
            if let Err(error) = fs::write(file(ending), text) {
                eprintln!("{error}");
            }
        }
    }
}

#[test]
fn expected_differences_have_rows() {
    let explanations = ExpectedDifferences::read(&explanations());
    explanations.assert_rows_of(&crate::repository().join("docs/differences.md"));
    let known = std::collections::BTreeSet::from(["fleet".to_owned()]);
    assert!(explanations.unknown_scenarios(&known).is_empty());
}
