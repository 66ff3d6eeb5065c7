//! Lists the charts and artifacts that a checkout takes from other hosts. Pure.

use std::collections::{BTreeMap, BTreeSet};

use sluice_object::Object;

/// The group of sources.
const SOURCES: &str = "source.toolkit.fluxcd.io";

/// Versions by chart.
type Versions = BTreeMap<String, BTreeSet<String>>;

/// The wanted charts and artifacts.
#[derive(Debug, Default)]
pub(super) struct Remotes {
    /// Charts of Helm repositories over HTTP, by address without the scheme.
    pub(super) indexes: BTreeMap<String, Versions>,
    /// Content of registries, by the name of the repository.
    pub(super) images: BTreeMap<String, Image>,
    /// Addresses of Git repositories.
    pub(super) repositories: BTreeSet<String>,
    /// Objects whose remote cannot be named, with the reason.
    pub(super) unnamed: BTreeSet<String>,
}

/// A repository of a registry.
#[derive(Debug, Default)]
pub(super) struct Image {
    pub(super) is_chart: bool,
    /// Versions or constraints.
    pub(super) versions: BTreeSet<String>,
}

/// The charts of releases with one name: the base and its patches.
#[derive(Debug, Default)]
struct WantedCharts<'d> {
    charts: BTreeSet<&'d str>,
    versions: BTreeSet<&'d str>,
    repositories: BTreeSet<&'d str>,
}

impl Remotes {
    pub(super) fn of(documents: &[Object]) -> Self {
        let mut remotes = Self::default();
        let mut releases: BTreeMap<&str, WantedCharts<'_>> = BTreeMap::new();
        let mut charts = BTreeSet::new();
        for release in documents {
            if !release.is("helm.toolkit.fluxcd.io", "HelmRelease") {
                continue;
            }
            charts.extend(release.str_at(&["spec", "chartRef", "name"]));
            let text = |path: &[&str]| release.str_at(&[&["spec", "chart", "spec"], path].concat());
            let wanted = releases.entry(release.name()).or_default();
            wanted.charts.extend(text(&["chart"]));
            let version = text(&["version"]);
            wanted
                .versions
                .extend(version.filter(|version| !version.contains("${")));
            wanted.repositories.extend(text(&["sourceRef", "name"]));
        }
        for source in documents {
            let url = source.str_at(&["spec", "url"]).unwrap_or_default();
            if !source.group().eq(SOURCES) || url.is_empty() {
                continue;
            }
            let name = format!("{}/{} {url}", source.kind(), source.name());
            match source.kind() {
                _ if url.contains("${") => {
                    remotes.unnamed.insert(name);
                }
                "GitRepository" => {
                    remotes.repositories.insert(url.to_owned());
                }
                "OCIRepository" => remotes.add_image(source, url, &charts),
                "HelmRepository" => remotes.add_charts(source, url, &releases),
                _ => {
                    remotes.unnamed.insert(name);
                }
            }
        }
        remotes
    }

    fn add_image(&mut self, source: &Object, url: &str, charts: &BTreeSet<&str>) {
        let Some(name) = repository(url) else {
            return;
        };
        let image = self.images.entry(name).or_default();
        image.is_chart |= charts.contains(source.name())
            || source
                .str_at(&["spec", "layerSelector", "mediaType"])
                .is_some_and(|kind| kind.contains("helm.chart"));
        let reference = |field| source.str_at(&["spec", "ref", field]);
        let version = reference("semver").or_else(|| reference("tag"));
        let is_variable = version.is_some_and(|version| version.contains("${"));
        if reference("digest").is_none() && !is_variable {
            image
                .versions
                .insert(version.unwrap_or("latest").to_owned());
        }
    }

    fn add_charts(
        &mut self,
        source: &Object,
        url: &str,
        releases: &BTreeMap<&str, WantedCharts<'_>>,
    ) {
        let is_used = |wanted: &&WantedCharts<'_>| wanted.repositories.contains(source.name());
        for wanted in releases.values().filter(is_used) {
            for chart in &wanted.charts {
                let mut versions: BTreeSet<String> =
                    wanted.versions.iter().map(ToString::to_string).collect();
                if versions.is_empty() {
                    versions.insert(String::new());
                }
                if let Some(name) = repository(url) {
                    let image = self.images.entry(format!("{name}/{chart}")).or_default();
                    image.is_chart = true;
                    image.versions.extend(versions);
                } else if let Some((_, address)) = url.split_once("://") {
                    let address = address.trim_end_matches('/').to_owned();
                    let charts = self.indexes.entry(address).or_default();
                    charts
                        .entry((*chart).to_owned())
                        .or_default()
                        .extend(versions);
                }
            }
        }
    }
}

/// Returns the name of a repository in a registry, without its host.
fn repository(url: &str) -> Option<String> {
    let (_, name) = url.strip_prefix("oci://")?.split_once('/')?;
    Some(name.trim_end_matches('/').to_owned())
}

/// Returns a version for a constraint: its first version, with zeros in place of wildcards.
pub(super) fn concrete(constraint: &str) -> String {
    let first = constraint.trim_start_matches(|letter: char| "=<>~^! ".contains(letter));
    let end = first.find([' ', ',', '|']).unwrap_or(first.len());
    let first = &first[..end];
    let (core, rest) = first.split_at(first.find(['-', '+']).unwrap_or(first.len()));
    let mut parts: Vec<&str> = core.split('.').filter(|part| !part.is_empty()).collect();
    for part in &mut parts {
        if ["x", "X", "*"].contains(part) {
            *part = "0";
        }
    }
    if parts.is_empty() || parts == ["0"] {
        parts = vec!["1"];
    }
    parts.resize(parts.len().max(3), "0");
    parts.join(".") + rest
}

/// Returns the hosts that a text names.
pub(super) fn hosts(text: &str) -> impl Iterator<Item = &str> {
    text.split("://").skip(1).filter_map(|rest| {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let is_whole = !rest[end..].starts_with(['$', '{', '*', '@']);
        let host = rest[..end].trim_end_matches('.');
        let labels = || host.split('.');
        let is_label = |label: &str| {
            (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
        };
        (is_whole && labels().count() > 1 && labels().all(is_label)).then_some(host)
    })
}

#[test]
fn constraint_has_a_first_version() {
    for (constraint, version) in [
        ("1.2.3", "1.2.3"),
        ("v1.2.3", "v1.2.3"),
        ("1.x", "1.0.0"),
        (">= 1.8.0-rc.0", "1.8.0-rc.0"),
        ("~4.4 || ^5", "4.4.0"),
        ("*", "1.0.0"),
        ("", "1.0.0"),
    ] {
        assert_eq!(concrete(constraint), version, "{constraint}");
    }
}

#[test]
fn hosts_are_those_of_whole_addresses() {
    let text = "url: https://a.example.com/x\n  oci://ghcr.io/b http://svc:80 https://${X}.y.z";
    assert_eq!(
        hosts(text).collect::<Vec<_>>(),
        ["a.example.com", "ghcr.io"]
    );
}
