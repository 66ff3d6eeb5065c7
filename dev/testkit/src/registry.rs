//! An OCI registry on loopback: the reference implementation, empty.
//!
//! By default it requires no credentials and serves plain HTTP; [`RegistryOptions`] adds
//! restrictions. It lacks the referrers API, so clients must use the fallback tag.

mod token;

use std::path::Path;

use sluice_devcluster::authority::Authority;
use sluice_devcluster::process::{Process, Program};
use sluice_devcluster::{Tool, ports};
use sluice_system::fs;
use tokio::net::TcpStream;

use crate::{testbed, wait};
use token::TokenService;

/// Access restrictions of a [`Registry`].
#[derive(Debug, Clone, Copy, Default)]
pub struct RegistryOptions {
    /// Every request must carry [`Registry::USER`] and [`Registry::PASSWORD`].
    pub basic: bool,
    /// Every request must carry a token, which a service issues for the same credentials.
    pub token: bool,
    /// Serves TLS, with a certificate of [`Registry::authority`].
    pub tls: bool,
    /// Clients must show a certificate of that authority.
    pub client_certificate: bool,
}

/// A running registry; dropping it stops it and removes its content.
#[derive(Debug)]
pub struct Registry {
    process: Process,
    _directory: tempfile::TempDir,
    host: String,
    authority: Option<Authority>,
    tokens: Option<TokenService>,
}

/// The password file, as `htpasswd -nbBC 5` writes it.
const PASSWORD_FILE: &str = "sluice:$2a$05$McqpB8xTw.4o0932boDotOOl0rnwbVk.6fDH7jpbdaWgNnKhgjVoa\n";

impl Registry {
    /// User name of a restricted registry.
    pub const USER: &str = "sluice";
    /// Password of a restricted registry.
    pub const PASSWORD: &str = "registry-password";

    /// Starts an empty registry without restrictions, building it first if necessary.
    pub async fn start() -> Self {
        Self::start_with(RegistryOptions::default()).await
    }

    /// Starts an empty registry.
    pub async fn start_with(options: RegistryOptions) -> Self {
        let binary = testbed::toolbox()
            .path(Tool::Registry)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let directory = tempfile::tempdir().unwrap();
        let authority = (options.tls || options.client_certificate)
            .then(|| Authority::new("registry").unwrap());
        let tokens = if options.token {
            Some(TokenService::start(directory.path()).await)
        } else {
            None
        };
        let mut attempt = 0;
        loop {
            let [port] = ports::free(std::net::Ipv4Addr::LOCALHOST.into()).unwrap();
            let config = configuration(
                directory.path(),
                port,
                options,
                authority.as_ref(),
                tokens.as_ref(),
            );
            let mut process = run(&binary, directory.path(), &config);
            let listening = wait::eventually("the registry listens", || {
                let ended = process.check().map_err(|error| error.to_string());
                async move {
                    if ended.is_err() {
                        return Ok(ended);
                    }
                    TcpStream::connect(("127.0.0.1", port))
                        .await
                        .map(|_| Ok(()))
                        .map_err(|error| error.to_string())
                }
            })
            .await;
            match listening {
                Ok(()) => {
                    return Self {
                        process,
                        _directory: directory,
                        host: format!("127.0.0.1:{port}"),
                        authority,
                        tokens,
                    };
                }
                Err(error) if attempt < 3 && error.contains("in use") => attempt += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// `host:port`, as it stands in an image's name.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The URL of a repository, as an `OCIRepository` names it.
    pub fn url(&self, repository: &str) -> String {
        format!("oci://{}/{repository}", self.host)
    }

    /// The authority of its certificate, which also signs clients' certificates.
    pub fn authority(&self) -> Option<&Authority> {
        self.authority.as_ref()
    }

    /// Number of issued tokens; none without a token service.
    pub fn tokens(&self) -> usize {
        self.tokens.as_ref().map_or(0, TokenService::given)
    }

    /// Returns a Docker configuration with its credentials.
    pub fn docker_config(&self) -> String {
        format!(
            r#"{{"auths":{{"{}":{{"username":"{}","password":"{}"}}}}}}"#,
            self.host,
            Self::USER,
            Self::PASSWORD
        )
    }

    /// The end of its log.
    pub fn log(&self) -> String {
        self.process.log_tail()
    }
}

fn configuration(
    directory: &Path,
    port: u16,
    options: RegistryOptions,
    authority: Option<&Authority>,
    tokens: Option<&TokenService>,
) -> String {
    use std::fmt::Write as _;

    let storage = directory.join("storage");
    let mut config = format!(
        "version: 0.1
log:
  level: warn
storage:
  filesystem:
    rootdirectory: {}
  delete:
    enabled: true
http:
  addr: 127.0.0.1:{port}
",
        storage.display()
    );
    if let Some(authority) = authority {
        let identity = authority
            .server(
                "registry",
                &["localhost"],
                &[std::net::Ipv4Addr::LOCALHOST.into()],
            )
            .unwrap();
        for (name, text) in [
            ("tls.crt", identity.certificate),
            ("tls.key", identity.key),
            ("ca.crt", authority.certificate()),
        ] {
            fs::write(directory.join(name), text).unwrap();
        }
        let at = |name: &str| directory.join(name).display().to_string();
        let _ = writeln!(
            config,
            "  tls:\n    certificate: {}\n    key: {}",
            at("tls.crt"),
            at("tls.key")
        );
        if options.client_certificate {
            let _ = writeln!(config, "    clientcas:\n      - {}", at("ca.crt"));
        }
    }
    if options.basic {
        let path = directory.join("htpasswd");
        fs::write(&path, PASSWORD_FILE).unwrap();
        let _ = writeln!(
            config,
            "auth:\n  htpasswd:\n    realm: registry\n    path: {}",
            path.display()
        );
    }
    if let Some(tokens) = tokens {
        config.push_str(&tokens.configuration());
    }
    config
}

fn run(binary: &Path, directory: &Path, config: &str) -> Process {
    let path = directory.join("config.yml");
    fs::write(&path, config).unwrap();
    Program::new("registry", binary)
        .argument("serve")
        .argument(&path)
        .variable("OTEL_TRACES_EXPORTER", "none")
        .start(&directory.join("registry.log"))
        .unwrap_or_else(|error| panic!("{error}"))
}
