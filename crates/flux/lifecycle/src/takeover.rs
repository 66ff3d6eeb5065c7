//! Judges whether this version can take over an installation of Flux.
//!
//! A takeover changes only the image of a Deployment. The flags, the definitions and every
//! stored object must therefore fit as they are. Each misfit is an [`Obstacle`] of its
//! component.
//!
//! Start at [`judge`], which is pure. `record` remembers the previous image, `schema`
//! finds unknown fields, and [`overlay`] checks a directory of a Git repository.

pub mod keeper;
pub mod overlay;
pub mod record;
mod schema;

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use sluice_api::{KINDS, KindInfo};
use sluice_manifests::{COMPONENTS, Component, Images};
use sluice_object::Object;

use crate::error::Error;
pub use record::Record;

/// The name of the controller's container.
pub const CONTAINER: &str = "manager";

/// The owner labels of Kustomizations.
const APPLIED_BY: [&str; 2] = [
    "kustomize.toolkit.fluxcd.io/namespace",
    "kustomize.toolkit.fluxcd.io/name",
];

/// Variables of the stock Deployments.
const ENVIRONMENT: [&str; 3] = ["RUNTIME_NAMESPACE", "TUF_ROOT", "GOMEMLIMIT"];

/// The observed installation.
#[derive(Debug, Default)]
pub struct Installation {
    /// The controllers' Deployments.
    pub deployments: Vec<Object>,
    /// The definitions of Flux's kinds.
    pub definitions: Vec<Object>,
    /// Every object of those kinds.
    pub objects: Vec<Object>,
}

/// A misfit that prevents the takeover of a component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Obstacle {
    /// Kind, namespace and name.
    pub object: String,
    /// The reason.
    pub reason: String,
}

impl Obstacle {
    fn of(object: &Object, reason: impl Into<String>) -> Self {
        Self {
            object: object.id().to_string(),
            reason: reason.into(),
        }
    }
}

/// A Deployment of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TakenDeployment {
    /// The Deployment.
    pub deployment: String,
    /// The current image.
    pub image: String,
    /// The image after the takeover.
    pub becomes: String,
}

impl TakenDeployment {
    /// Whether the Deployment has our image.
    pub fn is_taken(&self) -> bool {
        self.image == self.becomes
    }
}

/// The judgement of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ComponentJudgement {
    /// The component.
    pub component: &'static str,
    /// Whether it can be taken over.
    pub covered: bool,
    /// Its Deployments.
    pub deployments: Vec<TakenDeployment>,
    /// The misfits.
    pub missing: Vec<Obstacle>,
    /// Notes that do not prevent a takeover.
    pub notes: Vec<String>,
}

/// The judgements of all requested components.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether all components can be taken over.
    pub covered: bool,
    /// The judgements.
    pub components: Vec<ComponentJudgement>,
}

impl Report {
    /// The report of judgements.
    pub fn of(components: Vec<ComponentJudgement>) -> Self {
        Self {
            covered: components.iter().all(|answer| answer.covered),
            components,
        }
    }

    /// The report as text: a line for each component, then changes and misfits.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |parts: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{parts}");
        };
        for answer in &self.components {
            let covered = if answer.covered {
                "covered"
            } else {
                "not covered"
            };
            line(format_args!("{}: {covered}", answer.component));
            for target in &answer.deployments {
                if target.is_taken() {
                    line(format_args!(
                        "  {} runs {} already",
                        target.deployment, target.image
                    ));
                } else if answer.covered {
                    line(format_args!(
                        "  {} {} → {}",
                        target.deployment, target.image, target.becomes
                    ));
                }
            }
            for missing in &answer.missing {
                line(format_args!("  ✗ {}: {}", missing.object, missing.reason));
            }
            for note in &answer.notes {
                line(format_args!("  note: {note}"));
            }
        }
        text
    }
}

/// Checks the flags of a controller, by its name. Returns every reason against them.
pub type FlagCheck<'a> = &'a dyn Fn(&str, &[String]) -> Vec<String>;

/// The size of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedCounts {
    deployments: usize,
    kinds: usize,
    objects: usize,
}

impl CheckedCounts {
    /// Counts what the report of an installation is about.
    pub fn of(observed: &Installation, report: &Report) -> Self {
        let is_judged = |component: &str| {
            let mut components = report.components.iter();
            components.any(|answer| answer.component == component)
        };
        let deployments = report.components.iter();
        Self {
            deployments: deployments.map(|answer| answer.deployments.len()).sum(),
            kinds: KINDS.iter().filter(|it| is_judged(it.component)).count(),
            objects: observed.objects.len(),
        }
    }

    /// The counts as a sentence, with the gap of the check.
    pub fn to_text(self) -> String {
        let Self {
            deployments,
            kinds,
            objects,
        } = self;
        format!(
            "checked: {deployments} Deployments and {objects} objects of {kinds} kinds; images were not pulled"
        )
    }
}

/// Checks the image references of all components. It does not ask a registry.
pub fn check_images(images: &Images) -> Result<(), Error> {
    for component in COMPONENTS {
        let image = images.of(component);
        if let Err(error) = sluice_oci::Reference::parse(&image) {
            let reason = sluice_golang::error::chain(&error);
            return Err(Error::user(format!("{image} is not an image: {reason}"))
                .hint("check --registry, and --version if it is set"));
        }
    }
    Ok(())
}

/// Judges the named components, or all that are installed.
pub fn judge(
    observed: &Installation,
    images: &Images,
    components: &[String],
    flag_faults: FlagCheck<'_>,
) -> Report {
    let asked = COMPONENTS.iter().filter(|component| {
        if components.is_empty() {
            deployments_of(component, observed).next().is_some()
        } else {
            components.iter().any(|name| name == component.name)
        }
    });
    Report::of(
        asked
            .map(|component| answer(component, observed, images, flag_faults))
            .collect(),
    )
}

fn deployments_of<'o>(
    component: &'o Component,
    observed: &'o Installation,
) -> impl Iterator<Item = &'o Object> {
    observed
        .deployments
        .iter()
        .filter(|deployment| component_of(deployment) == Some(component.name))
}

/// The component of a Deployment, by its label or by the name of its image. Shards may have any
/// name.
pub fn component_of(deployment: &Object) -> Option<&'static str> {
    let labelled = deployment.label("app.kubernetes.io/component");
    let of = |name: &str| Component::find(name).map(|component| component.name);
    labelled.and_then(of).or_else(|| {
        let image = container(deployment)?["image"].as_str()?;
        let path = image.split(['@']).next().unwrap_or(image);
        let last = path.rsplit('/').next().unwrap_or(path);
        of(last.split(':').next().unwrap_or(last))
    })
}

/// The container of the controller.
pub fn container(deployment: &Object) -> Option<&Value> {
    containers(deployment)
        .iter()
        .find(|container| container["name"] == CONTAINER)
}

pub(crate) fn containers(deployment: &Object) -> &[Value] {
    deployment
        .at(&["spec", "template", "spec", "containers"])
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The Kustomization that applied an object, as namespace and name.
pub fn applied_by(object: &Object) -> Option<(&str, &str)> {
    let [namespace, name] = APPLIED_BY;
    Some((object.label(namespace)?, object.label(name)?))
}

fn answer(
    component: &Component,
    observed: &Installation,
    images: &Images,
    flag_faults: FlagCheck<'_>,
) -> ComponentJudgement {
    let mut answer = ComponentJudgement {
        component: component.name,
        covered: false,
        deployments: Vec::new(),
        missing: Vec::new(),
        notes: Vec::new(),
    };
    let deployments: Vec<&Object> = deployments_of(component, observed).collect();
    for deployment in &deployments {
        let becomes = images.of(component);
        examine(deployment, component, flag_faults, &mut answer);
        answer.deployments.push(TakenDeployment {
            deployment: deployment.id().to_string(),
            image: image(deployment).to_owned(),
            becomes,
        });
    }
    if deployments.is_empty() {
        answer.missing.push(Obstacle {
            object: component.name.to_owned(),
            reason: "it is not installed".to_owned(),
        });
    } else {
        for info in KINDS.iter().filter(|info| info.component == component.name) {
            definition(info, observed, &mut answer);
            stored(info, observed, &mut answer);
        }
    }
    answer.missing.sort();
    answer.covered = answer.missing.is_empty();
    answer
}

/// The image of a Deployment's controller.
pub fn image(deployment: &Object) -> &str {
    container(deployment)
        .and_then(|container| container["image"].as_str())
        .unwrap_or_default()
}

/// Checks whether a Deployment works with another image.
fn examine(
    deployment: &Object,
    component: &Component,
    flag_faults: FlagCheck<'_>,
    answer: &mut ComponentJudgement,
) {
    let mut refuse = |reason: String| answer.missing.push(Obstacle::of(deployment, reason));
    let Some(container) = container(deployment) else {
        return refuse(format!("it has no container called {CONTAINER}"));
    };
    if container.get("command").is_some() {
        refuse(
            "its container has a command of its own, which is a program of Flux's image".to_owned(),
        );
    }
    let arguments = texts(&container["args"]);
    for reason in flag_faults(component.name, &arguments) {
        refuse(reason);
    }
    let variables = variables(container).filter(|name| !ENVIRONMENT.contains(name));
    let others: Vec<&str> = variables.collect();
    if !others.is_empty() {
        answer.notes.push(format!(
            "{} has variables besides the stock ones: {}",
            deployment.id(),
            others.join(", ")
        ));
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn variables(container: &Value) -> impl Iterator<Item = &str> {
    let list = container["env"].as_array().into_iter().flatten();
    list.filter_map(|variable| variable["name"].as_str())
}

/// Checks whether a kind is served in our version.
fn definition(info: &KindInfo, observed: &Installation, answer: &mut ComponentJudgement) {
    let name = info.crd_name();
    let found = observed
        .definitions
        .iter()
        .find(|definition| definition.name() == name);
    let Some(definition) = found else {
        answer.missing.push(Obstacle {
            object: format!("CustomResourceDefinition/{name}"),
            reason: "it is not there: upgrade Flux first".to_owned(),
        });
        return;
    };
    if served_version(definition, info).is_none_or(|version| version != info.version) {
        answer.missing.push(Obstacle::of(
            definition,
            format!(
                "{} is not served, and no other version is read: upgrade Flux first",
                info.version
            ),
        ));
    }
    let stored = definition.at(&["status", "storedVersions"]);
    let stored = texts(stored.unwrap_or(&Value::Null));
    if stored.iter().any(|version| version != info.version) {
        answer.notes.push(format!(
            "{name} has objects stored as {}: migrate writes them anew",
            stored.join(", ")
        ));
    }
}

/// The version to read a kind in: ours, or the last that is served.
pub fn served_version<'d>(definition: &'d Object, info: &KindInfo) -> Option<&'d str> {
    let versions = definition.at(&["spec", "versions"])?.as_array()?;
    let served: Vec<&str> = versions
        .iter()
        .filter(|version| version["served"] == true)
        .filter_map(|version| version["name"].as_str())
        .collect();
    let ours = served.iter().find(|version| **version == info.version);
    ours.or_else(|| served.last()).copied()
}

/// Checks every stored object of a kind.
fn stored(info: &KindInfo, observed: &Installation, answer: &mut ComponentJudgement) {
    let schema = schema::of(info);
    let objects = observed
        .objects
        .iter()
        .filter(|object| object.is(info.group, info.kind));
    for object in objects {
        let mut refuse = |reason: String| answer.missing.push(Obstacle::of(object, reason));
        let value = object.to_value();
        let spec = value.get("spec").unwrap_or(&Value::Null);
        for field in schema.unknown(spec) {
            refuse(format!(
                "spec.{field} is a field that this version does not know"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use sluice_manifests::Tag;

    use super::*;

    #[test]
    fn image_references_are_validated() {
        let check = |registry: &str, tag: &str| {
            let images = Images {
                registry: registry.to_owned(),
                tag: Tag::Fixed(tag.to_owned()),
            };
            check_images(&images).map_err(|error| error.message)
        };
        for registry in ["localhost/sluice", "r.example:5000/a/b", "corp"] {
            assert_eq!(check(registry, "v0.1.0"), Ok(()), "{registry}");
        }
        for (registry, tag) in [
            ("bad registry!", "v0.1.0"),
            ("https://r.example/a", "v0.1.0"),
            ("r.example/A", "v0.1.0"),
            ("", "v0.1.0"),
            ("r.example/a", "v 1"),
            ("r.example/a", ""),
        ] {
            let refused = check(registry, tag).unwrap_err();
            assert!(refused.contains(" is not an image: "), "{refused}");
        }
    }
}
