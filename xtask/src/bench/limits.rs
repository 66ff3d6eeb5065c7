//! Limits of `--check`: a change that costs much more than the recorded figure fails.
//!
//! Times are ratios to the floor or to the reference in the same run. Their limit is three times
//! the recorded ratio. `helm-sources`, `identity`, `image` and `notify` have no floor, and check
//! the aims of their parts. Memory varies less: its limit is 1.5 to 3 times the recorded ratio, or
//! MiB where no reference runs. Requests are counts, with 15 to 25 % to spare.
//!
//! A record keeps each limit with the figure that it was compared with. So its reader sees what was
//! missed.

use anyhow::ensure;
use serde_json::{Value, json};

/// The maximum of a named figure.
pub(super) type Limit = (&'static str, f64);

/// A limit and the figure that was compared with it.
#[derive(Debug, PartialEq)]
pub(super) struct Verdict {
    name: String,
    limit: f64,
    /// `None` if the figure was not measured.
    figure: Option<f64>,
}

impl Verdict {
    pub(super) const fn new(name: String, figure: Option<f64>, limit: f64) -> Self {
        Self {
            name,
            limit,
            figure,
        }
    }

    /// A figure that was not measured, or is undefined, misses its limit.
    pub(super) fn is_missed(&self) -> bool {
        self.figure
            .is_none_or(|figure| figure.is_nan() || figure > self.limit)
    }

    pub(super) fn to_value(&self) -> Value {
        json!({
            "name": self.name,
            "limit": self.limit,
            "figure": self.figure,
            "missed": self.is_missed(),
        })
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.figure {
            Some(figure) => write!(
                formatter,
                "{}: {figure:.3}, limit {:.3}",
                self.name, self.limit
            ),
            None => write!(formatter, "{}: not measured", self.name),
        }
    }
}

/// Compares figures with their limits, and prints each verdict.
pub(super) fn judge(limits: &[Limit], figures: &[(&'static str, f64)]) -> Vec<Verdict> {
    let verdicts = limits.iter().map(|(name, limit)| {
        let figure = figures.iter().find(|(found, _)| found == name);
        let figure = figure.map(|(_, figure)| *figure);
        let verdict = Verdict::new((*name).to_owned(), figure, *limit);
        let word = if verdict.is_missed() {
            "missed"
        } else {
            "within"
        };
        println!("   {word}  {verdict}");
        verdict
    });
    verdicts.collect()
}

/// Fails with the missed limits.
pub(super) fn check(verdicts: &[Verdict]) -> anyhow::Result<()> {
    let missed = verdicts.iter().filter(|verdict| verdict.is_missed());
    let missed: Vec<String> = missed.map(ToString::to_string).collect();
    ensure!(
        missed.is_empty(),
        "the bench exceeds its limits:\n{}\n\
         hint: repeat it on an idle machine, then find the commit with `git bisect run`",
        missed.join("\n")
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_above_limit_is_missed() {
        let limits = [("time", 1.0), ("memory", 2.0), ("requests", 3.0)];
        let verdicts = judge(&limits, &[("time", 1.1), ("memory", 2.0)]);
        let error = check(&verdicts).unwrap_err().to_string();
        let missed: Vec<_> = error.lines().skip(1).take(2).collect();
        assert_eq!(
            missed,
            ["time: 1.100, limit 1.000", "requests: not measured"]
        );
        assert!(!error.contains("memory"), "{error}");
    }

    #[test]
    fn undefined_figure_is_missed() {
        assert!(check(&judge(&[("time", 1.0)], &[("time", f64::NAN)])).is_err());
    }

    #[test]
    fn record_says_which_limit_is_missed() {
        let verdicts = judge(&[("time", 1.0)], &[("time", 1.5)]);
        let expected = json!({ "name": "time", "limit": 1.0, "figure": 1.5, "missed": true });
        assert_eq!(verdicts[0].to_value(), expected);
    }
}
