//! Completes command lines in real shells, with our scripts and with Flux's.
//!
//! A shell that is not installed is skipped with a message, as are Flux's scripts without
//! `REFERENCE_BIN_DIR`. `REQUIRE_ORACLES=1` makes a missing shell a failure.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sluice_skip::{Requirement, skip};

use crate::program;

const KUBECONFIG: &str = "apiVersion: v1\nkind: Config\n\
    contexts: [{name: kind-one, context: {cluster: c, user: u}}, {name: 'arn:aws:eks:two', context: {cluster: c, user: u}}]\n\
    clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\nusers: [{name: u, user: {}}]\n";

/// Functions that completion scripts for bash may use.
const PACKAGE: &str = "/usr/share/bash-completion/bash_completion";

/// Lines to complete, with the expected result.
const LINES: [(&str, &str); 6] = [
    ("PROGRAM recon", "PROGRAM reconcile "),
    (
        "PROGRAM get kustomizations --watc",
        "PROGRAM get kustomizations --watch ",
    ),
    (
        "PROGRAM get ks --context kin",
        "PROGRAM get ks --context kind-one ",
    ),
    (
        "PROGRAM get ks --context=arn:aws",
        "PROGRAM get ks --context=arn:aws:eks:two ",
    ),
    (
        "PROGRAM --context \"kind-one\" susp",
        "PROGRAM --context \"kind-one\" suspend ",
    ),
    ("PROGRAM envsubst zet", "PROGRAM envsubst zeta "),
];

/// A directory with a kubeconfig, a file to complete, and links under both program names.
struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let place = Self { root };
        for name in ["bin", "work", "home"] {
            std::fs::create_dir(place.path(name)).unwrap();
        }
        for name in ["bin/sluice", "bin/flux"] {
            std::os::unix::fs::symlink(program::sluice(), place.path(name)).unwrap();
        }
        std::fs::write(place.path("work/zeta"), "").unwrap();
        std::fs::write(place.path("kubeconfig"), KUBECONFIG).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs a shell with a timeout of a minute.
    fn run(&self, command: &[&str], input: &str) -> String {
        let path =
            std::env::join_paths(std::iter::once(self.path("bin")).chain(programs())).unwrap();
        let mut child = Command::new("timeout")
            .arg("60")
            .args(command)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.path("home"))
            .env("KUBECONFIG", self.path("kubeconfig"))
            .env("SEEN", self.path("seen"))
            .env("TERM", "xterm")
            .env("LANG", "C.UTF-8")
            .current_dir(self.path("work"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns the shell's lines after each completion.
    fn seen(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path("seen")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn script(&self, writer: &Path, shell: &str) -> PathBuf {
        let printed = Command::new(writer)
            .args(["completion", shell])
            .output()
            .unwrap();
        assert!(printed.status.success(), "{printed:?}");
        let path = self.path(&format!("script.{shell}"));
        std::fs::write(&path, printed.stdout).unwrap();
        path
    }
}

/// Returns the directories of `PATH`.
fn programs() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).collect()
}

fn has(shell: &str) -> bool {
    let found = programs()
        .iter()
        .any(|directory| directory.join(shell).exists());
    if !found {
        skip(Requirement::Oracle, &format!("{shell} is not installed"));
    }
    found
}

/// Returns the typed lines and the expected lines.
fn lines(program: &str) -> (Vec<String>, Vec<String>) {
    LINES
        .iter()
        .map(|(typed, completed)| {
            (
                typed.replace("PROGRAM", program),
                completed.replace("PROGRAM", program),
            )
        })
        .unzip()
}

/// Types and completes each line, and writes the results to a file.
fn in_bash(place: &Place, script: &Path, typed: &[String]) -> Vec<String> {
    let mut input = format!(
        "[ -r {PACKAGE} ] && source {PACKAGE}\nsource '{}'\n",
        script.display()
    );
    input.push_str("bind -x '\"\\C-x\\C-b\": printf \"%s\\n\" \"$READLINE_LINE\" >>\"$SEEN\"; READLINE_LINE='\n");
    for line in typed {
        input.push_str(line);
        input.push_str("\t\u{18}\u{2}");
    }
    input.push_str("exit\n");
    place.run(&["bash", "--norc", "--noprofile", "-i"], &input);
    place.seen()
}

fn in_zsh(place: &Place, script: &Path, typed: &[String]) -> Vec<String> {
    let mut input = format!(
        "zmodload zsh/zpty\nzpty shell zsh -f -i\n\
         zpty -w shell 'autoload -Uz compinit; compinit -u -D; source {}'\n\
         zpty -w shell 'seen() {{ print -r -- \"$BUFFER\" >>$SEEN; BUFFER=; }}; zle -N seen; bindkey \"^X^B\" seen'\n",
        script.display()
    );
    for line in typed {
        writeln!(input, "zpty -w -n shell '{line}'$'\\t\\x18\\x02'").unwrap();
    }
    input.push_str("zpty -w shell exit\nwhile zpty -r shell chunk; do :; done\n");
    let driver = place.path("driver.zsh");
    std::fs::write(&driver, input).unwrap();
    place.run(&["zsh", "-f", driver.to_str().unwrap()], "");
    place.seen()
}

/// Returns fish's candidates for the last word of each line.
fn in_fish(place: &Place, script: &Path, typed: &[String]) -> Vec<String> {
    let complete = |line: &String| {
        let line = line.replace('\'', "\\'");
        let command = format!("source '{}'; complete -C '{line}'", script.display());
        let offered = place.run(&["fish", "--no-config", "-c", &command], "");
        let offered: Vec<&str> = offered
            .lines()
            .map(|line| line.split('\t').next().unwrap())
            .collect();
        match offered.as_slice() {
            [only] => {
                let before = line.rfind(' ').map_or(0, |space| space + 1);
                format!("{}{only} ", &line[..before])
            }
            _ => line.clone(),
        }
    };
    typed.iter().map(complete).collect()
}

#[test]
fn bash_completes_by_our_script() {
    for program in ["sluice", "flux"] {
        let place = Place::new();
        let script = place.script(&place.path("bin").join(program), "bash");
        let (typed, completed) = lines(program);
        assert_eq!(in_bash(&place, &script, &typed), completed);
    }
}

#[test]
fn zsh_completes_by_our_script() {
    if !has("zsh") {
        return;
    }
    for program in ["sluice", "flux"] {
        let place = Place::new();
        let script = place.script(&place.path("bin").join(program), "zsh");
        let (typed, completed) = lines(program);
        assert_eq!(in_zsh(&place, &script, &typed), completed);
    }
}

#[test]
fn fish_completes_by_our_script() {
    if !has("fish") {
        return;
    }
    for program in ["sluice", "flux"] {
        let place = Place::new();
        let script = place.script(&place.path("bin").join(program), "fish");
        let (typed, completed) = lines(program);
        assert_eq!(in_fish(&place, &script, &typed), completed);
    }
}

/// Completes lines in a shell with a script.
type Shell = fn(&Place, &Path, &[String]) -> Vec<String>;

#[test]
fn scripts_of_flux_complete_with_our_binary() {
    let Some(directory) = std::env::var_os("REFERENCE_BIN_DIR") else {
        skip(Requirement::Optional, "REFERENCE_BIN_DIR is not set");
        return;
    };
    let flux = Path::new(&directory).join("flux");
    let shells: [(&str, Shell); 3] = [("bash", in_bash), ("zsh", in_zsh), ("fish", in_fish)];
    for (shell, complete) in shells {
        // Flux's script for bash needs the package bash-completion.
        if !has(shell) || (shell == "bash" && !Path::new(PACKAGE).exists()) {
            skip(
                Requirement::Optional,
                &format!("{shell} cannot run Flux's script"),
            );
            continue;
        }
        let place = Place::new();
        let script = place.script(&flux, shell);
        let (mut typed, mut completed) = lines("flux");
        // Flux's script for bash splits words differently, so some lines do not apply to it.
        let kept = if shell == "bash" { 3 } else { typed.len() };
        typed.truncate(kept);
        completed.truncate(kept);
        assert_eq!(complete(&place, &script, &typed), completed, "{shell}");
    }
}

/// The printed scripts must equal the committed ones, which `xtask generate` writes and packages
/// ship.
#[test]
fn printed_scripts_equal_the_committed_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("completions");
    let place = Place::new();
    for program in ["sluice", "flux"] {
        for (shell, ending) in [
            ("bash", "bash"),
            ("fish", "fish"),
            ("powershell", "ps1"),
            ("zsh", "zsh"),
        ] {
            let printed = place.script(&place.path("bin").join(program), shell);
            assert_eq!(
                std::fs::read_to_string(printed).unwrap(),
                std::fs::read_to_string(folder.join(format!("{program}.{ending}"))).unwrap(),
                "{program} {shell}"
            );
        }
    }
}

/// Returns the arguments with which `PowerShell`'s script calls the binary: the words, and the last
/// word or an empty one.
fn powershell_calls(place: &Place, line: &str) -> Vec<String> {
    let mut words: Vec<&str> = line.split(' ').skip(1).collect();
    let Some(partial) = words.pop() else {
        return Vec::new();
    };
    let output = Command::new(place.path("bin/flux"))
        .arg("__complete")
        .args(words)
        .arg(partial)
        .env("KUBECONFIG", place.path("kubeconfig"))
        .env("HOME", place.path("home"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// `PowerShell` is not available everywhere, so this test reads its script as text. The binary must
/// answer in cobra's format, which the script parses.
#[test]
fn powershell_completions_match_its_script() {
    let place = Place::new();
    let cases: [(&str, &[&str]); 6] = [
        ("flux recon", &["reconcile\tReconcile an object now", ":4"]),
        ("flux get ks --context kin", &["kind-one", ":4"]),
        // After `--flag=`, the script prefixes the candidates with the flag.
        ("flux get ks --context=arn:aws", &["arn:aws:eks:two", ":4"]),
        ("flux install --log-level d", &["debug", ":4"]),
        // Directive 0 lets the shell offer files.
        ("flux envsubst zet", &[":0"]),
        ("flux nothing ", &[":0"]),
    ];
    for (line, expected) in cases {
        let answer = powershell_calls(&place, line);
        assert_eq!(answer, expected, "{line}");
    }
    let script = place.script(&place.path("bin/flux"), "powershell");
    let script = std::fs::read_to_string(script).unwrap();
    assert!(script.contains("Register-ArgumentCompleter -Native -CommandName 'flux'"));
    assert!(script.contains("& 'flux' __complete @Arguments"));
    // The script must not evaluate the typed text.
    assert!(!script.contains("Invoke-Expression") && !script.contains("iex "));
}
