//! Defines the flags of commands that report about a render, and prints the report.

use std::time::Duration;

use sluice_chart::{RenderReport, ReportLevel};

use crate::cluster::Context;
use crate::flags::BooleanFlag as _;
use crate::output;
use crate::output::table::Table;

/// Printed templates.
const MAX_TEMPLATES: usize = 10;

/// Observation of a render.
#[derive(clap::Args, Clone, Debug)]
pub struct ReportFlags {
    /// Print the time of the slowest templates to standard error
    #[arg(long, switch = false)]
    profile: bool,
    /// Make random texts repeatable, but not keys and certificates
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl ReportFlags {
    /// Returns how much the render reports.
    pub fn level(&self) -> ReportLevel {
        if self.profile {
            ReportLevel::Profile
        } else {
            ReportLevel::Findings
        }
    }

    /// Returns the seed of random texts.
    pub const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Prints the findings, and the profile if it is asked for.
    pub fn print(&self, report: &RenderReport, context: &Context) {
        for finding in &report.findings {
            context.progress.warning(finding.to_string());
        }
        if self.profile {
            output::stderr(&output::plain(&profile(report)));
        }
    }
}

/// Formats the phases of a render and its slowest templates.
fn profile(report: &RenderReport) -> String {
    let phases = report.phases.iter();
    let phases: Vec<String> = phases
        .map(|(phase, time)| format!("{phase} {}", milliseconds(*time)))
        .collect();
    let mut table = Table::new(["time", "runs", "bytes", "template"]);
    for template in report.templates.iter().take(MAX_TEMPLATES) {
        table.row([
            milliseconds(template.time),
            template.runs.to_string(),
            template.bytes.to_string(),
            template.name.to_string(),
        ]);
    }
    format!(
        "{}, {} templates, {} steps\n{}",
        phases.join(", "),
        report.templates.len(),
        report.steps,
        table.render(true)
    )
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}ms", time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use sluice_chart::TemplateTime;

    use super::*;

    #[test]
    fn profile_names_phases_and_slowest_templates() {
        let report = RenderReport {
            phases: vec![
                ("values", Duration::from_micros(1_250)),
                ("render", Duration::from_millis(12)),
            ],
            templates: vec![TemplateTime {
                name: "web/templates/web.yaml".into(),
                runs: 1,
                time: Duration::from_millis(9),
                bytes: 120,
            }],
            steps: 15,
            ..RenderReport::default()
        };
        let expected = "values 1.2ms, render 12.0ms, 1 templates, 15 steps\n\
                        TIME \tRUNS\tBYTES\tTEMPLATE               \n\
                        9.0ms\t1   \t120  \tweb/templates/web.yaml\t\n";
        assert_eq!(profile(&report), expected);
    }
}
