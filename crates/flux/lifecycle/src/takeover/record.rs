//! The annotation that remembers the previous image of a Deployment, and the patch that changes
//! both. The patch fails if the Deployment was changed meanwhile.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sluice_object::Object;

use super::{CONTAINER, containers, image};

/// The annotation.
pub const ANNOTATION: &str = "sluice.dev/takeover";

/// The images before and after a takeover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The image before.
    pub was: String,
    /// The image after.
    pub became: String,
}

/// The next step for a Deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The Deployment has the right image.
    Nothing,
    /// The Deployment has to be changed.
    Write(Write),
    /// The Deployment has another image than the takeover set.
    Foreign(String),
}

/// A change of a Deployment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The current image.
    pub from: String,
    /// The new image.
    pub to: String,
    /// The new annotation; `None` removes it.
    pub record: Option<Record>,
    operations: Value,
}

impl Record {
    /// Reads the annotation of a Deployment.
    pub fn of(deployment: &Object) -> Option<Self> {
        serde_json::from_str(deployment.annotation(ANNOTATION)?).ok()
    }
}

/// The step that sets our image. The record keeps the image from before the first takeover.
pub fn take(deployment: &Object, becomes: &str) -> Step {
    let now = image(deployment);
    let before = Record::of(deployment);
    if now == becomes {
        return Step::Nothing;
    }
    let was = match before {
        Some(record) if record.became == now => record.was,
        _ => now.to_owned(),
    };
    let record = Record {
        was,
        became: becomes.to_owned(),
    };
    Step::Write(write(deployment, becomes, Some(record)))
}

/// The step that restores the remembered image, or `stock` where ours was installed without a
/// takeover. `stock` is `None` for a foreign Deployment.
pub fn give_back(deployment: &Object, stock: Option<&str>) -> Step {
    let now = image(deployment);
    match (Record::of(deployment), stock) {
        (Some(record), _) if now == record.became || now == record.was => {
            Step::Write(write(deployment, &record.was, None))
        }
        (Some(_), _) => Step::Foreign(now.to_owned()),
        (None, Some(stock)) if now != stock => Step::Write(write(deployment, stock, None)),
        (None, _) => Step::Nothing,
    }
}

fn write(deployment: &Object, to: &str, record: Option<Record>) -> Write {
    let from = image(deployment);
    let mut operations = Vec::new();
    let index = containers(deployment)
        .iter()
        .position(|container| container["name"] == CONTAINER);
    if let Some(index) = index {
        let container = format!("/spec/template/spec/containers/{index}");
        operations
            .push(json!({ "op": "test", "path": format!("{container}/name"), "value": CONTAINER }));
        operations
            .push(json!({ "op": "test", "path": format!("{container}/image"), "value": from }));
        if from != to {
            operations.push(
                json!({ "op": "replace", "path": format!("{container}/image"), "value": to }),
            );
        }
    }
    let path = format!("/metadata/annotations/{}", ANNOTATION.replace('/', "~1"));
    match &record {
        Some(record) => {
            if deployment.annotations().next().is_none() {
                operations
                    .push(json!({ "op": "add", "path": "/metadata/annotations", "value": {} }));
            }
            let text = serde_json::to_string(record).expect("two texts are JSON");
            operations.push(json!({ "op": "add", "path": path, "value": text }));
        }
        None if deployment.annotation(ANNOTATION).is_some() => {
            operations.push(json!({ "op": "remove", "path": path }));
        }
        None => {}
    }
    Write {
        from: from.to_owned(),
        to: to.to_owned(),
        record,
        operations: operations.into(),
    }
}

impl Write {
    /// The change as a JSON patch that tests the observed state.
    pub fn operations(&self) -> &Value {
        &self.operations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLUX: &str = "flux/source-controller:v1.9.4";
    const OURS: &str = "ours/source-controller:v0.1.0";

    fn deployment(image: &str, record: Option<(&str, &str)>) -> Object {
        let mut value = json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "source-controller", "namespace": "flux-system" },
            "spec": { "template": { "spec": { "containers": [
                { "name": "sidecar", "image": "other" }, { "name": "manager", "image": image },
            ] } } },
        });
        if let Some((was, became)) = record {
            let record = json!({ "was": was, "became": became }).to_string();
            value["metadata"]["annotations"] = json!({ ANNOTATION: record, "kept": "" });
        }
        Object::try_from(value).unwrap()
    }

    fn applied(deployment: &Object, step: Step) -> Object {
        let Step::Write(write) = step else {
            panic!("{step:?}");
        };
        let mut value = deployment.to_value();
        let patch: json_patch::Patch = serde_json::from_value(write.operations).unwrap();
        json_patch::patch(&mut value, &patch).unwrap();
        Object::try_from(value).unwrap()
    }

    #[test]
    fn give_back_restores_the_taken_image() {
        for before in [deployment(FLUX, None), {
            let mut other = deployment(FLUX, None);
            other.set_annotation("kept", "");
            other
        }] {
            let taken = applied(&before, take(&before, OURS));
            assert_eq!(image(&taken), OURS);
            assert_eq!(take(&taken, OURS), Step::Nothing, "a second run");
            let mut given = applied(&taken, give_back(&taken, None));
            assert_eq!(give_back(&given, None), Step::Nothing, "a second run");
            if before.annotations().next().is_none() {
                given.metadata_mut().remove("annotations");
            }
            assert_eq!(given, before);
        }
    }

    #[test]
    fn upgrade_keeps_the_first_image() {
        let newer = "ours/source-controller:v0.2.0";
        let upgraded = deployment(OURS, Some((FLUX, OURS)));
        let upgraded = applied(&upgraded, take(&upgraded, newer));
        let record = Record::of(&upgraded).unwrap();
        assert_eq!((&*record.was, &*record.became), (FLUX, newer));
        // After an upgrade of Flux, the next takeover remembers that image.
        let other = "flux/source-controller:v1.9.5";
        let between = deployment(other, Some((FLUX, OURS)));
        let again = applied(&between, take(&between, OURS));
        assert_eq!(Record::of(&again).unwrap().was, other);
    }

    #[test]
    fn give_back_skips_foreign_deployments() {
        let flux = deployment(FLUX, None);
        assert_eq!(give_back(&flux, None), Step::Nothing);
        let installed = deployment(OURS, None);
        assert_eq!(
            image(&applied(&installed, give_back(&installed, Some(FLUX)))),
            FLUX
        );
        let other = deployment("third/source-controller:v1", Some((FLUX, OURS)));
        assert_eq!(
            give_back(&other, None),
            Step::Foreign("third/source-controller:v1".to_owned())
        );
        // The old image was restored by hand: only the annotation is removed.
        let by_hand = deployment(FLUX, Some((FLUX, OURS)));
        let after = applied(&by_hand, give_back(&by_hand, None));
        assert_eq!((image(&after), Record::of(&after)), (FLUX, None));
    }

    #[test]
    fn patch_tests_the_observed_state() {
        let seen = deployment(FLUX, None);
        let Step::Write(write) = take(&seen, OURS) else {
            panic!("nothing to write");
        };
        let mut live = deployment("flux/source-controller:v1.9.5", None).into_value();
        let patch: json_patch::Patch = serde_json::from_value(write.operations).unwrap();
        assert!(json_patch::patch(&mut live, &patch).is_err());
    }
}
