//! Renders charts within the time of their action, a few of a namespace at once.
//!
//! A template of a tenant may loop until its budget of steps is spent: for seconds on an idle CPU,
//! and for minutes on a busy one.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use sluice_chart::{Chart, Error, RenderedChart, Values, render};
use sluice_helm::{Renderer, Templates};
use sluice_release::BlockingRenderer;
use sluice_system::permits::FairPermits;

use crate::metrics::ReleaseMetrics;

/// The least time of a render. A short timeout is meant for waits.
const MIN_TIME: Duration = Duration::from_secs(30);

/// Renders on blocking threads.
pub(super) struct LimitedRenderer {
    pub(super) templates: Templates,
    pub(super) permits: FairPermits,
    /// The namespace of the release, which shares the permits with others.
    pub(super) namespace: String,
    /// The time of a render.
    pub(super) limit: Duration,
    pub(super) metrics: ReleaseMetrics,
}

#[async_trait]
impl Renderer for LimitedRenderer {
    async fn render(
        &self,
        chart: Chart,
        values: &Values,
        release: &render::Release,
    ) -> Result<RenderedChart, Error> {
        let _permit = self.permits.acquire(&self.namespace).await;
        let _timer = self.metrics.start_render();
        let mut templates = self.templates.clone();
        templates.options.budget.deadline = Instant::now().checked_add(self.limit);
        let renderer = BlockingRenderer(templates);
        renderer.render_once(chart, values, release).await
    }
}

/// The time of a render for an action with a timeout.
pub(super) fn limit_of(timeout: Duration) -> Duration {
    timeout.max(MIN_TIME)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use prometheus::Registry;
    use sluice_chart::File;
    use sluice_chart::load::{self, Limits};

    use super::*;

    fn chart(template: &str) -> Chart {
        let files = [
            ("Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n"),
            ("templates/a.yaml", template),
        ];
        let files = files.map(|(name, data)| File {
            name: name.to_owned(),
            data: data.into(),
            modified: None,
        });
        load::files(files.into(), &Limits::default()).unwrap()
    }

    async fn rendered(
        permits: &FairPermits,
        limit: Duration,
        template: &str,
    ) -> Result<RenderedChart, Error> {
        let renderer = LimitedRenderer {
            templates: Templates::default(),
            permits: permits.clone(),
            namespace: "apps".to_owned(),
            limit,
            metrics: ReleaseMetrics::register(&Registry::new()),
        };
        let release = render::Release::default();
        renderer
            .render(chart(template), &Values::new(), &release)
            .await
    }

    #[tokio::test]
    async fn render_ends_at_its_time_limit() {
        let permits = FairPermits::new(NonZeroUsize::MIN);
        let text = "{{ range 20000 }}{{ end }}";
        assert!(
            rendered(&permits, limit_of(Duration::ZERO), text)
                .await
                .is_ok()
        );
        let late = rendered(&permits, Duration::ZERO, text).await.unwrap_err();
        let expected = "render budget exceeded: deadline reached";
        assert!(late.to_string().contains(expected), "{late}");
        assert_eq!(limit_of(Duration::from_mins(5)), Duration::from_mins(5));
    }

    #[tokio::test]
    async fn render_waits_for_its_own_namespace_only() {
        let permits = FairPermits::new(NonZeroUsize::MIN);
        let _other = permits.acquire("other").await;
        let _waiting = tokio::spawn({
            let permits = permits.clone();
            async move { permits.acquire("other").await }
        });
        let limit = limit_of(Duration::ZERO);
        assert!(rendered(&permits, limit, "a: 1").await.is_ok());
        assert_eq!(permits.free(), 1);
    }
}
