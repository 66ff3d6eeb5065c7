//! Parses the flags of controllers, and runs their process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use clap::{Command, FromArgMatches as _};
use sluice_host::{FeatureGates, Gate, Host, SharedArgs};
use sluice_system::SystemClock;
use sluice_system::polls::{self, LongPoll};

use super::NAMES;
use crate::error::CommandError;
use crate::{CommandResult, Exit, misuse, output};
use sluice_golang::error::chain;

/// Pause before a failed controller restarts beside others.
const PAUSE: Duration = Duration::from_secs(5);

/// Maximum wait for blocking threads after all controllers have ended.
const LAST_WORK: Duration = Duration::from_secs(1);
/// The controller whose `--events-addr` is a listen address. For others it is the event receiver.
const NOTIFICATION: &str = sluice_notification_controller::NAME;
/// The controller that stores tags.
const IMAGE_REFLECTOR: &str = sluice_image_reflector_controller::NAME;
/// The controller that commits images.
const IMAGE_AUTOMATION: &str = sluice_image_automation_controller::NAME;
/// The controller of generated artifacts.
const SOURCE_WATCHER: &str = sluice_source_watcher_controller::NAME;
/// Address of generated artifacts beside the source controller, which has the same one in Flux.
const WATCHER_ADDRESS: &str = "--storage-addr=:9092";
/// Directory of tags beside other controllers, whose artifacts are in the default directory.
const TAG_STORAGE: &str = "--storage-path=/tags";
/// The controller of Helm releases.
const HELM: &str = sluice_helm_controller::NAME;
/// Flag of `all` that excludes a controller.
const WITHOUT: &str = "--without=";
/// Shared flags that do not apply to the notification controller.
const NOT_OF_NOTIFICATION: [&str; 3] = [
    "events-addr",
    "watch-label-selector",
    "interval-jitter-percentage",
];
/// Milliseconds that a poll of a runtime thread may compute. Tests set it, to find computations
/// that hold up other tenants. Without it, no poll is measured.
const MAX_POLL_VARIABLE: &str = "SLUICE_MAX_POLL_MS";
/// Minimum threads of the runtime, so that one computing task does not block the others.
const MIN_RUNTIME_THREADS: usize = 2;

/// Parsed flags of a controller, ready to run.
#[derive(Clone)]
enum Controller {
    Source(sluice_source_controller::Args),
    Kustomize(sluice_kustomize_controller::Args),
    Helm(sluice_helm_controller::Args),
    Notification(sluice_notification_controller::Args),
    ImageReflector(sluice_image_reflector_controller::Args),
    ImageAutomation(sluice_image_automation_controller::Args),
    SourceWatcher(sluice_source_watcher_controller::Args),
}

impl Controller {
    fn shared(&self) -> SharedArgs {
        match self {
            Self::Source(args) => args.shared.clone(),
            Self::Kustomize(args) => args.shared.clone(),
            Self::Helm(args) => args.shared.clone(),
            Self::Notification(args) => args.shared(),
            Self::ImageReflector(args) => args.shared.clone(),
            Self::ImageAutomation(args) => args.shared.clone(),
            Self::SourceWatcher(args) => args.shared.clone(),
        }
    }

    fn gates(&self) -> &'static [Gate] {
        match self {
            Self::Source(_) => sluice_source_controller::GATES,
            Self::SourceWatcher(_) => sluice_source_watcher_controller::GATES,
            Self::Notification(_) => sluice_notification_controller::GATES,
            Self::ImageAutomation(_) => sluice_image_automation_controller::GATES,
            Self::Kustomize(_) => sluice_kustomize_controller::GATES,
            Self::ImageReflector(_) => sluice_image_reflector_controller::GATES,
            Self::Helm(_) => sluice_helm_controller::GATES,
        }
    }

    /// Runs start-up checks that flag parsing does not cover. Returns all faults.
    fn faults(&self) -> Vec<String> {
        let shared = self.shared();
        let mut faults: Vec<String> = shared.validate().err().iter().map(|it| chain(it)).collect();
        let mut known = Vec::new();
        for gate in &shared.process.feature_gates {
            match FeatureGates::resolve(self.gates(), std::slice::from_ref(gate)) {
                Ok(_) => known.push(gate.clone()),
                Err(error) => faults.push(chain(&error)),
            }
        }
        let gates = FeatureGates::resolve(self.gates(), &known);
        let own = gates
            .map_err(|error| chain(&error))
            .and_then(|gates| match self {
                Self::Kustomize(args) => args.validate(&gates).map_err(|error| chain(&error)),
                Self::ImageReflector(args) => args.validate(&gates).map_err(|error| chain(&error)),
                Self::Helm(args) => args.validate(&gates).map_err(|error| chain(&error)),
                _ => Ok(()),
            });
        faults.extend(own.err());
        faults
    }

    async fn run(self, host: Host) -> Result<(), String> {
        match self {
            Self::Source(args) => sluice_source_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::Kustomize(args) => sluice_kustomize_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::Helm(args) => sluice_helm_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::Notification(args) => sluice_notification_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::ImageReflector(args) => sluice_image_reflector_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::ImageAutomation(args) => sluice_image_automation_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::SourceWatcher(args) => sluice_source_watcher_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
        }
    }
}

/// Returns the command with the flags of one controller.
fn command(name: &str) -> Command {
    let command = Command::new(name.to_owned())
        .disable_version_flag(true)
        // The last use of a repeated flag wins, because users append to Flux's arguments.
        .args_override_self(true);
    match name {
        "source-controller" => {
            <sluice_source_controller::Args as clap::Args>::augment_args(command)
                .about("Fetch sources, verify them and serve them as artifacts")
        }
        NOTIFICATION => <sluice_notification_controller::Args as clap::Args>::augment_args(command)
            .about("Send events to services, and receive webhooks"),
        IMAGE_REFLECTOR => {
            <sluice_image_reflector_controller::Args as clap::Args>::augment_args(command)
                .about("Scan image repositories and select tags by policies")
        }
        HELM => <sluice_helm_controller::Args as clap::Args>::augment_args(command)
            .about("Install, upgrade and test Helm releases"),
        IMAGE_AUTOMATION => {
            <sluice_image_automation_controller::Args as clap::Args>::augment_args(command)
                .about("Commit the images of policies to Git repositories")
        }
        SOURCE_WATCHER => {
            <sluice_source_watcher_controller::Args as clap::Args>::augment_args(command)
                .about("Build artifacts from parts of other artifacts")
        }
        _ => <sluice_kustomize_controller::Args as clap::Args>::augment_args(command)
            .about("Apply manifests from sources to clusters"),
    }
}

enum ParsedArguments {
    Run(Box<Controller>),
    Help(String),
}

fn parse(name: &'static str, flags: &[OsString]) -> Result<ParsedArguments, CommandError> {
    let full = std::iter::once(OsString::from(name)).chain(flags.iter().cloned());
    let matches = match command(name).try_get_matches_from(full) {
        Ok(matches) => matches,
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelp => {
            return Ok(ParsedArguments::Help(error.render().to_string()));
        }
        Err(error) => {
            let known = command(name);
            let explained = misuse::explain(&error, name, str::to_owned, Some(&known));
            return Err(explained.code(2));
        }
    };
    let failed = |error: clap::Error| CommandError::internal(error.to_string());
    Ok(ParsedArguments::Run(Box::new(match name {
        "source-controller" => Controller::Source(
            sluice_source_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
        NOTIFICATION => Controller::Notification(
            sluice_notification_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
        IMAGE_REFLECTOR => Controller::ImageReflector(
            sluice_image_reflector_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
        HELM => Controller::Helm(
            sluice_helm_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
        IMAGE_AUTOMATION => Controller::ImageAutomation(
            sluice_image_automation_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
        SOURCE_WATCHER => Controller::SourceWatcher(
            sluice_source_watcher_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
        _ => Controller::Kustomize(
            sluice_kustomize_controller::Args::from_arg_matches(&matches).map_err(failed)?,
        ),
    })))
}

pub(super) fn flag_faults(name: &str, flags: &[String]) -> Vec<String> {
    let Some(name) = NAMES.iter().find(|known| **known == name) else {
        return vec!["this build has no such controller".to_owned()];
    };
    let (mut faults, mut flags) = (Vec::new(), flags.to_vec());
    loop {
        match parse_texts(name, &flags) {
            Ok(ParsedArguments::Help(_)) => faults.push("its flags ask for help".to_owned()),
            Ok(ParsedArguments::Run(controller)) => faults.extend(controller.faults()),
            Err(reason) => {
                // The parser stops at the first fault.
                let rest = without_fault(name, &flags, &reason);
                faults.push(reason);
                if let Some(rest) = rest {
                    flags = rest;
                    continue;
                }
            }
        }
        return faults;
    }
}

fn parse_texts(name: &'static str, flags: &[String]) -> Result<ParsedArguments, String> {
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    parse(name, &flags).map_err(|error| error.message().to_owned())
}

/// Returns the flags without the one that has a fault, and without its separate value.
fn without_fault(name: &'static str, flags: &[String], reason: &str) -> Option<Vec<String>> {
    let is_next_value = |index: usize| {
        let next = flags.get(index + 1).filter(|next| !next.starts_with('-'));
        (next.is_some() && !flags[index].contains('=')).then_some(index + 1)
    };
    let mut candidates = (0..flags.len()).map(|index| {
        let value = is_next_value(index);
        let kept = flags
            .iter()
            .enumerate()
            .filter(|(other, flag)| **flag != flags[index] && Some(*other) != value);
        kept.map(|(_, flag)| flag.clone()).collect::<Vec<_>>()
    });
    candidates.find(|rest| parse_texts(name, rest).err().as_deref() != Some(reason))
}

pub(super) fn one(name: &str, flags: &[OsString]) -> CommandResult {
    let name = NAMES
        .iter()
        .find(|known| **known == name)
        .ok_or_else(|| CommandError::internal(format!("{name} is not in this build")))?;
    match parse(name, flags)? {
        ParsedArguments::Help(text) => {
            output::stdout(&text)?;
            Ok(Exit::SUCCESS)
        }
        ParsedArguments::Run(controller) => serve(name, vec![(name, *controller)]),
    }
}

/// Returns the help of all controllers in one process: the flags that they share.
fn help_of_all() -> String {
    let names = NAMES.join(", ");
    let command = Command::new("all")
        .bin_name("sluice controller all")
        .disable_version_flag(true);
    // The arguments bring a text of their own.
    let mut command = <SharedArgs as clap::Args>::augment_args(command)
        .about("Run all controllers in one process")
        .long_about(None)
        .arg(
            clap::Arg::new("without")
                .long("without")
                .value_name("CONTROLLER")
                .action(clap::ArgAction::Append)
                .help("Leave out a controller"),
        )
        .after_help(format!(
            "Each of these flags applies to all controllers. --CONTROLLER.flag=VALUE sets a flag of \
             one,\nsuch as --source-controller.storage-path=DIR; \
             `sluice controller CONTROLLER --help` lists them.\n\nControllers: {names}"
        ));
    command.render_long_help().to_string()
}

pub(super) fn all(flags: &[OsString]) -> CommandResult {
    if flags.iter().any(|flag| flag == "--help" || flag == "-h") {
        output::stdout(&help_of_all())?;
        return Ok(Exit::SUCCESS);
    }
    let mut controllers: Vec<(&'static str, Controller)> = Vec::new();
    let (without, flags) = excluded(flags)?;
    for (name, own) in split(&flags)? {
        if without.contains(&name) {
            continue;
        }
        // A later use of the flag wins. The default is that of the source controller.
        let defaults = match name {
            IMAGE_REFLECTOR => vec![OsString::from(TAG_STORAGE)],
            SOURCE_WATCHER => watcher_defaults(&controllers),
            _ => Vec::new(),
        };
        let own: Vec<OsString> = defaults.into_iter().chain(own).collect();
        match parse(name, &own)? {
            ParsedArguments::Help(text) => {
                output::stdout(&text)?;
                return Ok(Exit::SUCCESS);
            }
            ParsedArguments::Run(controller) => controllers.push((name, *controller)),
        }
    }
    check_storage(&controllers)?;
    serve("sluice", controllers)
}

/// Returns the flags of the watcher beside other controllers. It shares the directory of the source
/// controller, because their artifacts have own directories there.
fn watcher_defaults(controllers: &[(&'static str, Controller)]) -> Vec<OsString> {
    let mut defaults = vec![OsString::from(WATCHER_ADDRESS)];
    for (_, controller) in controllers {
        if let Controller::Source(args) = controller {
            let mut flag = OsString::from("--storage-path=");
            flag.push(&args.storage.storage_path);
            defaults.push(flag);
        }
    }
    defaults
}

/// Rejects one directory for artifacts and tags. Each controller removes what it does not know.
fn check_storage(controllers: &[(&'static str, Controller)]) -> Result<(), CommandError> {
    let mut artifacts = controllers.iter().filter_map(|(_, it)| match it {
        Controller::Source(args) => Some(&args.storage.storage_path),
        Controller::SourceWatcher(args) => Some(&args.storage.storage_path),
        _ => None,
    });
    let tags = controllers.iter().find_map(|(_, it)| match it {
        Controller::ImageReflector(args) => Some(&args.storage_path),
        _ => None,
    });
    match tags {
        Some(tags) if artifacts.any(|artifacts| artifacts == tags) => {
            let tags = tags.display();
            let message = format!("artifacts and tags cannot share the directory {tags}");
            Err(CommandError::user(message)
                .hint(format!("set --{IMAGE_REFLECTOR}.storage-path"))
                .code(2))
        }
        _ => Ok(()),
    }
}

/// Splits `--without=NAME` from the other flags.
fn excluded(flags: &[OsString]) -> Result<(Vec<&'static str>, Vec<OsString>), CommandError> {
    let (mut without, mut rest) = (Vec::new(), Vec::new());
    for flag in flags {
        let text = flag.to_string_lossy();
        let Some(name) = text.strip_prefix(WITHOUT) else {
            rest.push(flag.clone());
            continue;
        };
        let known = NAMES.iter().find(|known| **known == name);
        let unknown = || CommandError::user(format!("{WITHOUT}{name}: unknown controller")).code(2);
        without.push(*known.ok_or_else(unknown)?);
    }
    Ok((without, rest))
}

/// Gives each controller the shared flags, and its own ones, which have its name as prefix. A
/// separate value (`--flag value`) follows its flag.
fn split(flags: &[OsString]) -> Result<BTreeMap<&'static str, Vec<OsString>>, CommandError> {
    let mut split: BTreeMap<&'static str, Vec<OsString>> =
        NAMES.iter().map(|name| (*name, Vec::new())).collect();
    let mut last: Option<&'static str> = None;
    let mut is_for_all = true;
    for flag in flags {
        let text = flag.to_string_lossy();
        if let Some(body) = text.strip_prefix("--") {
            let name = body.split('=').next().unwrap_or_default();
            is_for_all = !NOT_OF_NOTIFICATION.contains(&name);
            last = match name.split_once('.') {
                None => None,
                Some((owner, _)) => {
                    Some(NAMES.iter().find(|known| **known == owner).ok_or_else(|| {
                        CommandError::user(format!(
                            "unknown flag: --{name}: \"{owner}\" is none of {}",
                            NAMES.join(", ")
                        ))
                        .code(2)
                    })?)
                }
            };
            if let Some(owner) = last {
                let own = format!("--{}", &body[owner.len() + 1..]);
                split.entry(owner).or_default().push(own.into());
                continue;
            }
        }
        match last {
            Some(owner) => split.entry(owner).or_default().push(flag.clone()),
            None => {
                for (name, own) in &mut split {
                    if is_for_all || *name != NOTIFICATION {
                        own.push(flag.clone());
                    }
                }
            }
        }
    }
    Ok(split)
}

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
fn serve(name: &str, controllers: Vec<(&'static str, Controller)>) -> CommandResult {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn repeated_flag_overrides_and_lists_grow() {
        let flags = "--concurrent=4 --watch-all-namespaces=true --feature-gates=DirectSourceFetch=true \
             --concurrent=20 --watch-all-namespaces=false --feature-gates=CancelHealthCheckOnNewRevision=true \
             --requeue-dependency=5s --requeue-dependency=7s";
        let ParsedArguments::Run(parsed) = parse("kustomize-controller", &words(flags)).unwrap()
        else {
            panic!("help");
        };
        let Controller::Kustomize(args) = *parsed else {
            panic!("another controller");
        };
        assert!(!args.shared.namespaces.watch_all_namespaces);
        let shown = format!("{args:?}");
        for said in [
            "concurrent: 20",
            "requeue_dependency: 7s",
            "DirectSourceFetch",
            "CancelHealthCheckOnNewRevision",
        ] {
            assert!(shown.contains(said), "{said}: {shown}");
        }
        // The last use also wins between a shared and an own flag.
        let all = split(&words(
            "--concurrent=4 --kustomize-controller.concurrent=20",
        ))
        .unwrap();
        for (name, own) in all {
            parse(name, &own).unwrap();
        }
    }

    #[test]
    fn help_of_all_has_shared_flags() {
        let help = help_of_all();
        assert!(
            help.starts_with("Run all controllers in one process\n"),
            "{help}"
        );
        for part in [
            "Usage: sluice controller all [OPTIONS]",
            "--log-level <LEVEL>",
            "--without <CONTROLLER>",
            "--source-controller.storage-path=DIR",
            "Controllers: source-controller, kustomize-controller, helm-controller",
        ] {
            assert!(help.contains(part), "{part}: {help}");
        }
        assert!(!help.contains("--storage-path <DIR>"), "{help}");
    }

    #[test]
    fn shared_flags_go_to_all_and_named_ones_to_their_controller() {
        let split = split(&words(
            "--log-level=debug --source-controller.storage-path /data --events-addr x --kustomize-controller.concurrent=8",
        ))
        .unwrap();
        assert_eq!(
            split["source-controller"],
            words("--log-level=debug --storage-path /data --events-addr x")
        );
        assert_eq!(
            split["kustomize-controller"],
            words("--log-level=debug --events-addr x --concurrent=8")
        );
    }

    #[test]
    fn values_of_flags_have_names() {
        for name in NAMES {
            let command = command(name);
            let flags = command.get_arguments().filter(|flag| !flag.is_hide_set());
            for flag in flags.filter(|flag| flag.get_action().takes_values()) {
                let default = flag.get_id().as_str().to_uppercase();
                let names = flag.get_value_names().unwrap_or_default();
                assert!(!names.is_empty() && names != [default.as_str()], "{flag}");
            }
        }
    }

    #[test]
    fn excluded_controllers_must_exist() {
        let flags = words("--log-level=info --without=notification-controller");
        let (without, rest) = excluded(&flags).unwrap();
        assert_eq!(without, ["notification-controller"]);
        assert_eq!(rest, words("--log-level=info"));
        assert!(excluded(&words("--without=policy-controller")).is_err());
    }

    #[test]
    fn artifacts_and_tags_have_own_directories() {
        let of = |name: &'static str, path: &str| {
            let flag = words(&format!("--storage-path={path}"));
            match parse(name, &flag) {
                Ok(ParsedArguments::Run(controller)) => (name, *controller),
                _ => panic!("{name}"),
            }
        };
        let source = || of("source-controller", "/data");
        let refused = check_storage(&[source(), of(IMAGE_REFLECTOR, "/data")]);
        assert_eq!(
            refused.unwrap_err().message(),
            "artifacts and tags cannot share the directory /data"
        );
        assert!(check_storage(&[source(), of(IMAGE_REFLECTOR, "/tags")]).is_ok());
        assert!(check_storage(&[source()]).is_ok());
    }

    #[test]
    fn watcher_shares_directory_but_not_port() {
        let flag = words("--storage-path=/volume");
        let Ok(ParsedArguments::Run(source)) = parse("source-controller", &flag) else {
            panic!("help");
        };
        let defaults = watcher_defaults(&[("source-controller", *source)]);
        let Ok(ParsedArguments::Run(watcher)) = parse(SOURCE_WATCHER, &defaults) else {
            panic!("help");
        };
        let Controller::SourceWatcher(args) = *watcher else {
            panic!("another controller");
        };
        assert_eq!(args.storage.storage_path, std::path::Path::new("/volume"));
        assert_eq!(args.storage.storage_addr, ":9092");
    }

    #[test]
    fn events_address_of_server_is_set_apart() {
        let split = split(&words(
            "--events-addr http://n/ --log-level=info --notification-controller.events-addr=:9091",
        ))
        .unwrap();
        assert_eq!(
            split["notification-controller"],
            words("--log-level=info --events-addr=:9091")
        );
        assert_eq!(
            split["source-controller"],
            words("--events-addr http://n/ --log-level=info")
        );
    }

    #[test]
    fn flag_of_unknown_controller_is_rejected() {
        assert!(split(&words("--policy-controller.concurrent=8")).is_err());
    }
}
