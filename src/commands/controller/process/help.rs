//! The help page of all controllers in one process.

use clap::Command;
use sluice_host::SharedArgs;

use crate::commands::controller::NAMES;

/// Returns the help of all controllers in one process: the flags that they share.
pub(super) fn of_all() -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_of_all_has_shared_flags() {
        let help = of_all();
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
}
