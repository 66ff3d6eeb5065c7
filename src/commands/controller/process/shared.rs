//! Divides the flags of several controllers in one process between them. Pure.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::controller::{Controller, IMAGE_REFLECTOR, NOTIFICATION, SOURCE_WATCHER};
use crate::commands::controller::NAMES;
use crate::error::CommandError;

/// Address of generated artifacts beside the source controller, which has the same one in Flux.
const WATCHER_ADDRESS: &str = "--storage-addr=:9092";
/// Directory of tags beside other controllers, whose artifacts are in the default directory.
const TAG_STORAGE: &str = "--storage-path=/tags";
/// Flag of `all` that excludes a controller.
const WITHOUT: &str = "--without";
/// Shared flags that do not apply to the notification controller.
const NOT_OF_NOTIFICATION: [&str; 3] = [
    "events-addr",
    "watch-label-selector",
    "interval-jitter-percentage",
];

/// Returns the flags that come before those of a controller beside others, where a later use wins.
pub(super) fn defaults(name: &str, controllers: &[(&'static str, Controller)]) -> Vec<OsString> {
    match name {
        IMAGE_REFLECTOR => vec![OsString::from(TAG_STORAGE)],
        SOURCE_WATCHER => watcher_defaults(controllers),
        _ => Vec::new(),
    }
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
pub(super) fn check_storage(
    controllers: &[(&'static str, Controller)],
) -> Result<(), CommandError> {
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

/// Splits `--without NAME` and `--without=NAME` from the other flags.
pub(super) fn excluded(
    flags: &[OsString],
) -> Result<(Vec<&'static str>, Vec<OsString>), CommandError> {
    let (mut without, mut rest) = (Vec::new(), Vec::new());
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let text = flag.to_string_lossy();
        let name = if text == WITHOUT {
            flags.next().map(|name| name.to_string_lossy())
        } else {
            text.strip_prefix(&format!("{WITHOUT}="))
                .map(|name| name.to_owned().into())
        };
        let Some(name) = name else {
            rest.push(flag.clone());
            continue;
        };
        let known = NAMES.iter().find(|known| **known == name);
        let unknown = || {
            CommandError::user(format!("{WITHOUT}={name}: unknown controller"))
                .hint(format!("the controllers are {}", NAMES.join(", ")))
                .code(2)
        };
        without.push(*known.ok_or_else(unknown)?);
    }
    Ok((without, rest))
}

/// Gives each controller the shared flags, and its own ones, which have its name as prefix. A
/// separate value (`--flag value`) follows its flag.
pub(super) fn split(
    flags: &[OsString],
) -> Result<BTreeMap<&'static str, Vec<OsString>>, CommandError> {
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

#[cfg(test)]
mod tests {
    use super::super::parse::{ParsedArguments, parse};
    use super::super::words;
    use super::*;

    #[test]
    fn last_use_wins_between_shared_and_own_flag() {
        let all = split(&words(
            "--concurrent=4 --kustomize-controller.concurrent=20",
        ))
        .unwrap();
        for (name, own) in all {
            parse(name, &own).unwrap();
        }
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
    fn excluded_controllers_must_exist() {
        let flags = words("--log-level=info --without=notification-controller");
        let (without, rest) = excluded(&flags).unwrap();
        assert_eq!(without, ["notification-controller"]);
        assert_eq!(rest, words("--log-level=info"));
        let apart = words("--without source-watcher --log-level=info");
        assert_eq!(excluded(&apart).unwrap(), (vec!["source-watcher"], rest));
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
