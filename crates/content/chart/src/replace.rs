//! Replaces the default values of a chart, as Flux does for `valuesFiles`.
//!
//! Parity: source-controller: internal/helm/chart/metadata.go.

use sluice_yaml::{json, v2};

use crate::chart::Chart;
use crate::values::{Json, Values};

/// The chart has no `values.yaml` to replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("failed to locate values file: values.yaml")]
pub struct NoValuesFile;

/// Replaces the default values. Returns whether they differ from the text of `values.yaml`.
pub fn replace_values(chart: &mut Chart, values: Values) -> Result<bool, NoValuesFile> {
    let file = chart.values_file.as_mut().ok_or(NoValuesFile)?;
    let text = if values.is_empty() {
        String::new()
    } else {
        v2::to_string(&printed(Json::Object(values.clone())))
    };
    if &*file.data == text.as_bytes() {
        return Ok(false);
    }
    file.data = text.into_bytes().into();
    chart.values = values;
    Ok(true)
}

/// A value as Go prints it: a float without a fraction is an integer in JSON.
fn printed(value: Json) -> Json {
    match value {
        Json::Number(number) => {
            let float = number.as_f64().and_then(json::number);
            Json::Number(float.unwrap_or(number))
        }
        Json::Array(items) => items.into_iter().map(printed).collect(),
        Json::Object(entries) => {
            let entries = entries.into_iter();
            Json::Object(entries.map(|(key, value)| (key, printed(value))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::File;
    use crate::values;

    fn chart(text: &str) -> Chart {
        Chart {
            values_file: Some(File {
                name: "values.yaml".to_owned(),
                data: text.as_bytes().to_vec().into(),
                modified: None,
            }),
            ..Chart::default()
        }
    }

    /// The answers of `sigs.k8s.io/yaml` to a round trip through a map.
    #[test]
    fn numbers_are_printed_as_in_go() {
        let text = "a: 1000000\nb: 1e3\nc: 0.10\nd: 12345678901234567890\ne: 9007199254740993\nf: \
                    1e21\nh: 1.5e-7\ni: 0x1F\nj: [1.0, 2]\nk: null\nl: \"007\"\n";
        let expected = "a: 1000000\nb: 1000\nc: 0.1\nd: 12345678901234567000\ne: 9007199254740992\n\
                        f: 1e+21\nh: 1.5e-07\ni: 31\nj:\n- 1\n- 2\nk: null\nl: \"007\"\n";
        let mut chart = chart("");
        let values = values::read(text.as_bytes()).unwrap();
        assert_eq!(replace_values(&mut chart, values), Ok(true));
        let file = chart.values_file.unwrap();
        assert_eq!(String::from_utf8_lossy(&file.data), expected);
    }

    #[test]
    fn equal_values_change_nothing() {
        let mut same = chart("a: 1\n");
        let values = values::read(b"a: 1").unwrap();
        assert_eq!(replace_values(&mut same, values.clone()), Ok(false));
        assert!(same.values.is_empty());
        assert_eq!(
            replace_values(&mut chart("a:  1\n"), values.clone()),
            Ok(true)
        );
        assert_eq!(replace_values(&mut chart(""), Values::new()), Ok(false));
        assert_eq!(
            replace_values(&mut Chart::default(), values),
            Err(NoValuesFile)
        );
    }
}
