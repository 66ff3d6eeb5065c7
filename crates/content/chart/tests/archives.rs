//! Archives and folders that are charts, and those that only look like one.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Chart, Error};
use sluice_system::fs;
use tar::{EntryType, Header};

const CHART: &str = "apiVersion: v2\nname: small\nversion: 1.0.0\n";

/// An archive of entries, whose names are not checked.
fn archive(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, data) in entries {
        let mut header = Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        header.set_size(data.len() as u64);
        header.set_cksum();
        builder.append(&header, *data).expect("memory takes all");
    }
    compress(&builder.into_inner().expect("memory takes all"))
}

fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

fn files(entries: &[(&str, &str)]) -> Vec<u8> {
    let entries = entries.iter();
    let entries: Vec<_> = entries
        .map(|(name, data)| (*name, EntryType::Regular, data.as_bytes()))
        .collect();
    archive(&entries)
}

fn load(bytes: &[u8]) -> Result<Chart, Error> {
    load::archive(bytes, &Limits::default())
}

fn error(entries: &[(&str, &str)]) -> String {
    load(&files(entries))
        .expect_err("the archive is malformed")
        .to_string()
}

#[test]
fn archive_gives_the_files_below_its_folder() {
    let chart = load(&files(&[
        ("any/values.yaml", "\u{feff}a: 1\n"),
        ("any/templates/a.yaml", "kind: A\n"),
        ("any/Chart.yaml", CHART),
        ("any/.helmignore", "*\n"),
        ("any/charts/sub/Chart.yaml", "name: sub\nversion: 1.0.0\n"),
        ("any/charts/_ignored/Chart.yaml", "bad"),
    ]))
    .unwrap();
    assert_eq!(chart.name(), "small");
    assert_eq!(chart.values["a"], 1.0);
    assert_eq!(chart.templates[0].name, "templates/a.yaml");
    assert_eq!(chart.files[0].name, ".helmignore");
    assert_eq!(chart.dependencies[0].metadata.api_version, "v1");
}

#[test]
fn archive_below_charts_is_a_dependency() {
    let inner = files(&[(
        "sub/Chart.yaml",
        "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
    )]);
    let outer = archive(&[
        ("small/Chart.yaml", EntryType::Regular, CHART.as_bytes()),
        ("small/charts/sub-1.0.0.tgz", EntryType::Regular, &inner),
        (
            "small/charts/sub-1.0.0.tgz.prov",
            EntryType::Regular,
            b"signature",
        ),
    ]);
    let chart = load(&outer).unwrap();
    assert_eq!(chart.dependencies[0].name(), "sub");
    assert_eq!(chart.files[0].name, "charts/sub-1.0.0.tgz.prov");
}

#[test]
fn names_that_lead_out_are_rejected() {
    // The messages are Helm's.
    let parent = "chart illegally references parent directory";
    assert_eq!(error(&[("small/../../x", "")]), parent);
    let absolute = "chart illegally contains absolute paths";
    assert_eq!(error(&[("small//../x", "")]), absolute);
    let drive = "chart contains illegally named files";
    assert_eq!(error(&[("small/c:/x", "")]), drive);
    let root = "chart illegally contains content outside the base directory: \"values.yaml\"";
    assert_eq!(error(&[("values.yaml", "")]), root);
    assert_eq!(
        error(&[("Chart.yaml", CHART)]),
        "chart yaml not in base directory"
    );
    assert_eq!(error(&[]), "no files in chart archive");
}

#[test]
fn archive_of_windows_is_read() {
    let chart = load(&files(&[
        ("small\\Chart.yaml", CHART),
        ("small\\templates\\a.yaml", "kind: A\n"),
        (
            "small\\charts\\sub\\Chart.yaml",
            "name: sub\nversion: 1.0.0\n",
        ),
    ]))
    .unwrap();
    assert_eq!(chart.templates[0].name, "templates/a.yaml");
    assert_eq!(chart.dependencies[0].name(), "sub");
    let parent = "chart illegally references parent directory";
    assert_eq!(error(&[("small\\..\\..\\x", "")]), parent);
    let drive = "chart contains illegally named files";
    assert_eq!(error(&[("small\\c:\\x", "")]), drive);
    assert_eq!(
        error(&[("Chart.yaml\\x", CHART)]),
        "chart yaml not in base directory"
    );
    // The first directory of such a name is not the same for all readers.
    assert!(load(&files(&[("small/templates\\a.yaml", "")])).is_err());
}

#[test]
fn later_file_of_a_name_follows_the_first() {
    let chart = load(&files(&[
        ("small/Chart.yaml", CHART),
        ("small/values.yaml", "a: 1\n"),
        ("small/values.yaml", "b: 2\n"),
        ("small/templates/a.yaml", "kind: A\n"),
        ("small/templates/a.yaml", "kind: B\n"),
        ("small/Chart.yaml", "appVersion: v2\n"),
    ]))
    .unwrap();
    // As in Helm: metadata is merged, values are replaced, and templates stand twice.
    assert_eq!(
        (chart.name(), &*chart.metadata.app_version),
        ("small", "v2")
    );
    assert_eq!(chart.values.keys().collect::<Vec<_>>(), ["b"]);
    assert_eq!(chart.templates.len(), 2);
}

#[test]
fn archive_without_metadata_is_rejected() {
    assert_eq!(
        error(&[("small/values.yaml", "")]),
        "Chart.yaml file is missing"
    );
    assert!(
        load(b"plain text")
            .unwrap_err()
            .to_string()
            .starts_with("gzip: ")
    );
    let cut = &files(&[("small/Chart.yaml", CHART)])[..40];
    assert!(load(cut).is_err());
}

#[test]
fn links_and_devices_are_not_files() {
    let chart = archive(&[
        ("small/Chart.yaml", EntryType::Regular, CHART.as_bytes()),
        ("small/link", EntryType::Symlink, b""),
    ]);
    assert!(load(&chart).unwrap().files.is_empty());
    let device = archive(&[("small/null", EntryType::Char, b"")]);
    assert!(load(&device).is_err());
}

#[test]
fn limits_hold_for_nested_archives() {
    let limits = Limits {
        total: 100_000,
        file: 50_000,
        files: 10,
    };
    let large = "x".repeat(60_000);
    let single = files(&[("small/Chart.yaml", CHART), ("small/large", &large)]);
    let text = load::archive(&single, &limits).unwrap_err().to_string();
    let end = "\"small/large\" is larger than the maximum file size 50000";
    assert!(text.ends_with(end), "{text}");
    let half = "x".repeat(40_000);
    let many = [
        ("small/Chart.yaml", CHART),
        ("small/a", half.as_str()),
        ("small/b", &half),
        ("small/c", &half),
    ];
    let text = load::archive(&files(&many), &limits)
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        "decompressed chart is larger than the maximum size 100000"
    );
    let bomb = files(&[("s/Chart.yaml", CHART), ("s/a", &half), ("s/b", &half)]);
    let outer = archive(&[
        ("small/Chart.yaml", EntryType::Regular, CHART.as_bytes()),
        ("small/charts/a.tgz", EntryType::Regular, &bomb),
        ("small/charts/b.tgz", EntryType::Regular, &bomb),
    ]);
    let text = load::archive(&outer, &limits).unwrap_err().to_string();
    assert!(
        text.contains("error unpacking subchart b.tgz in small"),
        "{text}"
    );
}

#[test]
fn charts_within_charts_end_at_a_depth() {
    let name = format!("s/{}Chart.yaml", "charts/a/".repeat(9));
    let mut bytes = files(&[("s/Chart.yaml", CHART), (&name, CHART)]);
    // Each level below needs its own metadata.
    assert!(load(&bytes).is_err());
    for _ in 0..60 {
        bytes = archive(&[
            ("s/Chart.yaml", EntryType::Regular, CHART.as_bytes()),
            ("s/charts/a.tgz", EntryType::Regular, &bytes),
        ]);
    }
    let text = load(&bytes).unwrap_err().to_string();
    assert!(
        text.ends_with("charts nest deeper than 50 levels"),
        "{text}"
    );
}

#[test]
fn many_small_files_end_at_the_limit() {
    let limits = Limits {
        files: 10,
        ..Limits::default()
    };
    let names: Vec<String> = (0..20).map(|number| format!("small/{number}")).collect();
    let mut entries = vec![("small/Chart.yaml", CHART)];
    entries.extend(names.iter().map(|name| (name.as_str(), "")));
    let error = load::archive(&files(&entries), &limits).unwrap_err();
    assert_eq!(error.to_string(), "chart has more than 10 files");
}

#[test]
fn sizes_that_lie_are_rejected_before_memory_is_used() {
    let mut header = Header::new_gnu();
    let name = b"small/large";
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.set_mode(0o644);
    for (kind, size) in [
        (EntryType::Regular, 10_u64 << 30),
        (EntryType::GNUSparse, 10 << 30),
        (EntryType::Regular, 4 << 20),
        (EntryType::XHeader, 1 << 40),
        (EntryType::GNULongName, 1 << 40),
    ] {
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_cksum();
        let mut bytes = header.as_bytes().to_vec();
        bytes.extend([b'x'; 512]);
        assert!(load(&compress(&bytes)).is_err(), "{kind:?} {size}");
    }
}

#[test]
fn compressed_zeros_end_at_the_limit() {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..7].copy_from_slice(b"small/a");
    header.set_size(8 << 20);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.resize(bytes.len() + (8 << 20), 0);
    let error = load(&compress(&bytes)).unwrap_err().to_string();
    assert!(error.contains("larger than the maximum"), "{error}");
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    fs::write(folder.path().join("Chart.yaml"), CHART).expect("the folder is ours");
    folder
}

fn load_folder(path: &Path, links: Links) -> Result<Chart, Error> {
    load::path(path, links, &Limits::default())
}

#[test]
fn link_out_of_the_folder_is_rejected() {
    let (folder, outside) = (folder(), folder());
    let link = folder.path().join("link");
    fs::symlink(outside.path().join("Chart.yaml"), &link).unwrap();
    let error = load_folder(folder.path(), Links::Inside).unwrap_err();
    let expected = "cannot load 'link': the link leads out of the chart";
    assert_eq!(error.to_string(), expected);
    let chart = load_folder(folder.path(), Links::Anywhere).unwrap();
    assert_eq!(chart.files[0].name, "link");
}

#[test]
fn circle_of_links_ends() {
    let folder = folder();
    fs::symlink(folder.path(), folder.path().join("self")).unwrap();
    assert!(load_folder(folder.path(), Links::Inside).is_err());
}

#[test]
fn file_that_is_not_an_archive_is_named() {
    let folder = folder();
    let path = folder.path().join("Chart.yaml");
    let error = load_folder(&path, Links::Inside).unwrap_err().to_string();
    assert!(error.ends_with("seems to be a YAML file, but expected a gzipped archive"));
    let path = folder.path().join("data.tgz");
    fs::write(&path, b"\x00\x01").unwrap();
    let error = load_folder(&path, Links::Inside).unwrap_err().to_string();
    assert!(
        error.ends_with("a gzipped archive; got 'application/octet-stream'"),
        "{error}"
    );
}
