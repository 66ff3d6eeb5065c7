//! `install.sh` in each shell that a user may have: what it installs, what it refuses, and what it
//! leaves alone.
//!
//! A shell that is not installed is skipped in one line; `REQUIRE_ORACLES=1` turns that into a
//! failure.
//!
//! One file, although a long one: each test is one visit of a user, and they share the machine at its end.

use std::path::{Path, PathBuf};
use std::process::Output;

use super::release_server::{Machine, ReleaseServer, said, write_program};
use super::signature::{Signer, tests::throw_away};

const SHELLS: [&[&str]; 3] = [&["dash"], &["bash", "--posix"], &["busybox", "sh"]];

fn shells() -> impl Iterator<Item = &'static [&'static str]> {
    SHELLS.into_iter().filter(|shell| {
        let there = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .any(|directory| directory.join(shell[0]).exists());
        if !there {
            assert!(
                std::env::var_os("REQUIRE_ORACLES").is_none(),
                "REQUIRE_ORACLES is set and there is no {}",
                shell[0]
            );
            eprintln!("skipped: no {} to run install.sh with", shell[0]);
        }
        there
    })
}

fn script() -> PathBuf {
    crate::repository().join("install.sh")
}

/// Runs a copy of the installer into `DIR/prefix` of a machine.
fn run(machine: &Machine, shell: &[&str], script: &Path, arguments: &[&str]) -> Output {
    let mut words = shell.to_vec();
    words.push(script.to_str().unwrap());
    let prefix = machine.path("prefix");
    let mut command = machine.command(&words);
    if !arguments.iter().any(|argument| !argument.starts_with('-')) {
        command.arg("--prefix").arg(prefix);
    }
    command.args(arguments).output().unwrap()
}

fn install(server: &ReleaseServer, machine: &Machine, shell: &[&str], more: &[&str]) -> Output {
    let url = format!("--release-url={}", server.url());
    let mut arguments = vec![url.as_str()];
    arguments.extend_from_slice(more);
    run(machine, shell, &script(), &arguments)
}

/// The flag with the key that signed.
fn key(machine: &Machine, pem: &str) -> String {
    let path = machine.path("home/key.pub");
    std::fs::write(&path, pem).unwrap();
    format!("--public-key={}", path.display())
}

/// Asserts that a run failed with some words and left the machine as it was.
fn refused(machine: &Machine, shell: &[&str], words: &[&str], run: impl FnOnce() -> Output) {
    let before = machine.snapshot();
    let output = run();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{shell:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{shell:?}: {word} in {text}");
    }
    assert_eq!(machine.snapshot(), before, "{shell:?}: {text}");
}

#[test]
fn a_release_is_installed_with_its_links_and_nothing_is_written_elsewhere() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        let key = key(&machine, &server.public_key());
        let before = machine.snapshot();
        let output = install(&server, &machine, shell, &[&key]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        assert!(said(&output).contains("the signature of v1.2.3 is good"));
        let mut after = machine.snapshot();
        after.retain(|path, what| before.get(path) != Some(what));
        let paths: Vec<&str> = after.keys().map(String::as_str).collect();
        let expected = [
            "prefix",
            "prefix/bin",
            "prefix/bin/flux",
            "prefix/bin/kubectl-sluice",
            "prefix/bin/sluice",
        ];
        assert_eq!(paths, expected, "{shell:?}");
        assert!(after["prefix/bin/sluice"].starts_with("755 "));
        for name in ["flux", "kubectl-sluice"] {
            assert_eq!(after[&format!("prefix/bin/{name}")], "-> sluice");
        }
    }
}

#[test]
fn the_installer_of_a_release_knows_its_place_and_its_key() {
    let server = ReleaseServer::start();
    let text = std::fs::read_to_string(script()).unwrap();
    let url = Some(server.url());
    let stranger = Signer::from_pem(&throw_away()).unwrap();
    for shell in shells() {
        let machine = Machine::new();
        let published = machine.path("home/install.sh");
        let shipped = super::installer(&text, url, Some(&stranger)).unwrap();
        std::fs::write(&published, shipped).unwrap();
        refused(
            &machine,
            shell,
            &["are not signed by the given key"],
            || run(&machine, shell, &published, &[]),
        );
        let shipped = super::installer(&text, url, Some(server.signer())).unwrap();
        std::fs::write(&published, shipped).unwrap();
        let output = run(&machine, shell, &published, &[]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        assert!(said(&output).contains("the signature of v1.2.3 is good"));
    }
}

#[test]
fn a_second_run_changes_nothing() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        for arguments in [&["--share"][..], &["--version=1.2.3", "--share"]] {
            let output = install(&server, &machine, shell, arguments);
            assert!(output.status.success(), "{shell:?}: {}", said(&output));
        }
        let before = machine.snapshot();
        let output = install(&server, &machine, shell, &["--share"]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        assert!(said(&output).contains("is up to date"), "{}", said(&output));
        assert_eq!(machine.snapshot(), before, "{shell:?}");
    }
}

#[test]
fn completions_and_pages_are_installed_when_they_are_asked_for() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        let output = install(&server, &machine, shell, &["--share", "--no-flux-link"]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        for path in [
            "share/man/man1/sluice-get.1",
            "share/bash-completion/completions/sluice",
            "share/zsh/site-functions/_sluice",
            "share/fish/vendor_completions.d/sluice.fish",
        ] {
            assert!(machine.path("prefix").join(path).exists(), "{path}");
        }
        for path in ["bin/flux", "share/bash-completion/completions/flux"] {
            assert!(!machine.path("prefix").join(path).exists(), "{path}");
        }
    }
}

#[test]
fn as_flux_s_installer_it_takes_a_directory_for_programs() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        let output = install(&server, &machine, shell, &["tools"]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        let program = machine.path("work/tools/sluice");
        let output = machine.command(&[program.to_str().unwrap()]).output();
        assert_eq!(said(&output.unwrap()), "flux: v2.9.4\nsluice: v1.2.3\n");
    }
}

#[test]
fn a_tarball_with_another_checksum_is_not_installed() {
    let server = ReleaseServer::start();
    let path = "/download/v1.2.3/sluice_1.2.3_linux_amd64.tar.gz";
    let mut bytes = server.file(path);
    *bytes.last_mut().unwrap() ^= 1;
    server.put(path, bytes);
    for shell in shells() {
        let machine = Machine::new();
        let words = ["has the SHA-256", "nothing is installed"];
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[])
        });
        // What was there stays.
        std::fs::create_dir_all(machine.path("prefix/bin")).unwrap();
        std::fs::write(machine.path("prefix/bin/sluice"), "older").unwrap();
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[])
        });
    }
}

#[test]
fn checksums_that_the_key_did_not_sign_install_nothing() {
    let server = ReleaseServer::start();
    let list = "/download/v1.2.3/sluice_1.2.3_checksums.txt";
    let good = server.file(list);
    for shell in shells() {
        let machine = Machine::new();
        let stranger = Signer::from_pem(&throw_away())
            .unwrap()
            .public_key()
            .unwrap();
        let stranger = key(&machine, &stranger);
        let words = ["are not signed by the given key"];
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[&stranger])
        });
        let right = key(&machine, &server.public_key());
        let mut altered = good.clone();
        altered.extend_from_slice(b"0000  another\n");
        server.put(list, altered);
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[&right])
        });
        server.put(list, good.clone());
        // With no signature at all, a key is not satisfied either.
        let signature = server.file(&format!("{list}.sig"));
        server.remove(&format!("{list}.sig"));
        let words = ["release v1.2.3 is not signed"];
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[&right])
        });
        server.put(&format!("{list}.sig"), signature);
    }
}

#[test]
fn what_openssl_cannot_verify_here_cosign_is_asked_about() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    let key = key(&machine, &server.public_key());
    // Everything of the system but openssl.
    let tools = machine.path("tools");
    std::fs::create_dir(&tools).unwrap();
    for name in [
        "sh",
        "uname",
        "grep",
        "curl",
        "sha256sum",
        "cut",
        "tar",
        "gzip",
        "mktemp",
        "mkdir",
        "rmdir",
        "rm",
        "cat",
        "head",
        "tail",
        "tr",
        "awk",
        "cmp",
        "cp",
        "chmod",
        "mv",
        "ln",
        "readlink",
        "dirname",
        "sed",
    ] {
        let found = ["/usr/bin", "/bin"]
            .map(|directory| Path::new(directory).join(name))
            .into_iter()
            .find(|path| path.exists());
        if let Some(path) = found {
            std::os::unix::fs::symlink(path, tools.join(name)).unwrap();
        }
    }
    let run = |machine: &Machine| {
        let url = format!("--release-url={}", server.url());
        machine
            .command(&["/bin/sh", script().to_str().unwrap(), &url, &key])
            .arg("--prefix")
            .arg(machine.path("prefix"))
            .env("PATH", &tools)
            .output()
            .unwrap()
    };
    refused(&machine, &["sh"], &["openssl or cosign"], || run(&machine));
    for (exit, success) in [(1, false), (0, true)] {
        let cosign = tools.join("cosign");
        let script = format!("echo \"$@\" >&2\n[ \"$1\" = verify-blob ] && exit {exit}");
        write_program(&cosign, &script);
        let output = run(&machine);
        assert_eq!(output.status.success(), success, "{}", said(&output));
    }
}

#[test]
fn a_version_that_does_not_exist_is_told_plainly() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        let words = ["there is no release v9.9.9 at", "404"];
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &["--version=v9.9.9"])
        });
        for bad in ["--version=../1.2.3", "--version=v1 2", "--version=-rf"] {
            refused(&machine, shell, &["is no version"], || {
                install(&server, &machine, shell, &[bad])
            });
        }
    }
}

#[test]
fn a_server_without_releases_is_told_plainly() {
    let server = ReleaseServer::start();
    server.remove("/latest/download/sluice_version.txt");
    for shell in shells() {
        let machine = Machine::new();
        refused(
            &machine,
            shell,
            &["cannot learn which release is the newest"],
            || install(&server, &machine, shell, &[]),
        );
    }
    server.put(
        "/latest/download/sluice_version.txt",
        b"<html>../../etc\n".to_vec(),
    );
    for shell in shells() {
        let machine = Machine::new();
        refused(
            &machine,
            shell,
            &["does not say which release is the newest"],
            || install(&server, &machine, shell, &[]),
        );
    }
}

/// Class S11: nobody is sent on to where the list of checksums could be another one.
#[test]
fn plain_http_is_taken_from_this_machine_only_and_leads_nowhere_else() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        for url in [
            "http://releases.example",
            "http://127.0.0.1.releases.example",
            "http://localhost@releases.example/",
            "ftp://127.0.0.1/",
            "file:///tmp",
        ] {
            refused(&machine, shell, &["by https only"], || {
                run(
                    &machine,
                    shell,
                    &script(),
                    &[&format!("--release-url={url}")],
                )
            });
        }
    }
    let path = "/download/v1.2.3/sluice_1.2.3_checksums.txt";
    let list = server.file(path);
    server.put("/elsewhere", list);
    server.redirect(path, &format!("{}/elsewhere", server.url()));
    for shell in shells() {
        let machine = Machine::new();
        refused(&machine, shell, &["there is no release v1.2.3"], || {
            install(&server, &machine, shell, &[])
        });
    }
}

/// A folder with every program of the system but one.
fn all_but(machine: &Machine, missing: &str) -> PathBuf {
    let tools = machine.path("tools");
    std::fs::create_dir(&tools).unwrap();
    for directory in ["/bin", "/usr/bin"] {
        for entry in std::fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != missing {
                drop(std::os::unix::fs::symlink(
                    entry.path(),
                    tools.join(entry.file_name()),
                ));
            }
        }
    }
    tools
}

/// Class S11, for curl: it is told to stay with https and with TLS 1.2 or newer. Class S12: what
/// it says of a server's words does not steer the terminal.
#[test]
fn curl_is_held_to_https_and_its_words_are_printed_without_control_codes() {
    for shell in shells() {
        let machine = Machine::new();
        machine.program(
            "curl",
            "echo \"$@\" >\"$HOME/asked\"; printf 'curl: \\033[2J\\007refused\\n' >&2; exit 22",
        );
        let output = run(
            &machine,
            shell,
            &script(),
            &["--release-url=https://releases.example", "--version=1.2.3"],
        );
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("curl: [2Jrefused"), "{text:?}");
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
        let asked = std::fs::read_to_string(machine.path("home/asked")).unwrap();
        for flag in ["--proto =https", "--tlsv1.2", "--fail"] {
            assert!(asked.contains(flag), "{flag} in {asked}");
        }
        assert!(!asked.contains("--proto-redir"), "{asked}");
    }
}

/// Class S11, for wget: it is sent on by hand, and to https only.
#[test]
fn wget_is_sent_on_to_https_only() {
    for (location, followed) in [
        ("http://elsewhere.example/sums", false),
        ("ftp://elsewhere.example/sums", false),
        ("//elsewhere.example/sums", false),
        ("https://elsewhere.example/sums", true),
    ] {
        let machine = Machine::new();
        let tools = all_but(&machine, "curl");
        std::fs::remove_file(tools.join("wget")).ok();
        machine.program(
            "wget",
            &format!(
                "case \"$1\" in --version) echo GNU Wget 1; exit;; esac\n\
                 echo \"$@\" >>\"$HOME/asked\"\nprintf '  Location: {location}\\r\\n' >&2\nexit 8"
            ),
        );
        let output = machine
            .command(&["/bin/sh", script().to_str().unwrap()])
            .args(["--release-url=https://releases.example", "--version=1.2.3"])
            .arg("--prefix")
            .arg(machine.path("prefix"))
            .env(
                "PATH",
                std::env::join_paths([machine.path("programs"), tools]).unwrap(),
            )
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let asked = std::fs::read_to_string(machine.path("home/asked")).unwrap();
        assert!(asked.contains("--max-redirect=0"), "{asked}");
        assert!(asked.contains("--secure-protocol=TLSv1_2"), "{asked}");
        assert_eq!(
            asked.contains(" https://elsewhere.example"),
            followed,
            "{asked}"
        );
        assert!(
            !asked.contains("http://elsewhere") && !asked.contains("ftp:"),
            "{asked}"
        );
        // A circle ends.
        assert!(asked.lines().count() <= 6, "{asked}");
        assert!(!machine.path("prefix").exists());
    }
}

#[test]
fn wget_serves_where_there_is_no_curl() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    if machine.command(&["wget", "--version"]).output().is_err() {
        eprintln!("skipped: no wget");
        return;
    }
    let tools = all_but(&machine, "curl");
    let run = |version: &str| {
        let url = format!("--release-url={}", server.url());
        machine
            .command(&["/bin/sh", script().to_str().unwrap(), &url, version])
            .arg("--prefix")
            .arg(machine.path("prefix"))
            .env("PATH", &tools)
            .output()
            .unwrap()
    };
    refused(
        &machine,
        &["sh"],
        &["there is no release v9.9.9 at"],
        || run("--version=9.9.9"),
    );
    let output = run("--version=1.2.3");
    assert!(output.status.success(), "{}", said(&output));
    assert!(machine.path("prefix/bin/sluice").exists());
}

#[test]
fn a_program_that_does_not_run_here_or_is_another_version_is_not_installed() {
    for (program, word) in [
        ("#!/bin/sh\necho wrong libc >&2; exit 127\n", "wrong libc"),
        (
            "#!/bin/sh\necho flux: v1.2.3\necho sluice: v1.2.30\n",
            "says that it is",
        ),
    ] {
        let server = ReleaseServer::start();
        let mut contents = super::tests::contents();
        contents.binary = program.as_bytes().to_vec();
        let mut files = super::files(&contents, 0).unwrap();
        super::sign(&mut files, "1.2.3", Some(server.signer())).unwrap();
        for (name, bytes) in files {
            server.put(&format!("/download/v1.2.3/{name}"), bytes);
        }
        for shell in shells() {
            let machine = Machine::new();
            let key = key(&machine, &server.public_key());
            refused(&machine, shell, &[word], || {
                install(&server, &machine, shell, &[&key])
            });
        }
    }
}

#[test]
fn another_flux_is_replaced_by_force_only() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        std::fs::create_dir_all(machine.path("prefix/bin")).unwrap();
        std::fs::write(machine.path("prefix/bin/flux"), "another").unwrap();
        refused(&machine, shell, &["exists and is not ours"], || {
            install(&server, &machine, shell, &[])
        });
        let output = install(&server, &machine, shell, &["--force"]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        assert_eq!(machine.snapshot()["prefix/bin/flux"], "-> sluice");
    }
}

#[test]
fn a_system_without_a_release_is_told_how_to_build() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        machine.program("uname", "[ \"$1\" = -s ] && echo Darwin || echo arm64");
        refused(
            &machine,
            shell,
            &["no release for Darwin/arm64", "--from-source"],
            || install(&server, &machine, shell, &[]),
        );
    }
}

#[test]
fn without_a_release_a_checkout_is_built() {
    for shell in shells() {
        let machine = Machine::new();
        // A checkout of the same shape, and a compiler that needs no time.
        let checkout = machine.path("checkout");
        std::fs::create_dir(&checkout).unwrap();
        std::fs::copy(script(), checkout.join("install.sh")).unwrap();
        std::fs::write(
            checkout.join("Cargo.toml"),
            "[package]\nname = \"sluice\"\n",
        )
        .unwrap();
        machine.program("cc", "");
        machine.program("git", "");
        machine.program(
            "cargo",
            "mkdir -p \"$CARGO_TARGET_DIR/release\"\necho \"$@\" >\"$CARGO_TARGET_DIR.said\"\n\
             printf '#!/bin/sh\\necho built $*\\n' >\"$CARGO_TARGET_DIR/release/sluice\"",
        );
        let output = run(&machine, shell, &checkout.join("install.sh"), &[]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        let asked = machine.path("home/.cache/sluice/target.said");
        let asked = std::fs::read_to_string(asked).unwrap();
        assert!(asked.starts_with("rustc --release --locked"), "{asked}");
        let program = machine.path("prefix/bin/sluice");
        let output = machine
            .command(&[program.to_str().unwrap()])
            .output()
            .unwrap();
        assert_eq!(said(&output), "built\n");
        machine.program("go", "");
        let output = run(&machine, shell, &checkout.join("install.sh"), &["--demo"]);
        assert!(
            said(&output).contains("built dev --once\n"),
            "{}",
            said(&output)
        );

        refused(
            &machine,
            shell,
            &["--version 1.2.3 picks a release"],
            || {
                run(
                    &machine,
                    shell,
                    &checkout.join("install.sh"),
                    &["--version=1.2.3"],
                )
            },
        );
        // A copy of the script alone has nothing to build.
        let alone = machine.path("home/install.sh");
        std::fs::copy(script(), &alone).unwrap();
        refused(
            &machine,
            shell,
            &["no place for releases is configured"],
            || run(&machine, shell, &alone, &[]),
        );
    }
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        // The user presses Ctrl-C while the archive is unpacked.
        machine.program("tar", "kill -INT $PPID; kill -TERM $PPID");
        let before = machine.snapshot();
        let output = install(&server, &machine, shell, &[]);
        assert!(!output.status.success(), "{shell:?}: {}", said(&output));
        assert_eq!(machine.snapshot(), before, "{shell:?}");
    }
}
