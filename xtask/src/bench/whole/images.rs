//! The sizes of images: ours, and for each program of the reference an image that is built alike.

use anyhow::Context as _;

use crate::bench::cluster::float;
use crate::bench::controller::Subject;
use crate::bench::report::Report;
use crate::image;

/// Bytes of a MB.
const MB: f64 = 1e6;

/// Adds the sizes of all programs to the report, and returns our size.
pub(super) fn measure(subjects: &[Subject], report: &mut Report) -> anyhow::Result<f64> {
    let mut ours = f64::NAN;
    let certificates = std::fs::read(image::CA_BUNDLE)
        .with_context(|| format!("read the CA bundle {}", image::CA_BUNDLE))?;
    let mut sums = [0.0, 0.0];
    for (side, path) in Subject::programs(subjects) {
        let binary = std::fs::read(path).with_context(|| format!("read {}", path.display()))?;
        let size = image::size(&binary, &certificates)?;
        let sizes = [size.download, size.unpacked].map(|bytes| float(bytes) / MB);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = if side == "ours" { "sluice" } else { &name };
        add(report, side, &format!("image of {name}"), sizes);
        if side == "ours" {
            ours = sizes[0];
        } else {
            sums = [sums[0] + sizes[0], sums[1] + sizes[1]];
        }
    }
    if let [_, reference] = subjects {
        add(report, reference.name, "images of all controllers", sums);
    }
    Ok(ours)
}

fn add(report: &mut Report, side: &str, what: &str, [download, unpacked]: [f64; 2]) {
    let figures = [("download MB", download), ("unpacked MB", unpacked)];
    report.add(side, what, &figures);
}
