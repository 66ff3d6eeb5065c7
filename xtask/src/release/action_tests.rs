//! Runs the action as a runner does: inputs become variables, and bash executes the step.

use std::collections::BTreeMap;
use std::process::Output;

use serde_json::Value;

use super::release_server::{Machine, ReleaseServer, said};

/// Runs the action's step with some inputs.
fn run(machine: &Machine, inputs: &[(&str, &str)]) -> Output {
    let directory = crate::repository().join("action");
    let text = std::fs::read_to_string(directory.join("action.yml")).unwrap();
    let action: Value = sluice_yaml::v2::documents(&text).unwrap().remove(0);
    assert_eq!(action["runs"]["using"], "composite");
    let mut given: BTreeMap<&str, &str> = action["inputs"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, input)| (name.as_str(), input["default"].as_str().unwrap()))
        .collect();
    for (name, value) in inputs {
        let known = given.insert(name, value);
        assert!(known.is_some(), "the action has no input {name}");
    }
    let [step] = action["runs"]["steps"].as_array().unwrap().as_slice() else {
        panic!("the action has one step");
    };
    let line = step["run"].as_str().unwrap();
    assert!(!line.contains("${{"), "an input would be text of a script");
    let mut command = machine.command(&["bash", "-e", "-c", line]);
    for (variable, value) in step["env"].as_object().unwrap() {
        let name = value
            .as_str()
            .unwrap()
            .trim_start_matches("${{ inputs.")
            .trim_end_matches(" }}");
        command.env(variable, given[name]);
    }
    command
        .env("GITHUB_ACTION_PATH", directory)
        .env("GITHUB_PATH", machine.path("home/path"))
        .env("GITHUB_OUTPUT", machine.path("home/output"))
        .env("RUNNER_TEMP", machine.path("tmp"))
        .output()
        .unwrap()
}

#[test]
fn action_installs_release_and_extends_path() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    let output = run(
        &machine,
        &[
            ("release-url", server.url()),
            ("public-key", &server.public_key()),
        ],
    );
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("the signature of v1.2.3 is good"));
    let path = std::fs::read_to_string(machine.path("home/path")).unwrap();
    let bin = machine.path("tmp/sluice/bin");
    assert_eq!(path, format!("{}\n", bin.display()));
    assert!(bin.join("flux").exists());
    let outputs = std::fs::read_to_string(machine.path("home/output")).unwrap();
    assert_eq!(outputs, "version=v1.2.3\n");
}

#[test]
fn action_reads_version_file_and_bindir() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    let inputs = [
        ("release-url", server.url()),
        ("version-file", ".sluice-version"),
        ("bindir", "tools"),
        ("unsigned", "yes"),
    ];
    let output = run(&machine, &inputs);
    assert!(
        said(&output).contains("cannot read the version-file"),
        "{}",
        said(&output)
    );
    std::fs::write(machine.path("work/.sluice-version"), "v9.9.9\n").unwrap();
    let output = run(&machine, &inputs);
    assert!(!output.status.success());
    assert!(
        said(&output).contains("failed to find release v9.9.9"),
        "{}",
        said(&output)
    );
    assert!(!machine.path("home/path").exists());
    std::fs::write(machine.path("work/.sluice-version"), "v1.2.3\r\n").unwrap();
    let output = run(&machine, &inputs);
    assert!(output.status.success(), "{}", said(&output));
    assert!(machine.path("work/tools/sluice").exists());
}

#[test]
fn inputs_are_not_evaluated() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    let output = run(
        &machine,
        &[
            ("release-url", server.url()),
            ("version", "$(touch owned); touch owned"),
        ],
    );
    assert!(!output.status.success());
    assert!(
        said(&output).contains("is not a version"),
        "{}",
        said(&output)
    );
    assert!(!machine.path("work/owned").exists());
}

#[test]
fn failed_plugin_fails_the_step() {
    let server = ReleaseServer::start();
    let mut contents = super::tests::contents();
    contents.binary = b"#!/bin/sh\n[ $# = 2 ] && echo sluice: v1.2.3 && exit\n\
        echo \"$@\" >>\"$HOME/asked\"\n[ \"$4\" != bad ]\n"
        .to_vec();
    let mut files = super::files(&contents, 0).unwrap();
    super::sign(&mut files, "1.2.3", Some(server.signer())).unwrap();
    for (name, bytes) in files {
        server.put(&format!("/download/v1.2.3/{name}"), bytes);
    }
    let machine = Machine::new();
    let inputs = [
        ("release-url", server.url()),
        ("plugins", "one, two"),
        ("unsigned", "yes"),
    ];
    let output = run(&machine, &inputs);
    assert!(output.status.success(), "{}", said(&output));
    let asked = std::fs::read_to_string(machine.path("home/asked")).unwrap();
    assert_eq!(asked, "plugin install -- one\nplugin install -- two\n");
    let output = run(
        &machine,
        &[
            ("release-url", server.url()),
            ("plugins", "bad"),
            ("unsigned", "yes"),
        ],
    );
    assert!(!output.status.success());
    assert!(said(&output).contains("the plugin bad could not be installed"));
}
