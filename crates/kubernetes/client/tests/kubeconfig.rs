//! `kubeconfig::load` with files, lists of files and flags.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sluice_client::kubeconfig::{Environment, Flags, load};

/// A directory with kubeconfig files.
struct Files {
    directory: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn with(self, name: &str, text: &str) -> Self {
        sluice_system::fs::write(self.path(name), text).unwrap();
        self
    }

    fn list(&self, names: &[&str]) -> Environment {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.path(name)).collect();
        Environment {
            kubeconfig: Some(std::env::join_paths(paths).unwrap()),
            ..Environment::default()
        }
    }
}

const ONE: &str = "
apiVersion: v1
kind: Config
current-context: one
contexts:
- {name: one, context: {cluster: shared, user: red, namespace: apps}}
- {name: orphan, context: {cluster: gone, user: red}}
- {name: nobody, context: {cluster: shared, user: gone}}
clusters:
- {name: shared, cluster: {server: 'https://one:6443'}}
users:
- {name: red, user: {token: red-token}}
";

const TWO: &str = "
apiVersion: v1
kind: Config
current-context: two
contexts:
- {name: two, context: {cluster: shared, user: blue}}
clusters:
- {name: shared, cluster: {server: 'https://two:6443'}}
- {name: other, cluster: {server: 'http://other:8080', disable-compression: true}}
users:
- {name: red, user: {token: not-this-one}}
- {name: blue, user: {username: u, password: p}}
";

fn explicit(path: PathBuf) -> Flags {
    Flags {
        kubeconfig: Some(path),
        ..Flags::default()
    }
}

#[test]
fn first_definition_of_a_name_wins() {
    let files = Files::new().with("one", ONE).with("two", TWO);
    let environment = files.list(&["absent", "one", "two"]);
    let loaded = load(&Flags::default(), &environment).unwrap();
    assert_eq!(loaded.context.as_deref(), Some("one"));
    assert_eq!(loaded.config.cluster_url, "https://one:6443");
    assert_eq!(loaded.config.default_namespace, "apps");

    let flags = Flags {
        context: Some("two".to_owned()),
        ..Flags::default()
    };
    let loaded = load(&flags, &environment).unwrap();
    assert_eq!(
        loaded.config.cluster_url, "https://one:6443",
        "the cluster is the first file's"
    );
    assert_eq!(loaded.config.default_namespace, "default");
    assert_eq!(loaded.config.auth_info.username.as_deref(), Some("u"));
}

#[test]
fn mistakes_follow_one_table() {
    let files = Files::new()
        .with("one", ONE)
        .with("broken", "contexts: [")
        .with("empty", "");
    let flags = |change: &dyn Fn(&mut Flags)| {
        let mut flags = explicit(files.path("one"));
        change(&mut flags);
        flags
    };
    let named = |name: &str| Some(name.to_owned());
    let cases: Vec<(Flags, &str)> = vec![
        (
            flags(&|f| f.context = named("x")),
            r#"context "x" does not exist"#,
        ),
        (
            flags(&|f| f.context = named("orphan")),
            r#"cluster "gone" does not exist"#,
        ),
        (
            flags(&|f| f.cluster = named("x")),
            r#"cluster "x" does not exist"#,
        ),
        (
            flags(&|f| f.user = named("x")),
            r#"user "x" does not exist"#,
        ),
        (
            flags(&|f| f.server = named("one:6443")),
            "server \"one:6443\" is not a URL",
        ),
        (
            flags(&|f| f.server = named("ftp://one")),
            "the scheme must be https or http",
        ),
        (
            flags(&|f| f.impersonate_groups = vec!["g".to_owned()]),
            "need --as",
        ),
        (
            flags(&|f| f.impersonate_extra = vec!["g".to_owned()]),
            "is not key=value",
        ),
        (
            flags(&|f| f.client_certificate = Some("c".into())),
            "there is no client-key for it",
        ),
        (
            flags(&|f| f.certificate_authority = Some("/absent/ca".into())),
            "/absent/ca",
        ),
        (explicit(files.path("absent")), "absent does not exist"),
        (explicit(files.path("broken")), "broken"),
        (explicit(files.path("empty")), "sets no current-context"),
    ];
    for (flags, expected) in cases {
        let error = load(&flags, &Environment::default())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(expected),
            "{error:?} says nothing of {expected:?}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn list_of_missing_files_is_an_error() {
    let files = Files::new();
    let error = load(&Flags::default(), &files.list(&["a", "b"]))
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("none of the files in KUBECONFIG exists: "),
        "{error}"
    );
}

#[test]
fn without_any_file_the_message_says_where_we_looked() {
    let files = Files::new();
    let home = Environment {
        home: Some(files.directory.path().to_owned()),
        ..Environment::default()
    };
    let error = load(&Flags::default(), &home).unwrap_err().to_string();
    assert!(error.contains(".kube/config"), "{error}");
}

#[test]
fn default_file_is_used_without_a_list() {
    let files = Files::new();
    let directory = files.path(".kube");
    sluice_system::fs::create_dir_all(&directory).unwrap();
    sluice_system::fs::write(directory.join("config"), ONE).unwrap();
    let environment = Environment {
        home: Some(files.directory.path().to_owned()),
        kubeconfig: None,
        in_cluster: true,
    };
    assert_eq!(
        load(&Flags::default(), &environment)
            .unwrap()
            .context
            .as_deref(),
        Some("one")
    );
}

#[test]
fn server_flag_alone_is_enough() {
    let flags = Flags {
        server: Some("https://alone:6443".to_owned()),
        token: Some("t".into()),
        ..Flags::default()
    };
    let loaded = load(&flags, &Environment::default()).unwrap();
    assert_eq!(loaded.context, None);
    assert_eq!(loaded.config.cluster_url, "https://alone:6443");
    assert!(loaded.config.auth_info.token.is_some());
}

#[test]
fn credentials_in_the_server_url_win() {
    let text = "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n\
                clusters: [{name: c, cluster: {server: 'https://me:can%40ary@c:6443/x'}}]\n\
                users: [{name: u, user: {token: t}}]\n";
    let files = Files::new().with("config", text);
    let config = load(&explicit(files.path("config")), &Environment::default())
        .unwrap()
        .config;
    assert_eq!(config.cluster_url, "https://c:6443/x");
    assert_eq!(config.auth_info.username.as_deref(), Some("me"));
    let password = serde_json::to_value(&config.auth_info).unwrap()["password"].take();
    assert_eq!(password, "can@ary");
    assert!(config.auth_info.token.is_none());
}

#[test]
fn rejected_server_is_shown_without_password() {
    for server in [
        "ftp://me:canary@c",
        "me:canary@c:6443",
        "https://me:canary@",
        "https://me:canary@c:nine",
        "https://me:canary@[::1]:99999",
    ] {
        let flags = Flags {
            server: Some(server.to_owned()),
            ..Flags::default()
        };
        let error = load(&flags, &Environment::default()).unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("server \""), "{error}");
        assert!(!error.contains("canary"), "{error}");
    }
}

#[test]
fn invalid_port_is_rejected() {
    let actual = |server: &str, proxy: &str| {
        let text = format!(
            "current-context: c\ncontexts: [{{name: c, context: {{cluster: c}}}}]\n\
             clusters: [{{name: c, cluster: {{server: '{server}', proxy-url: '{proxy}'}}}}]\n"
        );
        let files = Files::new().with("config", &text);
        load(&explicit(files.path("config")), &Environment::default())
            .map(|loaded| loaded.config.cluster_url.to_string())
            .map_err(|error| error.to_string())
    };
    for (server, proxy, expected) in [
        ("https://c:6443", "http://p:3128", Ok("https://c:6443/")),
        ("https://[::1]", "socks5://[::1]:1080", Ok("https://[::1]/")),
        (
            "https://c:nine",
            "",
            Err("server \"https://c:nine\" is not a URL: its port is not a port number"),
        ),
        (
            "https://c",
            "http://me:canary@p:nine",
            Err("proxy-url is not a URL"),
        ),
        ("https://c", "http://p:99999", Err("proxy-url is not a URL")),
    ] {
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(actual(server, proxy), expected);
    }
}

#[test]
fn flags_beat_files() {
    let files = Files::new().with("one", ONE).with("two", TWO);
    let flags = Flags {
        kubeconfig: Some(files.path("two")),
        cluster: Some("other".to_owned()),
        token: Some("given".into()),
        tls_server_name: Some("api".to_owned()),
        insecure_skip_tls_verify: true,
        impersonate: Some("someone".to_owned()),
        impersonate_extra: vec!["scope=a=b".to_owned(), "scope=c".to_owned()],
        ..Flags::default()
    };
    // The flag's file is the only one read.
    let config = load(&flags, &files.list(&["one"])).unwrap().config;
    assert_eq!(config.cluster_url, "http://other:8080");
    assert!(config.accept_invalid_certs && config.disable_compression);
    assert_eq!(config.tls_server_name.as_deref(), Some("api"));
    let info = config.auth_info;
    assert!(info.token.is_some() && info.username.is_none() && info.password.is_none());
    assert_eq!(info.impersonate.as_deref(), Some("someone"));
    assert_eq!(info.impersonate_user_extra.unwrap()["scope"], ["a=b", "c"]);
}

#[test]
fn context_may_name_a_missing_user() {
    let files = Files::new().with("one", ONE);
    let flags = Flags {
        context: Some("nobody".to_owned()),
        ..explicit(files.path("one"))
    };
    assert!(
        load(&flags, &Environment::default())
            .unwrap()
            .config
            .auth_info
            .token
            .is_none()
    );
}

#[test]
fn paths_in_a_file_are_relative_to_it() {
    let user = "users: [{name: u, user: {tokenFile: secrets/token, client-certificate: c.crt, client-key: c.key, exec: {command: ./plugin}}}]";
    let text = format!(
        "current-context: c\ncontexts: [{{name: c, context: {{cluster: c, user: u}}}}]\n\
         clusters: [{{name: c, cluster: {{server: 'https://c'}}}}]\n{user}\n"
    );
    let files = Files::new().with("config", &text);
    sluice_system::fs::create_dir_all(files.path("secrets")).unwrap();
    for (name, text) in [("secrets/token", "from-file"), ("c.crt", ""), ("c.key", "")] {
        sluice_system::fs::write(files.path(name), text).unwrap();
    }
    let config = load(&explicit(files.path("config")), &Environment::default())
        .unwrap()
        .config;
    let info = config.auth_info;
    let inside =
        |path: Option<String>| Path::new(&path.unwrap()).starts_with(files.directory.path());
    assert!(inside(info.token_file) && inside(info.client_certificate) && inside(info.client_key));
    assert!(inside(info.exec.unwrap().command));
}

#[test]
fn token_file_is_trimmed() {
    let text = "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n\
                clusters: [{name: c, cluster: {server: 'https://c'}}]\n\
                users: [{name: u, user: {tokenFile: token}}]\n";
    let files = Files::new().with("config", text).with("token", "abc\n");
    let info = load(&explicit(files.path("config")), &Environment::default())
        .unwrap()
        .config
        .auth_info;
    assert!(info.token.is_some() && info.token_file.is_none());
    let files = files.with("token", "\n");
    let error = load(&explicit(files.path("config")), &Environment::default()).unwrap_err();
    assert_eq!(error.to_string(), "tokenFile: it is empty");
}

#[test]
fn auth_provider_is_rejected_by_name() {
    let text = "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n\
                clusters: [{name: c, cluster: {server: 'https://c'}}]\n\
                users: [{name: u, user: {auth-provider: {name: gcp, config: {cmd-path: /bin/false}}}}]\n";
    let files = Files::new().with("config", text);
    let error = load(&explicit(files.path("config")), &Environment::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("auth-provider \"gcp\""), "{error}");
}

#[test]
fn empty_entries_of_the_list_are_skipped() {
    let files = Files::new().with("one", ONE);
    let mut list = OsString::from(":");
    list.push(files.path("one"));
    let environment = Environment {
        kubeconfig: Some(list),
        ..Environment::default()
    };
    assert_eq!(
        load(&Flags::default(), &environment)
            .unwrap()
            .context
            .as_deref(),
        Some("one")
    );
}
