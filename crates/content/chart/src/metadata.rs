//! `Chart.yaml`: its fields, and their validation.

mod decode;
pub(crate) mod encode;

use sluice_golang::quote::quote;
use sluice_golang::semver::{Constraint, Version};
use sluice_golang::unicode;

use crate::error::Error;
use crate::values::Json;

pub(crate) use decode::{Decoder, decode_into, decode_lock, field};

/// The content of `Chart.yaml`.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(missing_docs, reason = "each field is named after its key")]
pub struct Metadata {
    pub name: String,
    pub home: String,
    pub sources: Vec<String>,
    pub version: String,
    pub description: String,
    pub keywords: Vec<String>,
    pub maintainers: Vec<Maintainer>,
    pub icon: String,
    pub api_version: String,
    pub condition: String,
    pub tags: String,
    pub app_version: String,
    pub deprecated: bool,
    /// The annotations, `None` where the key is missing.
    pub annotations: Option<Vec<(String, String)>>,
    pub kube_version: String,
    /// The dependencies, `None` where the key is missing.
    pub dependencies: Option<Vec<Dependency>>,
    /// `type`: `application`, `library` or nothing.
    pub kind: String,
    /// Whether the list of maintainers has a null.
    pub(crate) has_null_maintainer: bool,
    /// Whether the list of dependencies has a null.
    pub(crate) has_null_dependency: bool,
}

/// A maintainer of a chart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "each field is named after its key")]
pub struct Maintainer {
    pub name: String,
    pub email: String,
    pub url: String,
}

/// A chart that a chart needs.
#[derive(Debug, Clone, PartialEq, Default)]
#[expect(missing_docs, reason = "each field is named after its key")]
pub struct Dependency {
    pub name: String,
    /// The range of versions.
    pub version: String,
    pub repository: String,
    /// Paths of values, with commas between, of which the first boolean enables the chart.
    pub condition: String,
    pub tags: Vec<String>,
    pub enabled: bool,
    /// Texts, or maps with `child` and `parent`.
    pub import_values: Vec<Json>,
    pub alias: String,
}

/// The content of `Chart.lock`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lock {
    /// When the file was written.
    pub generated: String,
    /// The digest of the dependencies of `Chart.yaml`.
    pub digest: String,
    /// The chosen versions, `None` where the key is missing.
    pub dependencies: Option<Vec<Dependency>>,
}

impl Metadata {
    /// Cleans the texts, and checks what Helm asks of a chart.
    pub(crate) fn validate(&mut self) -> Result<(), Error> {
        let texts = [
            &mut self.name,
            &mut self.description,
            &mut self.home,
            &mut self.icon,
            &mut self.condition,
            &mut self.tags,
            &mut self.app_version,
            &mut self.kube_version,
        ];
        texts.into_iter().for_each(sanitize);
        self.sources.iter_mut().for_each(sanitize);
        self.keywords.iter_mut().for_each(sanitize);
        let invalid = |text: String| Err(Error::Invalid(text));
        if self.api_version.is_empty() {
            return invalid("chart.metadata.apiVersion is required".to_owned());
        }
        let name = &self.name;
        if name.is_empty() {
            return invalid("chart.metadata.name is required".to_owned());
        }
        if name == "." || name == ".." {
            return invalid(format!(
                "chart.metadata.name {} is not allowed",
                quote(name)
            ));
        }
        if name.contains('/') {
            return invalid(format!("chart.metadata.name {} is invalid", quote(name)));
        }
        if self.version.is_empty() {
            return invalid("chart.metadata.version is required".to_owned());
        }
        if Version::parse(&self.version).is_err() {
            let version = quote(&self.version);
            return invalid(format!("chart.metadata.version {version} is invalid"));
        }
        if !matches!(&*self.kind, "" | "application" | "library") {
            return invalid("chart.metadata.type must be application or library".to_owned());
        }
        if self.has_null_maintainer {
            return invalid("maintainers must not contain empty or null nodes".to_owned());
        }
        for maintainer in &mut self.maintainers {
            sanitize(&mut maintainer.name);
            sanitize(&mut maintainer.email);
            sanitize(&mut maintainer.url);
        }
        if self.has_null_dependency {
            return invalid("dependencies must not contain empty or null nodes".to_owned());
        }
        let mut keys = std::collections::HashSet::new();
        for dependency in self.dependencies.iter_mut().flatten() {
            dependency.validate()?;
            let alias = Some(&dependency.alias).filter(|alias| !alias.is_empty());
            let key = alias.unwrap_or(&dependency.name);
            if !keys.insert(key.clone()) {
                let key = quote(key);
                return invalid(format!("more than one dependency with name or alias {key}"));
            }
        }
        Ok(())
    }
}

impl Dependency {
    fn validate(&mut self) -> Result<(), Error> {
        sanitize(&mut self.name);
        sanitize(&mut self.version);
        sanitize(&mut self.repository);
        sanitize(&mut self.condition);
        self.tags.iter_mut().for_each(sanitize);
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !self.alias.bytes().all(is_allowed) {
            let name = quote(&self.name);
            let reason = "has disallowed characters in the alias";
            return Err(Error::Invalid(format!("dependency {name} {reason}")));
        }
        Ok(())
    }
}

/// White space becomes a space; characters that Go does not print are dropped.
fn sanitize(text: &mut String) {
    let is_clean = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_clean {
        return;
    }
    let cleaned = text.chars().filter_map(|next| {
        if next.is_whitespace() {
            Some(' ')
        } else {
            unicode::is_print(next).then_some(next)
        }
    });
    *text = cleaned.collect();
}

/// Whether a version is in a range; a malformed one is not.
pub(crate) fn is_compatible(constraint: &str, version: &str) -> bool {
    let version = Version::parse(version);
    let constraint = Constraint::parse(constraint);
    matches!((version, constraint), (Ok(version), Ok(constraint)) if constraint.matches(&version))
}
