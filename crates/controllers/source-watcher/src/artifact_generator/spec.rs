//! The parsed `spec` of an `ArtifactGenerator`. Pure.

use std::collections::{BTreeMap, BTreeSet};

use sluice_api::meta::reason;
use sluice_api::source_watcher::{
    ArtifactGenerator, ArtifactGeneratorSpec, OutputArtifact, SourceAliasKind, SourceAliasReference,
};
use sluice_engine::ObjectKey;
use sluice_engine::ready::Fault;
use sluice_golang::error::chain;
use sluice_golang::quote::quote;
use sluice_object::names::subdomain_faults;

use crate::build::{exclude_fault, source};
use crate::expand::path_pattern;
use crate::sources::alias;

/// A specification without contradictions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spec {
    /// Kind and name of each source, by alias.
    pub(super) sources: BTreeMap<String, (SourceAliasKind, ObjectKey)>,
}

impl Spec {
    /// Checks a specification. A fault stands until an edit.
    pub(super) fn parse(
        generator: &ArtifactGenerator,
        no_cross_namespace: bool,
    ) -> Result<Self, Fault> {
        let own = generator.metadata.namespace.as_deref().unwrap_or_default();
        let mut sources = BTreeMap::new();
        for source in &generator.spec.sources {
            let key = source_key(source, own);
            if no_cross_namespace && key.namespace() != own {
                let kind = source.kind.as_str();
                let message =
                    format!("cross-namespace reference to source {kind}/{key} is not allowed");
                return Err(Fault::stalled(reason::ACCESS_DENIED, message));
            }
            let alias = source.alias.clone();
            if sources.insert(alias, (source.kind.clone(), key)).is_some() {
                let message = format!("duplicate source alias '{}' found", source.alias);
                return Err(invalid(message));
            }
        }
        let has_pattern = path_pattern(&generator.spec).is_some();
        let mut names = BTreeSet::new();
        for artifact in &generator.spec.artifacts {
            if !names.insert(artifact.name.as_str()) {
                let message = format!("duplicate artifact name '{}' found", artifact.name);
                return Err(invalid(message));
            }
            if !has_pattern {
                check_name(artifact)?;
            }
            check_references(artifact, &sources)?;
        }
        if !has_pattern {
            check_own_source(&generator.spec, own, &names)?;
        }
        Ok(Self { sources })
    }
}

/// The name of a source.
pub(super) fn source_key(source: &SourceAliasReference, own: &str) -> ObjectKey {
    let namespace = source.namespace.as_deref().filter(|it| !it.is_empty());
    ObjectKey::new(namespace.unwrap_or(own), &source.name)
}

/// Checks that no artifact is also a source. Its content would grow with each run.
pub(super) fn check_own_source(
    spec: &ArtifactGeneratorSpec,
    own: &str,
    names: &BTreeSet<&str>,
) -> Result<(), Fault> {
    let own_source = spec.sources.iter().find(|source| {
        source.kind == SourceAliasKind::ExternalArtifact
            && source_key(source, own).namespace() == own
            && names.contains(&*source.name)
    });
    own_source.map_or(Ok(()), |source| {
        Err(invalid(format!(
            "artifact {} is also the source '{}' of this generator: rename the artifact, or use \
             another source",
            source.name, source.alias
        )))
    })
}

fn invalid(message: String) -> Fault {
    Fault::stalled(reason::VALIDATION_FAILED, message)
}

fn check_name(artifact: &OutputArtifact) -> Result<(), Fault> {
    let faults = subdomain_faults(&artifact.name);
    if faults.is_empty() {
        return Ok(());
    }
    Err(invalid(format!(
        "artifact name {} is not a valid Kubernetes object name: {}",
        quote(&artifact.name),
        faults.join("; ")
    )))
}

/// Checks the aliases and patterns of an artifact.
fn check_references<S>(
    artifact: &OutputArtifact,
    sources: &BTreeMap<String, S>,
) -> Result<(), Fault> {
    let name = &artifact.name;
    let unknown = |field: &str, alias: &str| {
        invalid(format!(
            "artifact {name} {field} source alias '{alias}' not found"
        ))
    };
    let revisions = [
        ("revision", &artifact.revision),
        ("origin revision", &artifact.origin_revision),
    ];
    for (field, reference) in revisions {
        let alias = reference
            .as_deref()
            .map(alias)
            .filter(|alias| !alias.is_empty());
        if let Some(alias) = alias.filter(|alias| !sources.contains_key(*alias)) {
            return Err(unknown(field, alias));
        }
    }
    for copy in &artifact.copy {
        let failed =
            |error: &dyn std::error::Error| invalid(format!("artifact {name}: {}", chain(error)));
        let (alias, _) = source(&copy.from).map_err(|error| failed(&error))?;
        if !sources.contains_key(alias) {
            return Err(unknown("copy", alias));
        }
        for pattern in &copy.exclude {
            if let Some(error) = exclude_fault(pattern) {
                return Err(failed(&error));
            }
        }
    }
    Ok(())
}
