//! Loads the chart of a release from a local directory, or from its source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sluice_api::helm::{ChartReferenceKind, HelmRelease};
use sluice_api::meta::LocalObjectReference;
use sluice_api::source::{HelmChart, HelmRepository, HelmRepositoryType, OciRepository};
use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Chart, ValuesFiles};
use sluice_dial::{Basic, Dial, Tls};
use sluice_golang::error::chain;
use sluice_golang::path::confined;
use sluice_object::Object;
use sluice_oci::{Keychain, Login, Reference, Remote};
use sluice_release::digest_version;
use sluice_system::fs;

use super::objects::{Objects, entries};
use crate::charts::registry::{RegistryRepository, client};
use crate::charts::{ChartFinder, OpenRegistry, failed};
use crate::{Error, Host};

/// Maximum size of a values file.
const MAX_VALUES_BYTES: u64 = 32 << 20;

/// A chart of a source.
pub(super) struct ChartRequest {
    kind: String,
    namespace: String,
    name: String,
    /// Name in a repository, or path in an artifact.
    chart: String,
    version: String,
    values_files: Vec<String>,
    ignores_missing: bool,
}

impl ChartRequest {
    /// Returns what the template or the `HelmChart` of a release asks for.
    pub(super) fn of(objects: &Objects<'_>, object: &HelmRelease) -> Result<Self, Error> {
        let own = object.metadata.namespace.as_deref().unwrap_or_default();
        if let Some(template) = &object.spec.chart {
            let spec = &template.spec;
            let source = &spec.source_ref;
            return Ok(Self {
                kind: source.kind.to_string(),
                namespace: source.namespace.clone().unwrap_or_else(|| own.to_owned()),
                name: source.name.clone(),
                chart: spec.chart.clone(),
                version: spec.version.clone().unwrap_or_default(),
                values_files: spec.values_files.clone(),
                ignores_missing: spec.ignore_missing_values_files,
            });
        }
        let reference = object.spec.chart_ref.as_ref();
        let reference = reference.ok_or_else(|| {
            Error::user("invalid Chart reference")
                .hint("set spec.chart or spec.chartRef of the HelmRelease")
        })?;
        let namespace = reference.namespace.clone();
        let namespace = namespace.unwrap_or_else(|| own.to_owned());
        let name = reference.name.clone();
        if reference.kind != ChartReferenceKind::HelmChart {
            return Ok(Self {
                kind: reference.kind.to_string(),
                namespace,
                name,
                chart: String::new(),
                version: String::new(),
                values_files: Vec::new(),
                ignores_missing: false,
            });
        }
        let chart: HelmChart = objects.required("HelmChart", &namespace, &name)?;
        let spec = chart.spec;
        Ok(Self {
            kind: spec.source_ref.kind.to_string(),
            namespace,
            name: spec.source_ref.name,
            chart: spec.chart,
            version: spec.version.unwrap_or_default(),
            values_files: spec.values_files,
            ignores_missing: spec.ignore_missing_values_files,
        })
    }

    /// Loads the chart. A source with a local directory is not asked.
    pub(super) fn load(
        &self,
        objects: &Objects<'_>,
        sources: &BTreeMap<String, PathBuf>,
        host: &impl Host,
    ) -> Result<Chart, Error> {
        let source = format!("{}/{}/{}", self.kind, self.namespace, self.name);
        if let Some(directory) = sources.get(&source) {
            return self.load_local(directory);
        }
        match &*self.kind {
            "HelmRepository" => self.load_remote(objects, host),
            "OCIRepository" => self.load_oci(objects, host),
            _ => Err(
                Error::user(format!("the files of {source} are not known here"))
                    .hint(format!("set --local-sources {source}=DIR, or --chart")),
            ),
        }
    }

    /// Loads the chart from a local directory with the files of the source.
    fn load_local(&self, directory: &Path) -> Result<Chart, Error> {
        let path = directory.join(confined(&self.chart));
        let shown = path.display().to_string();
        if !path.exists() {
            return Err(Error::user(format!(
                "chart '{}' not found in {}",
                self.chart,
                directory.display()
            )));
        }
        // Links are followed, because the user owns the directory.
        let loaded = load::path(&path, Links::Anywhere, &Limits::default());
        let mut chart = loaded.map_err(|error| failed("load", &shown, &error))?;
        let mut values = ValuesFiles::default();
        for file in &self.values_files {
            let path = directory.join(confined(file));
            match fs::read_limited(&path, MAX_VALUES_BYTES) {
                Ok(text) => values.add(file, &text).map_err(Error::user)?,
                Err(_) if self.ignores_missing && !path.exists() => {}
                Err(error) => return Err(Error::user(chain(&error))),
            }
        }
        self.replace(values, &mut chart)?;
        Ok(chart)
    }

    /// Loads the chart from a repository over HTTP or in a registry.
    fn load_remote(&self, objects: &Objects<'_>, host: &impl Host) -> Result<Chart, Error> {
        let repository: HelmRepository =
            objects.required("HelmRepository", &self.namespace, &self.name)?;
        let spec = &repository.spec;
        let secrets = Secrets {
            objects,
            namespace: &self.namespace,
        };
        let server = secrets.server(
            spec.secret_ref.as_ref(),
            spec.cert_secret_ref.as_ref(),
            spec.insecure,
            spec.pass_credentials,
        )?;
        let mut chart = if spec.type_ == Some(HelmRepositoryType::Oci) {
            let url = format!("{}/{}", spec.url.trim_end_matches('/'), self.chart);
            server.pull(&url, &self.version, host)?.0
        } else {
            server.find(&spec.url, &self.chart, &self.version, host)?
        };
        if !self.values_files.is_empty() {
            let values = ValuesFiles::in_chart(&chart, &self.values_files, self.ignores_missing);
            self.replace(values.map_err(Error::user)?, &mut chart)?;
        }
        Ok(chart)
    }

    /// Loads the chart from an `OCIRepository`. The digest becomes a part of the version.
    fn load_oci(&self, objects: &Objects<'_>, host: &impl Host) -> Result<Chart, Error> {
        let repository: OciRepository =
            objects.required("OCIRepository", &self.namespace, &self.name)?;
        let spec = &repository.spec;
        let secrets = Secrets {
            objects,
            namespace: &self.namespace,
        };
        let server = secrets.server(
            spec.secret_ref.as_ref(),
            spec.cert_secret_ref.as_ref(),
            spec.insecure,
            false,
        )?;
        let reference = spec.reference.clone().unwrap_or_default();
        let (url, version) = match (reference.digest, reference.semver, reference.tag) {
            (Some(digest), _, _) => (format!("{}@{digest}", spec.url), String::new()),
            (None, Some(range), _) => (spec.url.clone(), range),
            (None, None, tag) => (spec.url.clone(), tag.unwrap_or_else(|| "latest".to_owned())),
        };
        let (mut chart, revision) = server.pull(&url, &version, host)?;
        let versioned = digest_version(
            &ChartReferenceKind::OciRepository,
            &revision,
            &chart.metadata.version,
        );
        if let Some((_, version)) = versioned.map_err(Error::user)? {
            chart.metadata.version = version;
        }
        Ok(chart)
    }

    fn replace(&self, values: ValuesFiles, chart: &mut Chart) -> Result<(), Error> {
        if self.values_files.is_empty() {
            return Ok(());
        }
        let replaced = values.replace(chart);
        replaced
            .map(drop)
            .map_err(|error| Error::user(error.to_string()))
    }
}

/// Access to the server of a source.
#[derive(Default)]
struct ChartServer {
    basic: Option<Basic>,
    keychain: Keychain,
    tls: Tls,
    is_plain: bool,
    passes_credentials: bool,
}

impl ChartServer {
    /// Downloads a chart of a repository. The version may be a range.
    fn find(&self, url: &str, name: &str, version: &str, host: &impl Host) -> Result<Chart, Error> {
        let open = |url: &str| self.open(url);
        self.finder(version, host, &open).load(name, Some(url))
    }

    /// Pulls a chart of a registry. The version may be a tag or a range. Also returns the revision
    /// of the artifact.
    fn pull(&self, url: &str, version: &str, host: &impl Host) -> Result<(Chart, String), Error> {
        let open = |url: &str| self.open(url);
        self.finder(version, host, &open).load_artifact(url)
    }

    fn finder<'a, H>(
        &self,
        wanted: &'a str,
        host: &'a H,
        open: &'a OpenRegistry<'a>,
    ) -> ChartFinder<'a, H> {
        ChartFinder {
            host,
            wanted,
            dial: self.dial(),
            basic: self.basic.clone(),
            passes_credentials: self.passes_credentials,
            keyring: None,
            open,
        }
    }

    fn open(&self, url: &str) -> Result<RegistryRepository, Error> {
        let reference = Reference::parse_url(url)
            .map_err(|error| Error::user(format!("'{url}' invalid URL: {error}")))?;
        let repository = reference.repository.clone();
        let login = match &self.basic {
            Some(basic) => Login::Basic(basic.clone()),
            None => self.keychain.resolve(&repository),
        };
        Ok(RegistryRepository {
            client: client(),
            remote: Remote {
                repository,
                login,
                dial: self.dial(),
                plain: self.is_plain,
            },
            reference,
        })
    }

    fn dial(&self) -> Dial {
        Dial {
            tls: self.tls.clone(),
            ..Dial::default()
        }
    }
}

/// Secrets of a source.
struct Secrets<'o> {
    objects: &'o Objects<'o>,
    namespace: &'o str,
}

impl Secrets<'_> {
    /// Returns the access to the server of a source.
    fn server(
        &self,
        login: Option<&LocalObjectReference>,
        certificates: Option<&LocalObjectReference>,
        insecure: bool,
        passes_credentials: bool,
    ) -> Result<ChartServer, Error> {
        let mut server = ChartServer {
            is_plain: insecure,
            passes_credentials,
            ..ChartServer::default()
        };
        if let Some(reference) = login {
            let secret = self.read(reference)?;
            let invalid = |why: String| self.invalid(reference, &why);
            let keys = entries(&secret)?;
            let basic = Basic::from_keys(&keys).map_err(|error| invalid(error.to_string()))?;
            server.basic = basic;
            let tls = Tls::from_keys_or_legacy(&keys);
            server.tls = tls
                .map_err(|error| invalid(error.to_string()))?
                .unwrap_or_default();
            let mut keychain = Keychain::default();
            let kind = secret.get("type").and_then(|kind| kind.as_str());
            let entry = |name: &'static str| keys.get(name).map(Vec::as_slice);
            let added = keychain.add_pull_secret(kind.unwrap_or_default(), entry);
            added.map_err(|error| invalid(error.to_string()))?;
            server.keychain = keychain;
        }
        if let Some(reference) = certificates {
            let secret = self.read(reference)?;
            let invalid = |why: String| self.invalid(reference, &why);
            let keys = entries(&secret)?;
            let tls = Tls::from_keys_or_legacy(&keys);
            server.tls = tls
                .map_err(|error| invalid(error.to_string()))?
                .unwrap_or_default();
        }
        Ok(server)
    }

    fn read(&self, reference: &LocalObjectReference) -> Result<Object, Error> {
        let name = &reference.name;
        let found = self.objects.find("Secret", self.namespace, name)?;
        found.ok_or_else(|| {
            Error::user(format!(
                "Secret object '{name}' not found in \"{}\" namespace",
                self.namespace
            ))
        })
    }

    fn invalid(&self, reference: &LocalObjectReference, why: &str) -> Error {
        let (namespace, name) = (self.namespace, &reference.name);
        Error::user(format!("Secret '{namespace}/{name}' is invalid: {why}"))
    }
}
