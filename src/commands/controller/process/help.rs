//! The help pages of one controller, and of all in one process.

use clap::{Arg, ArgAction, Args as _, Command};
use sluice_host::SharedArgs;

use super::parse;
use crate::commands::controller::{NAMES, call_of};
use crate::{flags, help};

/// Heading of the flags that all controllers take.
const SHARED: &str = "Shared flags";

/// Flags that Flux's controllers do not have.
const OURS: [&str; 7] = [
    "delivery-max-age",
    "git-store-max-size",
    "git-store-path",
    "identity-host-allowlist",
    "sigstore-trusted-root",
    "storage-list-dirs",
    "tag-count-warning",
];

/// Returns the page of one controller. `call` is the command that runs it.
pub(super) fn of_one(call: &str, name: &str) -> String {
    help::render(&mut page(call, &parse::command(name)))
}

/// Returns the page of all controllers in one process: the flags that they share.
pub(super) fn of_all(program: &str) -> String {
    let command = Command::new("all")
        .about("Run all controllers in one process")
        .disable_version_flag(true);
    let command = flags::add::<SharedArgs>(command).arg(
        Arg::new("without")
            .long("without")
            .value_name("CONTROLLER")
            .action(ArgAction::Append)
            .help("Leave out a controller"),
    );
    let page = page(&call_of(program, "all"), &command);
    let names = NAMES.join(", ");
    help::render(&mut page.after_help(format!(
        "A shared flag applies to every controller that has it. --CONTROLLER.flag=VALUE sets a flag\n\
         of one, such as --source-controller.storage-path=DIR.\n\
         `{program} controller CONTROLLER --help` lists them.\n\nControllers: {names}"
    )))
}

/// Arranges the flags of a command below their headings, in the order of our other pages.
fn page(call: &str, command: &Command) -> Command {
    let shared = SharedArgs::augment_args(Command::new("shared"));
    let heading = |flag: &Arg| {
        // A flag of the same name can have another meaning.
        let is_same =
            |other: &Arg| other.get_id() == flag.get_id() && other.get_help() == flag.get_help();
        if shared.get_arguments().any(is_same) {
            return Some(SHARED);
        }
        let name = flag.get_long()?;
        OURS.contains(&name).then_some(flags::OURS)
    };
    let mut flags: Vec<Arg> = command.get_arguments().cloned().collect();
    // clap shows headings in the order of their first flags.
    flags.sort_by_key(|flag| match heading(flag) {
        None => 0,
        Some(SHARED) => 1,
        Some(_) => 2,
    });
    let flags = flags.into_iter().map(|flag| match heading(&flag) {
        Some(heading) => flag.help_heading(heading),
        None => flag,
    });
    let mut page = Command::new(command.get_name().to_owned())
        .bin_name(call)
        .disable_version_flag(true)
        .args(flags);
    if let Some(about) = command.get_about() {
        page = page.about(about.clone());
    }
    page.build();
    help::arrange(page)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn page_of(name: &str) -> String {
        of_one(&call_of("sluice", name), name)
    }

    #[test]
    fn page_starts_with_task_and_usage() {
        let pages = NAMES.iter().map(|name| (*name, page_of(name)));
        let pages = pages.chain([("all", of_all("sluice"))]);
        let tasks = [
            "Fetch sources, verify them and serve them as artifacts",
            "Apply manifests from sources to clusters",
            "Install, upgrade and test Helm releases",
            "Send events to services, and receive webhooks",
            "Scan image repositories and select tags by policies",
            "Commit the images of policies to Git repositories",
            "Build artifacts from parts of other artifacts",
            "Run all controllers in one process",
        ];
        assert_eq!(tasks.len(), NAMES.len() + 1);
        for ((name, page), task) in pages.zip(tasks) {
            let start = format!("{task}\n\nUsage: sluice controller {name} [FLAGS]\n\nFlags:\n");
            assert!(page.starts_with(&start), "{page}");
        }
    }

    #[test]
    fn page_has_the_form_of_other_commands() {
        for page in NAMES.iter().map(|name| page_of(name)) {
            for part in [
                "[default: \"\"]",
                "[default: false]",
                "Possible values:",
                "summary",
            ] {
                assert!(!page.contains(part), "{part}: {page}");
            }
            let log = "          [default: info]\n          [possible values: trace, debug, info, error]\n";
            assert!(page.contains(log), "{page}");
            assert!(page.contains("          [env: METRICS_ADDR]\n"), "{page}");
        }
    }

    #[test]
    fn page_sorts_the_flags_of_each_heading() {
        for name in NAMES {
            let page = page_of(name);
            let mut headings = Vec::new();
            let mut flags: Vec<&str> = Vec::new();
            for line in page.lines() {
                if !line.starts_with(' ') && line.ends_with(':') {
                    headings.push(line);
                    flags.clear();
                }
                let flag = line.strip_prefix("      --");
                if let Some(flag) = flag.or_else(|| line.strip_prefix("  -h, --")) {
                    flags.push(flag.split([' ', '[']).next().unwrap_or_default());
                    assert!(flags.is_sorted(), "{name}: {flags:?}");
                }
            }
            let sections = ["Flags:", "Shared flags:", "Flags that Flux does not have:"];
            assert!(sections.starts_with(&headings), "{name}: {headings:?}");
        }
    }

    #[test]
    fn flags_of_ours_exist() {
        let commands: Vec<Command> = NAMES.iter().map(|name| parse::command(name)).collect();
        let flags = commands.iter().flat_map(Command::get_arguments);
        let names: BTreeSet<&str> = flags.filter_map(Arg::get_long).collect();
        for name in OURS {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn listen_address_is_not_a_shared_flag() {
        let page = page_of("notification-controller");
        let (own, shared) = page.split_once("\nShared flags:\n").unwrap();
        assert!(own.contains("--events-addr <"), "{page}");
        assert!(!shared.contains("--events-addr <"), "{page}");
    }

    #[test]
    fn page_of_all_has_shared_flags() {
        let page = of_all("flux");
        for part in [
            "Usage: flux controller all [FLAGS]",
            "--log-level <LEVEL>",
            "--without <CONTROLLER>",
            "--source-controller.storage-path=DIR",
            "`flux controller CONTROLLER --help`",
            "Controllers: source-controller, kustomize-controller, helm-controller",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("--storage-path <DIR>"), "{page}");
    }
}
