//! Loads the charts of vectors.

use std::path::{Path, PathBuf};

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::values::{Json, Values};
use sluice_chart::{Chart, File};
use sluice_system::fs;

/// The time of all files and actions in the vectors.
const FIXED: &str = "2024-05-06T07:08:09.123456Z";

fn folder(name: &str) -> PathBuf {
    let charts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../chart/tests/charts");
    charts.join(name)
}

/// The chart and the values of a vector.
pub(crate) fn load(vector: &Json) -> (Chart, Values) {
    let fixed = FIXED.parse().ok();
    let mut user = Values::new();
    let mut chart = match vector["chart"].as_str() {
        Some(name) => {
            let text = fs::read(folder(name).join("values.yaml")).unwrap_or_default();
            user = sluice_chart::values::parse(&text).unwrap();
            let path = folder(name).join("chart");
            load::directory(&path, Links::Inside, &Limits::default()).unwrap()
        }
        None => {
            let files = vector["files"].as_object().unwrap().iter();
            let files = files.map(|(name, data)| File {
                name: name.clone(),
                data: data.as_str().unwrap().into(),
                modified: fixed,
            });
            load::files(files.collect(), &Limits::default()).unwrap()
        }
    };
    let times = chart.templates.iter_mut().chain(&mut chart.files);
    times.for_each(|file| file.modified = fixed);
    chart.modified = fixed;
    chart.schema_modified = chart.schema.as_ref().and(fixed);
    if let Some(values) = vector["values"].as_object() {
        user.extend(sluice_chart::values::from_json(values.clone()));
    }
    (chart, user)
}
