//! The post-renderer of a release, from its `HelmRelease`. Pure.

use serde_json::{Map, Value, json};
use sluice_api::helm::{GROUP, HelmRelease, KustomizeRenderer, PostRenderStrategy};
use sluice_helm::post_render::{PostRenderer, Step, Strategy};

/// The steps that change rendered documents: those of the spec, the common metadata, and the labels
/// that name the release object. `default` is the strategy if the spec has none.
pub fn post_renderer(object: &HelmRelease, default: Strategy) -> PostRenderer {
    let spec = &object.spec;
    let strategy = match spec.post_render_strategy {
        Some(PostRenderStrategy::NoHooks) => Strategy::NoHooks,
        Some(PostRenderStrategy::Separate) => Strategy::Separate,
        Some(_) => Strategy::Combined,
        None => default,
    };
    let own = spec.post_renderers.iter();
    let own = own.filter_map(|renderer| renderer.kustomize.as_ref());
    let mut steps: Vec<Step> = own.map(|own| Step::Kustomize(kustomization(own))).collect();
    if let Some(metadata) = &spec.common_metadata {
        steps.push(Step::Metadata {
            labels: metadata.labels.clone(),
            annotations: metadata.annotations.clone(),
        });
    }
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let name = object.metadata.name.as_deref().unwrap_or_default();
    steps.push(Step::origin_labels(GROUP, namespace, name));
    PostRenderer { strategy, steps }
}

/// The kustomization of a post-renderer.
fn kustomization(renderer: &KustomizeRenderer) -> Value {
    let mut kustomization = Map::new();
    if !renderer.images.is_empty() {
        kustomization.insert("images".to_owned(), json!(renderer.images));
    }
    if !renderer.patches.is_empty() {
        kustomization.insert("patches".to_owned(), json!(renderer.patches));
    }
    Value::Object(kustomization)
}
