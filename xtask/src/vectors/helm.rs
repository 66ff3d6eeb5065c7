//! Records what Helm's packages make of the vectors of `crates/content/helm`.

use anyhow::Context as _;
use sluice_oracle::Oracle;
use sluice_system::fs;

/// The value of `--only` for releases.
pub(super) const NAME: &str = "helm";

/// Fills in the answers of each file of vectors, whose name is the subject.
pub(super) fn record() -> anyhow::Result<()> {
    let tests = crate::repository().join("crates/content/helm/tests");
    let target = tempfile::tempdir()?;
    let oracle = Oracle::build(&tests.join("oracle"), target.path()).map_err(anyhow::Error::msg)?;
    for entry in fs::read_dir(tests.join("vectors"))? {
        let subject = entry.path.file_stem().unwrap_or_default();
        let subject = subject.to_string_lossy().into_owned();
        let questions = fs::read_to_string(&entry.path)?;
        let answered = oracle
            .fill_in(&subject, &questions)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("asking about {subject}"))?;
        fs::write(&entry.path, &answered)?;
        println!("{NAME}: {} answers of {subject}", answered.lines().count());
    }
    Ok(())
}
