//! Checks whether the `kustomization.yaml` of a directory keeps our images in the manifests.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use sluice_kustomize::Fs;
use sluice_kustomize::fs::OverlayFs;
use sluice_kustomize::remote::Fetcher;
use sluice_manifests::{FILE_NAME, Images};
use sluice_object::{Object, documents};

use super::{CONTAINER, Obstacle, component_of, container, image};

/// Misfits of a directory, by component.
pub type Findings = BTreeMap<&'static str, Vec<Obstacle>>;

/// Builds the directory with our images and compares the image of each controller.
///
/// # Errors
/// The directory has no manifests of the controllers, or cannot be built.
pub fn findings(
    tree: &dyn Fs,
    folder: &Path,
    images: &Images,
    fetcher: Option<Arc<dyn Fetcher>>,
) -> Result<Findings, String> {
    let path = folder.join(FILE_NAME);
    let bytes = tree
        .read(&path, 8 << 20)
        .map_err(|error| format!("{FILE_NAME} cannot be read: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{FILE_NAME} is not UTF-8"))?;
    let values =
        sluice_yaml::v2::documents(&text).map_err(|error| format!("{FILE_NAME}: {error}"))?;
    let mut objects = documents::expand(values);
    for object in &mut objects {
        give(object, images);
    }
    let taken: Vec<String> = objects
        .iter()
        .map(|object| sluice_yaml::v2::to_string(&object.to_value()))
        .collect();
    let over = OverlayFs::new(tree).with(path, taken.join("---\n").into_bytes());
    let options = sluice_kustomize::Options {
        fetcher,
        ..sluice_kustomize::Options::flux()
    };
    let built = sluice_kustomize::build(&over, folder, &options)
        .map_err(|error| format!("the directory cannot be built: {error}"))?;
    let values = sluice_yaml::v2::documents(&built.to_yaml())
        .map_err(|error| format!("what was built cannot be read: {error}"))?;
    let mut findings = Findings::new();
    for object in documents::expand(values) {
        if let Some((name, missing)) = examine(&object, images) {
            findings.entry(name).or_default().extend(missing);
        }
    }
    Ok(findings)
}

/// Sets our image in a Deployment of a controller.
fn give(object: &mut Object, images: &Images) {
    if !object.is("apps", "Deployment") {
        return;
    }
    let component = component_of(object).and_then(sluice_manifests::Component::find);
    let containers = object.at_mut(&["spec", "template", "spec", "containers"]);
    let (Some(component), Some(list)) = (component, containers) else {
        return;
    };
    for container in list.as_array_mut().into_iter().flatten() {
        if container["name"] == CONTAINER {
            container["image"] = images.of(component).into();
        }
    }
}

fn examine(object: &Object, images: &Images) -> Option<(&'static str, Vec<Obstacle>)> {
    if !object.is("apps", "Deployment") {
        return None;
    }
    let name = component_of(object)?;
    let wanted = images.of(sluice_manifests::Component::find(name)?);
    let mut missing = Vec::new();
    let built = image(object);
    if built != wanted {
        missing.push(Obstacle::of(
            object,
            format!("kustomization.yaml gives it the image {built}, whatever {FILE_NAME} says"),
        ));
    }
    if container(object).is_some_and(|container| container.get("command").is_some()) {
        missing.push(Obstacle::of(
            object,
            "kustomization.yaml gives it a command, which is a program of Flux's image",
        ));
    }
    (!missing.is_empty()).then_some((name, missing))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use sluice_kustomize::fs::MemFs;
    use sluice_manifests::{Options, Tag, generate};

    use super::*;

    const CONTAINER_PATH: &str = "/spec/template/spec/containers/0";

    fn images() -> Images {
        Images {
            registry: "ours.example".to_owned(),
            tag: Tag::Fixed("v0.1.0".to_owned()),
        }
    }

    fn found(rest: &str) -> Vec<(String, String)> {
        let options = Options {
            components: vec!["source-controller".into(), "kustomize-controller".into()],
            images: Images {
                registry: sluice_manifests::DEFAULT_REGISTRY.to_owned(),
                tag: Tag::Flux,
            },
            ..Options::default()
        };
        let manifests = generate(&options).unwrap().to_yaml();
        let file = format!("resources: [{FILE_NAME}]\n{rest}");
        let tree = MemFs::new()
            .with(&format!("/c/{FILE_NAME}"), manifests)
            .with("/c/kustomization.yaml", file);
        let findings = super::findings(&tree, Path::new("/c"), &images(), None).unwrap();
        let all = findings.into_values().flatten();
        all.map(|missing| (missing.object, missing.reason))
            .collect()
    }

    /// A patch with one operation.
    fn patch(name: &str, operation: &Value) -> String {
        let patch = json!([operation]).to_string();
        let target = json!({ "kind": "Deployment", "name": name });
        format!("patches: {}", json!([{ "target": target, "patch": patch }]))
    }

    #[test]
    fn unrelated_patch_keeps_our_images() {
        assert_eq!(found(""), []);
        let path = format!("{CONTAINER_PATH}/args/-");
        let operation = json!({ "op": "add", "path": path, "value": "--concurrent=5" });
        assert_eq!(found(&patch("kustomize-controller", &operation)), []);
    }

    #[test]
    fn patched_image_or_command_is_reported() {
        let names = json!([{
            "name": "ours.example/source-controller", "newName": "mirror.example/x/source-controller",
        }]);
        let path = format!("{CONTAINER_PATH}/image");
        let image = "pinned/source-controller:v1.9.4";
        let pinned = json!({ "op": "replace", "path": path, "value": image });
        let path = format!("{CONTAINER_PATH}/command");
        let command = json!({ "op": "add", "path": path, "value": ["/bin/x"] });
        for (file, object, said) in [
            (
                format!("images: {names}"),
                "source-controller",
                "mirror.example/x/source-controller:v0.1.0",
            ),
            (
                patch("source-controller", &pinned),
                "source-controller",
                image,
            ),
            (
                patch("kustomize-controller", &command),
                "kustomize-controller",
                "a command",
            ),
        ] {
            let found = found(&file);
            let [(id, reason)] = &*found else {
                panic!("{file}: {found:?}");
            };
            assert_eq!(*id, format!("Deployment/flux-system/{object}"));
            assert!(reason.contains(said), "{reason}");
        }
    }
}
