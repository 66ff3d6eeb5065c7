//! Tests of `install.sh` in several shells: installed files, rejections, and files that it must not
//! touch.
//!
//! A missing shell is skipped; `REQUIRE_ORACLES=1` turns that into a failure. The file is long
//! because all tests share the machine at its end.

use std::path::{Path, PathBuf};
use std::process::Output;

use sluice_skip::{Requirement, skip};

use super::release_server::{Machine, ReleaseServer, said, write_program};
use super::tests::{contents, has_tool};
use crate::signature::{Signer, tests::throw_away};

const SHELLS: [&[&str]; 3] = [&["dash"], &["bash", "--posix"], &["busybox", "sh"]];

fn shells() -> impl Iterator<Item = &'static [&'static str]> {
    SHELLS.into_iter().filter(|shell| {
        let there = std::env::split_paths(&std::env::var_os("PATH").unwrap())
            .any(|directory| directory.join(shell[0]).exists());
        if !there {
            skip(
                Requirement::Oracle,
                &format!("{} is not installed", shell[0]),
            );
        }
        there
    })
}

fn script() -> PathBuf {
    crate::repository().join("install.sh")
}

/// Runs the installer with `DIR/prefix` of a machine.
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
    if !more.iter().any(|flag| flag.starts_with("--public-key")) {
        arguments.push("--unsigned");
    }
    arguments.extend_from_slice(more);
    run(machine, shell, &script(), &arguments)
}

/// Returns the flag with the public key.
fn key(machine: &Machine, pem: &str) -> String {
    let path = machine.path("home/key.pub");
    std::fs::write(&path, pem).unwrap();
    format!("--public-key={}", path.display())
}

/// Asserts that a run failed with these words and left the machine unchanged.
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
fn release_is_installed_with_links_and_nothing_else() {
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
fn published_installer_contains_url_and_key() {
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
fn second_run_changes_nothing() {
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
fn share_installs_completions_and_pages() {
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
fn argument_is_a_directory_for_programs() {
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
fn tarball_with_wrong_checksum_is_rejected() {
    let server = ReleaseServer::start();
    let path = "/download/v1.2.3/sluice_1.2.3_linux_amd64.tar.gz";
    let mut bytes = server.file(path);
    *bytes.last_mut().unwrap() ^= 1;
    server.put(path, bytes);
    for shell in shells() {
        let machine = Machine::new();
        let words = ["has the SHA-256", "but the checksums list"];
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[])
        });
        // The existing file stays.
        std::fs::create_dir_all(machine.path("prefix/bin")).unwrap();
        std::fs::write(machine.path("prefix/bin/sluice"), "older").unwrap();
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &[])
        });
    }
}

#[test]
fn unsigned_checksums_are_rejected() {
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
        // A missing signature fails, too.
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
fn release_without_known_key_is_refused() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        let url = format!("--release-url={}", server.url());
        let words = ["no key to verify the signature of v1.2.3", "--unsigned"];
        refused(&machine, shell, &words, || {
            run(&machine, shell, &script(), &[&url])
        });
    }
}

#[test]
fn commands_by_hand_verify_a_release() {
    if !has_tool("openssl") {
        return;
    }
    let page = std::fs::read_to_string(crate::repository().join("docs/install.md")).unwrap();
    let (_, rest) = page.split_once("\n## By hand\n").unwrap();
    let (_, rest) = rest.split_once("```sh\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        block.contains(&format!("sluice_{version}_checksums.txt")),
        "{block}"
    );
    let machine = Machine::new();
    let signer = Signer::from_pem(&throw_away()).unwrap();
    let mut contents = contents();
    version.clone_into(&mut contents.version);
    let mut files = super::files(&contents, 1_700_000_000).unwrap();
    super::sign(&mut files, version, Some(&signer)).unwrap();
    let key = signer.public_key().unwrap().into_bytes();
    files.insert("sluice.pub".to_owned(), key);
    for (name, bytes) in files {
        std::fs::write(machine.path(&name), bytes).unwrap();
    }
    let programs = machine.path("by-hand");
    std::fs::create_dir(&programs).unwrap();
    let script = block.replace("/usr/local/bin", programs.to_str().unwrap());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-euc", &script]).current_dir(machine.path(""));
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("Verified OK"), "{}", said(&output));
    assert!(programs.join("sluice").exists() && programs.join("kubectl-sluice").exists());
}

#[test]
fn cosign_verifies_without_openssl() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    let key = key(&machine, &server.public_key());
    // All programs of the system except openssl.
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
fn missing_version_is_reported() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        let words = ["failed to find release v9.9.9 at", "404"];
        refused(&machine, shell, &words, || {
            install(&server, &machine, shell, &["--version=v9.9.9"])
        });
        for bad in ["--version=../1.2.3", "--version=v1 2", "--version=-rf"] {
            refused(&machine, shell, &["is not a version"], || {
                install(&server, &machine, shell, &[bad])
            });
        }
    }
}

#[test]
fn server_without_releases_is_reported() {
    let server = ReleaseServer::start();
    server.remove("/latest/download/sluice_version.txt");
    for shell in shells() {
        let machine = Machine::new();
        refused(
            &machine,
            shell,
            &["failed to read the newest version"],
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
            &["does not name the newest release"],
            || install(&server, &machine, shell, &[]),
        );
    }
}

/// Class S11: a redirect must not lead to another list of checksums.
#[test]
fn http_is_limited_to_loopback_without_redirects() {
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
            refused(&machine, shell, &["is not an https URL"], || {
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
        refused(&machine, shell, &["failed to find release v1.2.3"], || {
            install(&server, &machine, shell, &[])
        });
    }
}

/// Returns a folder with every program of the system except one.
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

/// Class S11, for curl: only https, with TLS 1.2 or newer. Class S12: messages of a server must not
/// control the terminal.
#[test]
fn curl_uses_https_and_errors_have_no_control_codes() {
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

/// Class S11, for wget: our script follows redirects, to https only.
#[test]
fn wget_follows_redirects_to_https_only() {
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
        // A redirect loop ends.
        assert!(asked.lines().count() <= 6, "{asked}");
        assert!(!machine.path("prefix").exists());
    }
}

#[test]
fn wget_replaces_missing_curl() {
    let server = ReleaseServer::start();
    let machine = Machine::new();
    if machine.command(&["wget", "--version"]).output().is_err() {
        skip(Requirement::Oracle, "wget is not installed");
        return;
    }
    let tools = all_but(&machine, "curl");
    let run = |version: &str| {
        let url = format!("--release-url={}", server.url());
        machine
            .command(&["/bin/sh", script().to_str().unwrap(), &url, version])
            .arg("--unsigned")
            .arg("--prefix")
            .arg(machine.path("prefix"))
            .env("PATH", &tools)
            .output()
            .unwrap()
    };
    refused(
        &machine,
        &["sh"],
        &["failed to find release v9.9.9 at"],
        || run("--version=9.9.9"),
    );
    let output = run("--version=1.2.3");
    assert!(output.status.success(), "{}", said(&output));
    assert!(machine.path("prefix/bin/sluice").exists());
}

#[test]
fn program_that_fails_or_has_wrong_version_is_rejected() {
    for (program, word) in [
        ("#!/bin/sh\necho wrong libc >&2; exit 127\n", "wrong libc"),
        (
            "#!/bin/sh\necho flux: v1.2.3\necho sluice: v1.2.30\n",
            "reports another version",
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
fn foreign_flux_is_replaced_only_with_force() {
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
fn system_without_release_gets_build_hint() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        machine.program("uname", "[ \"$1\" = -s ] && echo Darwin || echo arm64");
        refused(
            &machine,
            shell,
            &["releases do not support Darwin/arm64", "--from-source"],
            || install(&server, &machine, shell, &[]),
        );
    }
}

#[test]
fn checkout_is_built_without_release() {
    for shell in shells() {
        let machine = Machine::new();
        // A checkout with a fake compiler.
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
            "[ \"$1\" != tree ] || { echo 'sluice v1 (/checkout)'; exit; }\n\
             mkdir -p \"$CARGO_TARGET_DIR/$3\"\necho \"$@\" >\"$CARGO_TARGET_DIR.said\"\n\
             echo '{\"reason\":\"compiler-artifact\",\"package_id\":\"path+file:///checkout#1\"}'\n\
             printf '#!/bin/sh\\necho built $*\\n' >\"$CARGO_TARGET_DIR/$3/sluice\"",
        );
        let output = run(&machine, shell, &checkout.join("install.sh"), &[]);
        assert!(output.status.success(), "{shell:?}: {}", said(&output));
        assert!(said(&output).contains("100 %"), "{}", said(&output));
        let arguments = machine.path("home/.cache/sluice/target.said");
        let read = || std::fs::read_to_string(&arguments).unwrap();
        assert!(read().starts_with("rustc --profile release "), "{}", read());
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
        assert!(read().starts_with("rustc --profile demo "), "{}", read());
        machine.program("cargo", "echo 'error: no space left' >&2; exit 1");
        refused(
            &machine,
            shell,
            &["error: no space left", "cargo could not build sluice"],
            || run(&machine, shell, &checkout.join("install.sh"), &[]),
        );

        refused(
            &machine,
            shell,
            &["--version 1.2.3 needs a release"],
            || {
                run(
                    &machine,
                    shell,
                    &checkout.join("install.sh"),
                    &["--version=1.2.3"],
                )
            },
        );
        // A copy of the script without a checkout.
        let alone = machine.path("home/install.sh");
        std::fs::copy(script(), &alone).unwrap();
        refused(&machine, shell, &["no release URL is configured"], || {
            run(&machine, shell, &alone, &[])
        });
    }
}

#[test]
fn interrupted_run_leaves_nothing_behind() {
    let server = ReleaseServer::start();
    for shell in shells() {
        let machine = Machine::new();
        // Interrupts the unpacking, as Ctrl-C does.
        machine.program("tar", "kill -INT $PPID; kill -TERM $PPID");
        let before = machine.snapshot();
        let output = install(&server, &machine, shell, &[]);
        assert!(!output.status.success(), "{shell:?}: {}", said(&output));
        assert_eq!(machine.snapshot(), before, "{shell:?}");
    }
}
