//! Starts every controller in this process, with free ports and without real notifications.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use clap::Parser as _;
use sluice_golang::error::chain;
use sluice_host::Host;
use tokio::sync::broadcast;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::output::Progress;

/// Starts every controller of this build over one client and one set of metrics.
pub(super) fn start(
    host: &Host,
    state: &Path,
    progress: Progress,
    show: sluice_notification_controller::Show,
) -> Result<Vec<tokio::task::JoinHandle<()>>, CommandError> {
    let storage = state.join("storage");
    sluice_system::fs::create_dir_all(&storage)
        .map_err(|error| CommandError::user(chain(&error)))?;
    let (address, generated) = (free_address()?, free_address()?);
    let (events, webhooks) = (free_address()?, free_address()?);
    let events_url = format!("--events-addr=http://{events}/");
    let source = flags(&[
        format!("--storage-path={}", storage.display()),
        format!("--storage-addr={address}"),
        format!("--storage-adv-addr={address}"),
        events_url.clone(),
    ])?;
    let reflector = flags(&[
        format!("--storage-path={}", state.join("tags").display()),
        events_url.clone(),
    ])?;
    let automation = flags(&[
        format!("--git-store-path={}", state.join("automation").display()),
        events_url.clone(),
    ])?;
    let watcher = flags(&[
        format!("--storage-path={}", storage.display()),
        format!("--storage-addr={generated}"),
        format!("--storage-adv-addr={generated}"),
        events_url.clone(),
    ])?;
    let consumer = [
        "--feature-gates=ExternalArtifact=true".to_owned(),
        events_url,
    ];
    let (kustomize, helm) = (flags(&consumer)?, flags(&consumer)?);
    let notification = flags(&[
        format!("--events-addr={events}"),
        format!("--receiverAddr={webhooks}"),
    ])?;
    let host = || host.clone();
    let started = vec![
        spawn(
            sluice_source_controller::NAME,
            sluice_source_controller::run(source, host()),
            progress,
        ),
        spawn(
            sluice_kustomize_controller::NAME,
            sluice_kustomize_controller::run(kustomize, host()),
            progress,
        ),
        spawn(
            sluice_helm_controller::NAME,
            sluice_helm_controller::run(helm, host()),
            progress,
        ),
        spawn(
            sluice_notification_controller::NAME,
            sluice_notification_controller::preview(notification, host(), show),
            progress,
        ),
        spawn(
            sluice_image_reflector_controller::NAME,
            sluice_image_reflector_controller::run(reflector, host()),
            progress,
        ),
        spawn(
            sluice_image_automation_controller::NAME,
            sluice_image_automation_controller::run(automation, host()),
            progress,
        ),
        spawn(
            sluice_source_watcher_controller::NAME,
            sluice_source_watcher_controller::run(watcher, host()),
            progress,
        ),
    ];
    let names = crate::commands::controller::NAMES.join(", ");
    progress.success(format!("running in this process: {names}"));
    Ok(started)
}

/// Returns a printer of notifications, which must not reach real services. A notification is one
/// line, unless `--verbose` is set.
pub(super) fn show_in(
    context: &Context,
    notifications: broadcast::Sender<String>,
) -> sluice_notification_controller::Show {
    let (progress, is_verbose) = (context.progress, context.globals.verbose);
    Arc::new(move |preview: &sluice_notification_controller::Preview| {
        let text = preview.to_string();
        let shown = match text.lines().next() {
            Some(first) if !is_verbose => first,
            _ => &text,
        };
        progress.action(format!("not sent: {shown}"));
        // Only the full demonstration waits for a notification.
        drop(notifications.send(text));
    })
}

/// Returns a free loopback address. The servers take an address, not a socket.
fn free_address() -> Result<String, CommandError> {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map_err(|error| CommandError::user(format!("find a free port: {error}")))?
        .port();
    Ok(format!("127.0.0.1:{port}"))
}

/// Parses the flags of a controller.
fn flags<A: clap::Args>(flags: &[String]) -> Result<A, CommandError> {
    #[derive(clap::Parser)]
    struct Flags<A: clap::Args> {
        #[command(flatten)]
        args: A,
    }
    let program = std::iter::once("controller").chain(flags.iter().map(String::as_str));
    let parsed = Flags::try_parse_from(program);
    let parsed = parsed.map_err(|error| CommandError::internal(error.to_string()))?;
    Ok(parsed.args)
}

/// Runs a controller in the background, and shows why it stopped early.
fn spawn<E: std::error::Error>(
    name: &'static str,
    running: impl Future<Output = Result<(), E>> + Send + 'static,
    progress: Progress,
) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        if let Err(error) = running.await {
            progress.failure(format!("{name} stopped: {}", chain(&error)));
        }
    })
}
