//! The catalog of plugins over HTTP: a document that lists every plugin, and one for each with its
//! versions, platforms and digests.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sluice_dial::retry::{Attempt, Retry};
use sluice_dial::{Client, explain, read_body};
use sluice_golang::quote::quote;

use super::{IsBuiltin, PREFIX, check_name};
use sluice_lifecycle::Error;

/// The newest release of Flux's own catalog.
const DEFAULT: &str = "https://github.com/fluxcd/plugins/releases/latest/download/";
const API_VERSION: &str = "cli.fluxcd.io/v1beta1";
/// No document is larger.
const LARGEST: usize = 10 << 20;
/// How long a document may take to come.
const CATALOG_TIMEOUT: Duration = Duration::from_secs(30);
/// How often a server is asked again that has a bad moment.
pub(super) const RETRY: Retry = Retry {
    retries: 3,
    wait_min: Duration::from_secs(1),
    wait_max: Duration::from_secs(30),
};

/// Hint below the error of a catalog that cannot be read.
const UNREADABLE: &str =
    "check the network and HTTPS_PROXY, or set FLUXCD_PLUGIN_CATALOG to another catalog";

/// The reason why a document was not fetched.
#[derive(Debug)]
enum FetchError {
    /// The catalog does not have it.
    Missing(String),
    /// The catalog cannot be read.
    Unreadable(String),
}

impl FetchError {
    /// The error for a plugin that was asked for by name.
    fn of_plugin(self, name: &str) -> Error {
        match self {
            Self::Missing(why) => {
                Error::user(format!("plugin \"{name}\" not found in catalog: {why}"))
                    .hint("`plugin search` lists the catalog")
            }
            Self::Unreadable(why) => Error::cluster(format!(
                "failed to fetch plugin manifest for \"{name}\": {why}"
            ))
            .hint(UNREADABLE),
        }
    }

    /// The error for the list of all plugins.
    fn of_catalog(self) -> Error {
        let (Self::Missing(why) | Self::Unreadable(why)) = self;
        Error::cluster(format!("failed to fetch plugin catalog: {why}")).hint(UNREADABLE)
    }
}

/// An address without user and password.
fn plain(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

/// Every plugin, in a line each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Catalog {
    api_version: String,
    kind: String,
    /// The plugins.
    pub plugins: Vec<Entry>,
}

/// A plugin in the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Name.
    pub name: String,
    /// Description of one line.
    pub description: String,
}

/// One plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Manifest {
    api_version: String,
    kind: String,
    /// Name.
    pub name: String,
    /// The name of the program, in an archive and in the directory.
    pub bin: String,
    /// Newest first.
    pub versions: Vec<Version>,
}

/// A version of a plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Version {
    /// The version.
    pub version: String,
    /// Its downloads.
    pub platforms: Vec<Platform>,
}

/// The download for one operating system and processor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Platform {
    /// Operating system, in Go's words.
    pub os: String,
    /// Processor, in Go's words.
    pub arch: String,
    /// Address of the download.
    pub url: String,
    /// `sha256:` and the digest.
    pub checksum: String,
    /// Where the program is in the archive, if not under its own name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub extract_path: String,
}

/// The operating system and the processor of this program, as Go calls them.
pub fn here() -> (&'static str, &'static str) {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        other => other,
    };
    (os, arch)
}

/// Where documents come from.
#[derive(Clone, Debug)]
pub struct Source {
    client: Client,
    base: String,
    is_builtin: IsBuiltin,
}

impl Source {
    /// The catalog of `FLUXCD_PLUGIN_CATALOG`, else Flux's.
    #[expect(
        clippy::disallowed_methods,
        reason = "Flux has a variable for this and no flag"
    )]
    pub fn of_process(client: Client, is_builtin: IsBuiltin) -> Self {
        let set = std::env::var("FLUXCD_PLUGIN_CATALOG").ok();
        let base = set.filter(|base| !base.is_empty());
        Self {
            client,
            base: base.unwrap_or_else(|| DEFAULT.to_owned()),
            is_builtin,
        }
    }

    async fn fetch(&self, file: &str) -> Result<String, FetchError> {
        let url = format!("{}{file}", self.base);
        let shown = plain(&url);
        let failed = |why: String| FetchError::Unreadable(format!("Get {}: {why}", quote(&shown)));
        let work = RETRY.run(|_| async {
            let response = match self.client.get(&url).send().await {
                Ok(response) => response,
                Err(error) => return again_if(!error.is_builder(), failed(explain(&error))),
            };
            let status = response.status();
            let answered = || format!("HTTP {} from {shown}", status.as_u16());
            match status.as_u16() {
                200 => {}
                404 => return Attempt::Failed(FetchError::Missing(answered())),
                code => {
                    let may_pass = status.is_server_error() || code == 429;
                    return again_if(may_pass, FetchError::Unreadable(answered()));
                }
            }
            match read_body(response, LARGEST).await {
                Ok(body) => Attempt::Done(String::from_utf8_lossy(&body).into_owned()),
                Err(error) => Attempt::Failed(failed(error.to_string())),
            }
        });
        let limited = tokio::time::timeout(CATALOG_TIMEOUT, work).await;
        limited.unwrap_or_else(|_| Err(failed("no answer within 30s".to_owned())))
    }

    /// The document that lists every plugin.
    pub async fn catalog(&self) -> Result<Catalog, Error> {
        let text = self.fetch("catalog.yaml").await;
        let text = text.map_err(FetchError::of_catalog)?;
        let catalog: Catalog = parse(&text)
            .map_err(|why| Error::user(format!("failed to parse plugin catalog: {why}")))?;
        expect(
            &catalog.api_version,
            API_VERSION,
            "plugin catalog has unsupported apiVersion",
        )?;
        expect(
            &catalog.kind,
            "PluginCatalog",
            "plugin catalog has unexpected kind",
        )?;
        Ok(catalog)
    }

    /// The document of one plugin.
    pub async fn manifest(&self, name: &str) -> Result<Manifest, Error> {
        check_name(name, self.is_builtin)?;
        let text = self.fetch(&format!("{name}.yaml")).await;
        let text = text.map_err(|error| error.of_plugin(name))?;
        let manifest: Manifest = parse(&text).map_err(|why| {
            Error::user(format!(
                "failed to parse plugin manifest for \"{name}\": {why}"
            ))
        })?;
        manifest.checked(name, self.is_builtin)
    }
}

fn again_if<T>(again: bool, error: FetchError) -> Attempt<T, FetchError> {
    if again {
        Attempt::Again { error, after: None }
    } else {
        Attempt::Failed(error)
    }
}

fn parse<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    let value = sluice_yaml::v2::from_str(text).map_err(|error| error.to_string())?;
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn expect(found: &str, expected: &str, what: &str) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    let [found, expected] = [found, expected].map(quote);
    Err(Error::user(format!("{what} {found} (expected {expected})")))
}

impl Manifest {
    /// Refuses a document of another schema or of another plugin. Refuses a program that would be
    /// written outside of the plugins' directory.
    fn checked(self, name: &str, is_builtin: IsBuiltin) -> Result<Self, Error> {
        let about = |what: &str| format!("plugin \"{name}\" has {what}");
        expect(
            &self.api_version,
            API_VERSION,
            &about("unsupported apiVersion"),
        )?;
        expect(&self.kind, "Plugin", &about("unexpected kind"))?;
        expect(&self.name, name, &about("a manifest of another name"))?;
        match self.bin.strip_prefix(PREFIX) {
            Some(program) => check_name(program, is_builtin)?,
            None => {
                return Err(Error::user(format!(
                    "{} {} (must be a plain filename prefixed with \"{PREFIX}\")",
                    about("invalid bin"),
                    quote(&self.bin)
                )));
            }
        }
        Ok(self)
    }

    /// The requested version, by number or digest, else the newest. Also returns its download for
    /// this machine.
    pub fn resolve(
        &self,
        asked: Option<&str>,
        (os, arch): (&str, &str),
    ) -> Result<(&Version, &Platform), Error> {
        let name = &self.name;
        let is_here = |platform: &&Platform| platform.os == os && platform.arch == arch;
        let Some(newest) = self.versions.first() else {
            return Err(Error::user(format!("plugin \"{name}\" has no versions")));
        };
        if let Some(digest) = asked.filter(|asked| asked.starts_with("sha256:")) {
            let platforms = self.versions.iter().flat_map(|version| {
                version
                    .platforms
                    .iter()
                    .map(move |platform| (version, platform))
            });
            let mut found =
                platforms.filter(|(_, platform)| is_here(platform) && platform.checksum == digest);
            return found.next().ok_or_else(|| {
                Error::user(format!(
                    "digest \"{digest}\" not found for plugin \"{name}\" on {os}/{arch}"
                ))
            });
        }
        let version = match asked {
            None => newest,
            Some(asked) => self
                .versions
                .iter()
                .find(|version| version.version == asked)
                .ok_or_else(|| {
                    Error::user(format!(
                        "version \"{asked}\" not found for plugin \"{name}\""
                    ))
                })?,
        };
        let platform = version.platforms.iter().find(is_here).ok_or_else(|| {
            Error::user(format!(
                "plugin \"{name}\" v{} has no binary for {os}/{arch}",
                version.version
            ))
        })?;
        Ok((version, platform))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "apiVersion: cli.fluxcd.io/v1beta1\nkind: Plugin\nname: operator\nbin: flux-operator\nversions:\n\
        - version: 0.46.0\n  platforms:\n  - {os: linux, arch: arm64, url: u3, checksum: 'sha256:3'}\n\
        - version: 0.45.0\n  platforms:\n  - {os: linux, arch: amd64, url: u1, checksum: 'sha256:1'}\n  - {os: linux, arch: arm64, url: u2, checksum: 'sha256:2'}\n";

    fn manifest(text: &str) -> Result<Manifest, Error> {
        parse::<Manifest>(text)
            .unwrap()
            .checked("operator", |name| name == "get")
    }

    #[test]
    fn only_a_missing_document_is_not_found() {
        let missing = FetchError::Missing("HTTP 404 from https://h/x.yaml".to_owned());
        let missing = missing.of_plugin("x");
        let text = "plugin \"x\" not found in catalog: HTTP 404 from https://h/x.yaml";
        assert_eq!(missing.message(), text);
        assert_eq!(missing.hints, ["`plugin search` lists the catalog"]);
        let why = "Get \"https://h/x.yaml\": dns error";
        for (error, start) in [
            (
                FetchError::Unreadable(why.to_owned()).of_plugin("x"),
                "failed to fetch plugin manifest for \"x\": ",
            ),
            (
                FetchError::Unreadable(why.to_owned()).of_catalog(),
                "failed to fetch plugin catalog: ",
            ),
        ] {
            assert_eq!(error.message(), format!("{start}{why}"));
            assert_eq!(error.hints, [UNREADABLE]);
        }
    }

    #[tokio::test]
    async fn fault_names_the_address_without_credentials() {
        let client = sluice_dial::HttpClients::new("test".to_owned());
        let source = Source {
            client: client.get(&sluice_dial::Dial::default()).unwrap(),
            base: "nowhere://me:hunter2@h.example/".to_owned(),
            is_builtin: |_| false,
        };
        let error = source.manifest("x").await.unwrap_err();
        let start =
            "failed to fetch plugin manifest for \"x\": Get \"nowhere://h.example/x.yaml\": ";
        assert!(error.message().starts_with(start), "{error:?}");
        assert!(!error.message().contains("hunter2"), "{error:?}");
    }

    #[test]
    fn version_is_found_by_number_digest_or_as_newest() {
        let manifest = manifest(MANIFEST).unwrap();
        let found = |asked: Option<&str>, arch: &str| {
            let found = manifest.resolve(asked, ("linux", arch));
            found
                .map(|(version, platform)| (version.version.clone(), platform.url.clone()))
                .map_err(|error| error.message().to_owned())
        };
        let is = |version: &str, url: &str| Ok((version.to_owned(), url.to_owned()));
        assert_eq!(found(None, "arm64"), is("0.46.0", "u3"));
        assert_eq!(found(Some("0.45.0"), "arm64"), is("0.45.0", "u2"));
        assert_eq!(found(Some("sha256:1"), "amd64"), is("0.45.0", "u1"));
        for (asked, arch, why) in [
            (
                None,
                "amd64",
                "plugin \"operator\" v0.46.0 has no binary for linux/amd64",
            ),
            (
                Some("9"),
                "amd64",
                "version \"9\" not found for plugin \"operator\"",
            ),
            (
                Some("sha256:2"),
                "amd64",
                "digest \"sha256:2\" not found for plugin \"operator\" on linux/amd64",
            ),
        ] {
            assert_eq!(found(asked, arch), Err(why.to_owned()));
        }
    }

    #[test]
    fn unsafe_or_foreign_manifest_is_refused() {
        for (from, to, why) in [
            (
                "v1beta1",
                "v2",
                "plugin \"operator\" has unsupported apiVersion \"cli.fluxcd.io/v2\" (expected \"cli.fluxcd.io/v1beta1\")",
            ),
            (
                "kind: Plugin",
                "kind: Other",
                "plugin \"operator\" has unexpected kind \"Other\" (expected \"Plugin\")",
            ),
            (
                "name: operator",
                "name: ../../x",
                "plugin \"operator\" has a manifest of another name \"../../x\" (expected \"operator\")",
            ),
            (
                "bin: flux-operator",
                "bin: bash",
                "plugin \"operator\" has invalid bin \"bash\" (must be a plain filename prefixed with \"flux-\")",
            ),
            (
                "bin: flux-operator",
                "bin: ''",
                "plugin \"operator\" has invalid bin \"\" (must be a plain filename prefixed with \"flux-\")",
            ),
        ] {
            let error = manifest(&MANIFEST.replace(from, to)).unwrap_err();
            assert_eq!(error.message(), why);
        }
        for bin in ["flux-../../bin/x", "flux-", "flux-get", "flux-a/b"] {
            assert!(
                manifest(&MANIFEST.replace("flux-operator", bin)).is_err(),
                "{bin}"
            );
        }
    }
}
