//! Costs of the cache of tokens: exchanges for many objects of one account, lookups, and lookups
//! while one service is slow.
//!
//! The token service runs in this process and counts exchanges. It needs no cluster.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use axum::Router;
use axum::extract::State;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;
use sluice_dial::{Dial, HttpClients};
use sluice_identity::{
    Account, AwsLocation, Identities, Level, TokenCache, TokenRequest, TokenRequestFuture,
};
use sluice_system::SystemClock;
use tokio::task::JoinSet;

use super::cluster::float;
use super::limits;
use super::report::{Report, percentile};

/// The role of the slow service.
const SLOW: &str = "slow";
/// The duration of an exchange for the slow role.
const DELAY: Duration = Duration::from_secs(2);

/// Limits of `--check`. They are aims for an idle machine.
const LIMITS: &[limits::Limit] = &[
    ("exchanges of one account", 1.0),
    ("p99 beside a slow service ms", 50.0),
];

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Number of objects
    #[arg(long, default_value_t = 1000)]
    objects: usize,
    /// Number of accounts beside the slow one
    #[arg(long, default_value_t = 200)]
    accounts: usize,
    /// Number of workers
    #[arg(long, default_value_t = 20)]
    workers: usize,
    /// Fail beyond the limits
    #[arg(long)]
    check: bool,
    /// Write the result as JSON to this file
    #[arg(long)]
    record: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut report = Report::new(std::iter::empty())?;
    let one = runtime.block_on(one_account(args))?;
    let what = format!("{} objects of one account", args.objects);
    report.add("ours", &what, &one);
    let beside = runtime.block_on(beside_slow_service(args))?;
    let what = format!(
        "{} accounts by {} workers beside a slow service",
        args.accounts, args.workers
    );
    report.add("ours", &what, &beside);
    let verdicts = limits::judge(LIMITS, &[one, beside].concat());
    report.add_limits(&verdicts);
    report.save(args.record.as_deref())?;
    if args.check {
        limits::check(&verdicts)?;
    }
    Ok(())
}

/// Identities with a token service.
#[derive(Clone)]
struct World {
    identities: Arc<Identities>,
    exchanges: Arc<AtomicUsize>,
}

impl World {
    async fn start() -> anyhow::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = format!("http://{}/", listener.local_addr()?);
        let exchanges = Arc::<AtomicUsize>::default();
        let router = Router::new().fallback(exchange);
        let router = router.with_state(Arc::clone(&exchanges));
        tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                eprintln!("the token service stopped: {error}");
            }
        });
        let identities = Identities::new(
            Arc::new(HttpClients::new("sluice-bench")),
            Arc::new(SystemClock),
            [("AWS_ENDPOINT_URL_STS", address)].into_iter().collect(),
            TokenCache::new(1000, Duration::from_hours(1)),
        );
        Ok(Self {
            identities: Arc::new(identities),
            exchanges,
        })
    }

    /// Looks up the credentials of an account.
    async fn look(&self, account: &Account) -> anyhow::Result<Duration> {
        let level = Level::Object {
            account,
            requests: &Issuer,
        };
        let location = AwsLocation {
            region: Some("eu-west-1"),
            sts_endpoint: None,
        };
        let began = Instant::now();
        let dial = Dial::default();
        self.identities.aws(level, location, &dial).await?;
        Ok(began.elapsed())
    }
}

async fn exchange(State(exchanges): State<Arc<AtomicUsize>>, body: String) -> &'static str {
    exchanges.fetch_add(1, Ordering::Relaxed);
    if body.contains(&format!("role%2F{SLOW}")) {
        tokio::time::sleep(DELAY).await;
    }
    "<R><AccessKeyId>A</AccessKeyId><SecretAccessKey>B</SecretAccessKey>\
     <SessionToken>C</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></R>"
}

struct Issuer;

impl TokenRequest for Issuer {
    fn request<'a>(
        &'a self,
        account: &'a Account,
        audiences: &'a [String],
    ) -> TokenRequestFuture<'a> {
        Box::pin(async move {
            let subject = format!(
                "system:serviceaccount:{}:{}",
                account.namespace(),
                account.name()
            );
            let claims = json!({ "sub": subject, "aud": audiences, "exp": 4_000_000_000_u64 });
            let claims = BASE64_URL_SAFE_NO_PAD.encode(claims.to_string());
            Ok(format!("e30.{claims}.s").into())
        })
    }
}

fn account(name: &str) -> anyhow::Result<Account> {
    let role = format!("arn:aws:iam::123456789012:role/{name}");
    let annotations = BTreeMap::from([("eks.amazonaws.com/role-arn".to_owned(), role)]);
    Account::new("apps", name, "1", annotations).context("the name of an account")
}

/// All objects look up the same account at once.
async fn one_account(args: &Args) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let world = World::start().await?;
    let mut objects = JoinSet::new();
    for _ in 0..args.objects {
        let (world, account) = (world.clone(), account("flux")?);
        objects.spawn(async move { world.look(&account).await });
    }
    let _times: Vec<Duration> = objects
        .join_all()
        .await
        .into_iter()
        .collect::<Result<_, _>>()?;
    let account = account("flux")?;
    let mut hits = Vec::new();
    for _ in 0..args.objects {
        hits.push(world.look(&account).await?);
    }
    let exchanges = world.exchanges.load(Ordering::Relaxed);
    Ok(vec![
        ("exchanges of one account", float(exchanges)),
        ("hit p50 µs", percentile(&mut hits, 50) * 1e6),
        ("hit p99 µs", percentile(&mut hits, 99) * 1e6),
    ])
}

/// Workers look up all accounts, while one of them waits for its service.
async fn beside_slow_service(args: &Args) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let world = World::start().await?;
    let slow = account(SLOW)?;
    let waiting = {
        let world = world.clone();
        tokio::spawn(async move { world.look(&slow).await })
    };
    let mut workers = JoinSet::new();
    for worker in 0..args.workers {
        let (world, count) = (world.clone(), args.accounts);
        workers.spawn(async move {
            let mut times = Vec::new();
            for number in 0..count {
                let account = account(&format!("flux-{}", (worker + number) % count))?;
                times.push(world.look(&account).await?);
            }
            anyhow::Ok(times)
        });
    }
    let times: Vec<Vec<Duration>> = workers
        .join_all()
        .await
        .into_iter()
        .collect::<Result<_, _>>()?;
    let mut times = times.concat();
    waiting.await??;
    let exchanges = world.exchanges.load(Ordering::Relaxed);
    Ok(vec![
        (
            "p99 beside a slow service ms",
            percentile(&mut times, 99) * 1e3,
        ),
        ("exchanges", float(exchanges)),
    ])
}
