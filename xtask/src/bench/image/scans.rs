//! The first scan of many repositories by an image-reflector-controller.

use std::time::Instant;

use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::json;
use sluice_client::{GroupVersionKind, PatchOptions};

use super::registry::{Registry, versions};
use super::{Args, Figures};
use crate::bench::cluster::{self, IN_FLIGHT, NAMESPACE, is_ready, name};
use crate::bench::controller::Subject;
use crate::bench::stage::Stage;

pub(super) const CONTROLLER: &str = "image-reflector-controller";
pub(super) const GROUP: &str = "image.toolkit.fluxcd.io";

/// Measures the time from the start of the controller until all repositories are ready.
pub(super) async fn measure(args: &Args, subject: &Subject) -> anyhow::Result<Figures> {
    let stage = Stage::start(args.common.log.as_deref()).await?;
    let kind = GroupVersionKind::gvk(GROUP, "v1", "ImageRepository");
    cluster::define(&stage.cluster, CONTROLLER, std::slice::from_ref(&kind)).await?;
    let registry = Registry::start([("", versions(args.listed))].into()).await?;
    let (stage_of, kind_of, registry_of) = (&stage, &kind, &registry);
    futures::stream::iter(0..args.repositories)
        .map(|number| async move {
            let name = name(number);
            let object = json!({
                "apiVersion": format!("{GROUP}/v1"), "kind": "ImageRepository",
                "metadata": { "name": name, "namespace": NAMESPACE },
                "spec": { "image": registry_of.image(&name), "interval": "1h", "insecure": true },
            });
            let options = PatchOptions::default();
            let cluster = &stage_of.cluster;
            cluster
                .create(kind_of, Some(NAMESPACE), &object, options)
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_for_each(|_| std::future::ready(Ok(())))
        .await?;
    let storage = format!("--storage-path={}", stage.storage("tags")?.display());
    let began = Instant::now();
    let (controller, _) = stage.start_other(CONTROLLER, subject, &[&storage])?;
    stage.until(&kind, args.repositories, is_ready).await?;
    let took = began.elapsed();
    let usage = controller.usage()?;
    Ok(vec![
        ("scans s", took.as_secs_f64()),
        ("scans peak MiB", usage.peak_mib),
        ("scans peak anonymous MiB", usage.peak_anonymous_mib),
        ("scans CPU s", usage.cpu.as_secs_f64()),
    ])
}
