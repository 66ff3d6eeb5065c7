//! Parses the flags of one controller, and explains the wrong ones.

use std::ffi::OsString;

use clap::{Command, FromArgMatches as _};

use super::controller::{
    Controller, HELM, IMAGE_AUTOMATION, IMAGE_REFLECTOR, NOTIFICATION, SOURCE_WATCHER,
};
use crate::commands::controller::NAMES;
use crate::error::CommandError;
use crate::{flags, misuse};

/// Returns the command with the flags of one controller.
pub(super) fn command(name: &str) -> Command {
    let command = Command::new(name.to_owned())
        .disable_version_flag(true)
        // The last use of a repeated flag wins, because users append to Flux's arguments.
        .args_override_self(true);
    match name {
        "source-controller" => flags::add::<sluice_source_controller::Args>(
            command.about("Fetch sources, verify them and serve them as artifacts"),
        ),
        NOTIFICATION => flags::add::<sluice_notification_controller::Args>(
            command.about("Send events to services, and receive webhooks"),
        ),
        IMAGE_REFLECTOR => flags::add::<sluice_image_reflector_controller::Args>(
            command.about("Scan image repositories and select tags by policies"),
        ),
        HELM => flags::add::<sluice_helm_controller::Args>(
            command.about("Install, upgrade and test Helm releases"),
        ),
        IMAGE_AUTOMATION => flags::add::<sluice_image_automation_controller::Args>(
            command.about("Commit the images of policies to Git repositories"),
        ),
        SOURCE_WATCHER => flags::add::<sluice_source_watcher_controller::Args>(
            command.about("Build artifacts from parts of other artifacts"),
        ),
        _ => flags::add::<sluice_kustomize_controller::Args>(
            command.about("Apply manifests from sources to clusters"),
        ),
    }
}

pub(super) enum ParsedArguments {
    Run(Box<Controller>),
    Help,
}

pub(super) fn parse(
    name: &'static str,
    flags: &[OsString],
) -> Result<ParsedArguments, CommandError> {
    let full = std::iter::once(OsString::from(name)).chain(flags.iter().cloned());
    let matches = match command(name).try_get_matches_from(full) {
        Ok(matches) => matches,
        Err(error) if error.kind() == clap::error::ErrorKind::DisplayHelp => {
            return Ok(ParsedArguments::Help);
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

/// Returns every reason why a controller would not start with these flags.
pub(in crate::commands::controller) fn flag_faults(name: &str, flags: &[String]) -> Vec<String> {
    let Some(name) = NAMES.iter().find(|known| **known == name) else {
        return vec!["this build has no such controller".to_owned()];
    };
    let (mut faults, mut flags) = (Vec::new(), flags.to_vec());
    loop {
        match parse_texts(name, &flags) {
            Ok(ParsedArguments::Help) => faults.push("its flags ask for help".to_owned()),
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

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

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
}
