//! Limits of `--check`: a change that costs much more than the recorded figure fails.
//!
//! Times are ratios to the floor or to the reference in the same run. Their limit is three times the
//! recorded ratio. `helm-sources`, `identity`, `image` and `notify` have no floor, and check the aims of
//! their parts. Memory varies less: its limit is 1.5 to 3 times the recorded ratio, or MiB where
//! no reference runs. Requests are counts, with 15 to 25 % to spare.

use anyhow::ensure;

/// The maximum of a named ratio.
pub(super) type Limit = (&'static str, f64);

/// Returns a line for each ratio above its limit. A ratio that was not measured is also missed.
pub(super) fn missed(limits: &[Limit], ratios: &[(&'static str, f64)]) -> Vec<String> {
    let mut missed = Vec::new();
    for (name, limit) in limits {
        match ratios.iter().find(|(found, _)| found == name) {
            Some((_, ratio)) if ratio <= limit => {
                println!("   within  {name}: {ratio:.3}, limit {limit:.3}");
            }
            Some((_, ratio)) => missed.push(format!("{name}: {ratio:.3}, limit {limit:.3}")),
            None => missed.push(format!("{name}: not measured")),
        }
    }
    missed
}

/// Fails with the missed limits.
pub(super) fn check(missed: &[String]) -> anyhow::Result<()> {
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
    fn ratio_above_limit_is_missed() {
        let limits = [("time", 1.0), ("memory", 2.0), ("requests", 3.0)];
        let ratios = [("time", 1.1), ("memory", 2.0)];
        let missed = missed(&limits, &ratios);
        assert_eq!(
            missed,
            ["time: 1.100, limit 1.000", "requests: not measured"]
        );
        assert!(check(&missed).is_err());
    }

    #[test]
    fn undefined_ratio_is_missed() {
        assert_eq!(missed(&[("time", 1.0)], &[("time", f64::NAN)]).len(), 1);
    }
}
