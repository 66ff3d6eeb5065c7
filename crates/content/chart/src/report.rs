//! The report of a render: its phases, its templates, and what its author may not expect.

use std::time::{Duration, Instant};

use sluice_gotemplate::{Finding, TemplateTime};

/// How much a render reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReportLevel {
    /// Nothing, as in a controller.
    #[default]
    Nothing,
    /// Findings.
    Findings,
    /// Findings, and the time of each template.
    Profile,
}

/// The report of a render.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderReport {
    /// The time of each phase, in their order.
    pub phases: Vec<(&'static str, Duration)>,
    /// The templates, the slowest first.
    pub templates: Vec<TemplateTime>,
    /// The findings.
    pub findings: Vec<Finding>,
    /// The steps of the templates.
    pub steps: u64,
}

/// Measures phases that follow each other.
pub(crate) struct PhaseClock {
    phases: Vec<(&'static str, Duration)>,
    last: Instant,
}

impl PhaseClock {
    pub(crate) fn start() -> Self {
        Self {
            phases: Vec::new(),
            last: Instant::now(),
        }
    }

    /// Ends a phase.
    pub(crate) fn end(&mut self, phase: &'static str) {
        let now = Instant::now();
        self.phases.push((phase, now.duration_since(self.last)));
        self.last = now;
    }

    pub(crate) fn into_phases(self) -> Vec<(&'static str, Duration)> {
        self.phases
    }
}
