//! Runs controllers on one host, and restarts those that fail beside others.

use std::sync::Arc;
use std::time::Duration;

use sluice_golang::error::chain;
use sluice_host::Host;
use sluice_system::SystemClock;
use sluice_system::polls::{self, LongPoll};

use super::controller::Controller;
use crate::error::CommandError;
use crate::{CommandResult, Exit};

/// Pause before a failed controller restarts beside others.
const PAUSE: Duration = Duration::from_secs(5);
/// Maximum wait for blocking threads after all controllers have ended.
const LAST_WORK: Duration = Duration::from_secs(1);
/// Milliseconds that a poll of a runtime thread may compute. Tests set it, to find computations
/// that hold up other tenants. Without it, no poll is measured.
const MAX_POLL_VARIABLE: &str = "SLUICE_MAX_POLL_MS";
/// Minimum threads of the runtime, so that one computing task does not block the others.
const MIN_RUNTIME_THREADS: usize = 2;

/// Runs one controller until shutdown. A sole controller ends the process when it fails, and the
/// kubelet restarts it, as with Flux. Beside others, it restarts here and applies for its lease
/// again, while the others continue.
async fn keep(
    name: &'static str,
    controller: Controller,
    host: Host,
    alone: bool,
) -> Result<(), String> {
    loop {
        let ended = sluice_system::spawn(controller.clone().run(host.clone())).await;
        let error = match ended {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => format!("{name}: {error}"),
            Err(_) => format!("{name} panicked"),
        };
        if alone || host.shutdown().is_cancelled() {
            return Err(error);
        }
        tracing::error!(error, "a controller stopped, starting it again");
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = host.shutdown().cancelled() => return Err(error),
        }
    }
}

/// Runs controllers on one host until all have ended.
pub(super) fn serve(name: &str, controllers: Vec<(&'static str, Controller)>) -> CommandResult {
    // An installed provider is fine, since this binary has only one.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    let Some(shared) = controllers
        .first()
        .map(|(_, controller)| controller.shared())
    else {
        return Err(CommandError::internal("no controller to run"));
    };
    let build = |mut builder: tokio::runtime::Builder| {
        let built = builder.enable_all().build();
        built.map_err(|error| CommandError::internal(format!("start the async runtime: {error}")))
    };
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    builder.worker_threads(cores.max(MIN_RUNTIME_THREADS));
    let runtime = build(builder)?;
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).thread_name("control");
    let control = build(builder)?;
    let failed = |error: &dyn std::error::Error| CommandError::cluster(chain(error));
    sluice_host::log::init(
        shared.process.log_level,
        shared.process.log_encoding,
        Arc::new(SystemClock),
    )
    .map_err(|error| failed(&error))?;
    sluice_host::disable_core_dumps();
    if let Some(bytes) = sluice_host::memory_limit(&shared.process) {
        sluice_yaml::limits::set_memory(bytes);
        sluice_chart::set_memory(bytes);
    }
    report_long_polls();
    let ended = runtime.block_on(async {
        let host = Host::start(name, &shared, control.handle().clone())
            .await
            .map_err(|error| match error.hint() {
                Some(hint) => failed(&error).hint(hint),
                None => failed(&error),
            })?;
        host.stop_on_signals();
        let alone = controllers.len() == 1;
        let running = controllers
            .into_iter()
            .map(|(name, controller)| keep(name, controller, host.clone(), alone));
        let failures: Vec<String> = futures::future::join_all(running)
            .await
            .into_iter()
            .filter_map(Result::err)
            .collect();
        host.drained().await;
        Ok::<_, CommandError>(failures)
    });
    // A thread that waits for a server would delay the end of the process.
    runtime.shutdown_timeout(LAST_WORK);
    control.shutdown_background();
    let ended = ended?;
    if ended.is_empty() {
        return Ok(Exit::SUCCESS);
    }
    Err(CommandError::cluster(ended.join("; ")))
}

/// Logs long polls if the environment sets a limit. Test harnesses search the log for the message.
fn report_long_polls() {
    #[expect(
        clippy::disallowed_methods,
        reason = "a switch of tests is not a flag that users see"
    )]
    let limit = std::env::var(MAX_POLL_VARIABLE);
    if let Some(limit) = limit.ok().and_then(|limit| limit.parse().ok()) {
        polls::limit_polls(Duration::from_millis(limit), |poll| {
            let LongPoll { future, time } = poll;
            tracing::error!(future, ?time, "{}", polls::MESSAGE);
        });
    }
}
