//! Checks that a build in memory needs no file: it succeeds in a thread where the kernel
//! denies all file system calls.
#![cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use sluice_kustomize::flux::{self, Spec};
use sluice_kustomize::fs::MemFs;
use sluice_kustomize::{Options, build_yaml};

/// The calls to deny: they open, stat, list or change files, run programs or use the network.
const CALLS: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_socket,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_creat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lstat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_access,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_getdents,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_mkdir,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_unlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_rename,
];

/// Runs work in a thread without access to files, which also holds for threads that it starts.
fn sealed<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let refused = CALLS.iter().map(|call| (*call, Vec::new())).collect();
    let filter = SeccompFilter::new(
        refused,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM.cast_unsigned()),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let program: BpfProgram = filter.unwrap().try_into().unwrap();
    thread::scope(|scope| {
        let sealed = scope.spawn(|| {
            seccompiler::apply_filter(&program).unwrap();
            work()
        });
        sealed.join().unwrap()
    })
}

/// A tree with a base, generators, patches, replacements, and enough files for several threads.
fn tree() -> MemFs {
    let mut resources = String::new();
    let mut tree = MemFs::new()
        .with(
            "/base/kustomization.yaml",
            "resources: [deployment.yaml]\nconfigMapGenerator:\n- name: settings\n  files: [settings.ini]\n  envs: [settings.env]\n",
        )
        .with("/base/settings.ini", "[a]\nb = c\n")
        .with("/base/settings.env", "A=1\nB\n")
        .with(
            "/base/deployment.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec:\n  template:\n    spec:\n      containers:\n      - {name: app, image: app, envFrom: [{configMapRef: {name: settings}}]}\n",
        )
        .with("/app/patch.yaml", "- {op: add, path: /metadata/labels, value: {a: b}}\n");
    for index in 0..200 {
        let name = format!("map-{index}.yaml");
        let _infallible = writeln!(resources, "- {name}");
        tree = tree.with(
            &format!("/app/{name}"),
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: map-{index}}}\n"),
        );
    }
    tree.with(
        "/app/kustomization.yaml",
        format!(
            "namePrefix: x-\nimages: [{{name: app, newTag: '2'}}]\npatches: [{{path: patch.yaml, target: {{kind: Deployment}}}}]\nreplacements:\n- source: {{kind: Deployment, name: app}}\n  targets: [{{select: {{name: map-0}}, fieldPaths: [metadata.annotations.of], options: {{create: true}}}}]\nresources:\n- ../base\n{resources}"
        ),
    )
}

#[test]
fn sealed_thread_cannot_open_files() {
    let here = std::env::current_exe().unwrap();
    assert!(here.metadata().is_ok());
    let error = sealed(|| here.metadata().unwrap_err());
    assert_eq!(error.raw_os_error(), Some(libc::EPERM));
}

#[test]
fn build_in_memory_needs_no_file() {
    let tree = tree();
    for options in [Options::cli(), Options::flux()] {
        for threads in [1, 4] {
            let options = Options {
                threads: NonZeroUsize::new(threads).unwrap(),
                ..options.clone()
            };
            let text = || build_yaml(&tree, Path::new("/app"), &options).unwrap();
            assert_eq!(sealed(text), text());
        }
    }
}

#[test]
fn flux_build_in_memory_needs_no_file() {
    let tree = tree();
    let spec = Spec {
        target_namespace: Some("apps".to_owned()),
        ..Spec::default()
    };
    // `/app` has a kustomization file; `/` does not.
    for folder in ["/app", "/base", "/"] {
        let text = || {
            let built = flux::build(&tree, Path::new(folder), &spec, &Options::flux());
            built
                .map(|built| built.to_yaml())
                .map_err(|error| error.to_string())
        };
        assert_eq!(sealed(text), text());
    }
}
