//! Renders charts for actions.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use sluice_chart::render::{Cluster, Release};
use sluice_chart::values::Values;
use sluice_chart::{Chart, Error, RenderedChart, TemplateOptions, template_with};

use crate::context::Renderer;
use crate::post_render::PostRenderer;

/// Makes the cluster of the function `lookup`, once for each render.
pub type Lookup = Arc<dyn Fn() -> Box<dyn Cluster> + Send + Sync>;

/// Renders the templates of charts, and post-renders the files.
#[derive(Clone, Default)]
pub struct Templates {
    /// The capabilities of the cluster and the limits. The release is that of the action.
    pub options: TemplateOptions,
    /// Changes the rendered files.
    pub post_renderer: PostRenderer,
    /// The cluster of `lookup`; without one it finds nothing.
    pub lookup: Option<Lookup>,
}

impl fmt::Debug for Templates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Templates")
            .field("options", &self.options)
            .field("post_renderer", &self.post_renderer)
            .finish_non_exhaustive()
    }
}

impl Templates {
    /// Renders a chart on this thread.
    pub fn run(
        &self,
        chart: Chart,
        values: &Values,
        release: &Release,
    ) -> Result<RenderedChart, Error> {
        let options = TemplateOptions {
            release: release.clone(),
            ..self.options.clone()
        };
        let cluster = self.lookup.as_ref().map(|lookup| lookup());
        let mut change = |files| self.post_renderer.run(files);
        template_with(chart, values, &options, cluster, &mut change)
    }
}

/// Renders on the thread of the action. A program with a runtime has a thread for that.
#[async_trait]
impl Renderer for Templates {
    async fn render(
        &self,
        chart: Chart,
        values: &Values,
        release: &Release,
    ) -> Result<RenderedChart, Error> {
        self.run(chart, values, release)
    }
}
