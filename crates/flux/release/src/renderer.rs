//! Renders charts outside of the runtime's threads.

use async_trait::async_trait;
use sluice_chart::values::Values;
use sluice_chart::{Chart, Error, RenderedChart, render};
use sluice_helm::{Renderer, Templates};

/// Renders charts on a thread for blocking work, under the budget of the templates.
#[derive(Debug, Clone, Default)]
pub struct BlockingRenderer(pub Templates);

impl BlockingRenderer {
    /// Renders one chart. The thread gets the templates themselves, not a copy.
    pub async fn render_once(
        self,
        chart: Chart,
        values: &Values,
        release: &render::Release,
    ) -> Result<RenderedChart, Error> {
        let (values, release) = (values.clone(), release.clone());
        let work = move || self.0.run(chart, &values, &release);
        let rendered = tokio::task::spawn_blocking(work).await;
        rendered.unwrap_or_else(|error| {
            Err(Error::PostRender(format!(
                "the render ended early: {error}"
            )))
        })
    }
}

#[async_trait]
impl Renderer for BlockingRenderer {
    async fn render(
        &self,
        chart: Chart,
        values: &Values,
        release: &render::Release,
    ) -> Result<RenderedChart, Error> {
        self.clone().render_once(chart, values, release).await
    }
}
