//! Copies beside recorded answers of the reference's builder, and hostile input.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use serde::Deserialize;
use sluice_artifact::ignore::Rules;
use sluice_artifact::tarball::Writer;
use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_golang::error::chain;

use super::*;

/// `tests/oracle/main.go` has the recipe.
const VECTORS: &str = include_str!("../../tests/oracle/vectors.jsonl");

#[derive(Deserialize)]
struct Vector {
    /// The contents of all paths, on the first line.
    #[serde(default)]
    pool: BTreeMap<String, String>,
    #[serde(default)]
    sources: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    copy: Vec<CopyOperation>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    error: String,
}

/// An archive of these files. A path that ends with a slash is a directory. `x:` begins the content
/// of an executable file, and `archive:` an archive of the files behind it.
fn archive(files: &BTreeMap<String, String>) -> Vec<u8> {
    let mut tree = Tree::default();
    let mut executables = Vec::new();
    for (path, content) in files {
        if let Some(directory) = path.strip_suffix('/') {
            tree.make_directory(directory.as_bytes()).unwrap();
            continue;
        }
        if let Some((directory, _)) = path.rsplit_once('/') {
            tree.make_directory(directory.as_bytes()).unwrap();
        }
        let content = if let Some(inner) = content.strip_prefix("archive:") {
            archive(&serde_json::from_str(inner).unwrap())
        } else if let Some(rest) = content.strip_prefix("x:") {
            executables.push(path.as_bytes().to_vec());
            rest.as_bytes().to_vec()
        } else {
            content.as_bytes().to_vec()
        };
        tree.write_file(path.as_bytes(), &content).unwrap();
    }
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut writer = Writer::new(gzip);
    writer.directory(b".").unwrap();
    for (path, entry) in tree.walk(b"") {
        match entry {
            Entry::Directory => writer.directory(&path).unwrap(),
            Entry::File { size, .. } => {
                let content = staging::read(&tree, &path).unwrap();
                let is_executable = executables.contains(&path);
                writer
                    .file(&path, is_executable, size, content.as_slice())
                    .unwrap();
            }
        }
    }
    writer.finish().unwrap().finish().unwrap()
}

fn trees(sources: &BTreeMap<String, BTreeMap<String, String>>) -> Trees {
    let tree = |files| Tree::read(archive(files).as_slice(), Limits::unlimited()).unwrap();
    let trees = sources.iter();
    trees
        .map(|(alias, files)| (alias.clone(), Arc::new(tree(files))))
        .collect()
}

fn budget() -> Budget {
    Budget::new(MAX_STEPS, MAX_MERGED_BYTES)
}

/// The files of the artifact, in the form of the vectors.
fn built(copies: &[CopyOperation], trees: &Trees) -> Result<BTreeMap<String, String>, String> {
    let tree = build(copies, trees, &budget()).map_err(|error| chain(&error))?;
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let rules = Rules::for_source(Vec::new(), None);
    let packed = tree.write(gzip, &rules).unwrap().finish().unwrap();
    let mut files = BTreeMap::new();
    let mut entries = Entries::new(packed.as_slice(), Links::Reject, Limits::unlimited());
    while let Some(mut entry) = entries.next_entry().unwrap() {
        let path = entry.path().display().to_string();
        if entry.is_directory() {
            files.insert(format!("{path}/"), String::new());
            continue;
        }
        let mut content = Vec::new();
        let is_executable = entry.mode() & 0o111 != 0;
        std::io::copy(&mut entry, &mut content).unwrap();
        let is_archive = content.starts_with(b"\x1f\x8b");
        let content = if is_archive {
            "(gzip)".to_owned()
        } else {
            String::from_utf8_lossy(&content).into_owned()
        };
        let content = if is_executable {
            format!("x:{content}")
        } else {
            content
        };
        files.insert(path, content);
    }
    Ok(files)
}

#[test]
fn copies_equal_those_of_the_reference() {
    let mut failures = Vec::new();
    let mut pool = BTreeMap::new();
    for line in VECTORS.lines() {
        let mut vector: Vector = serde_json::from_str(line).unwrap();
        if !vector.pool.is_empty() {
            pool = vector.pool;
            continue;
        }
        vector.files.remove("./");
        let files = |paths: Vec<String>| {
            if paths == ["*"] {
                return pool.clone();
            }
            let files = paths.into_iter();
            files
                .map(|path| (path.clone(), pool[&path].clone()))
                .collect()
        };
        let sources = vector.sources.into_iter();
        let sources = sources.map(|(alias, paths)| (alias, files(paths)));
        let found = built(&vector.copy, &trees(&sources.collect()));
        let is_equal = match &found {
            Ok(files) => vector.error.is_empty() && *files == vector.files,
            Err(_) => !vector.error.is_empty(),
        };
        if !is_equal {
            failures.push(format!("{line}\n  ours: {found:?}"));
        }
    }
    let first = failures.iter().take(5).cloned().collect::<Vec<_>>();
    assert!(
        failures.is_empty(),
        "{} differ:\n{}",
        failures.len(),
        first.join("\n")
    );
    assert!(VECTORS.lines().count() > 500);
}

fn copy(from: &str, to: &str) -> CopyOperation {
    CopyOperation {
        from: from.to_owned(),
        to: to.to_owned(),
        ..CopyOperation::default()
    }
}

fn files(list: &[(&str, &str)]) -> BTreeMap<String, BTreeMap<String, String>> {
    let files = list.iter();
    let files = files.map(|(path, content)| ((*path).to_owned(), (*content).to_owned()));
    BTreeMap::from([("a".to_owned(), files.collect())])
}

/// The texts are those of `internal/builder` and of its tests.
#[test]
fn failures_have_the_words_of_flux() {
    let trees = trees(&files(&[
        ("file.yaml", "a: 1"),
        ("dir/x.txt", "x"),
        ("text", "- a"),
    ]));
    let excluded = CopyOperation {
        exclude: vec!["*.yaml".to_owned()],
        ..copy("@a/*.yaml", "@artifact/")
    };
    let bad_exclude = CopyOperation {
        exclude: vec!["[".to_owned()],
        ..copy("@a/file.yaml", "@artifact/")
    };
    let with = |strategy, copy: CopyOperation| CopyOperation {
        strategy: Some(strategy),
        ..copy
    };
    let many = format!("@a/*{{{}}}", ",".repeat(21));
    for (copies, expected) in [
        (
            vec![copy("@a/none", "@artifact/")],
            "source 'none' does not exist",
        ),
        (
            vec![copy("@a/*.json", "@artifact/")],
            "no files match pattern '*.json' in source 'a'",
        ),
        (
            vec![copy("@a/[", "@artifact/")],
            "invalid glob pattern '[': syntax error in pattern",
        ),
        (
            vec![copy("@b/file.yaml", "@artifact/")],
            "source alias 'b' not found",
        ),
        (
            vec![excluded],
            "all files matching pattern '*.yaml' in source 'a' were excluded",
        ),
        (vec![bad_exclude], "invalid exclude pattern '['"),
        (
            vec![copy("@a/../x", "@artifact/")],
            "failed to stat source '../x': path escapes from parent",
        ),
        (
            vec![copy("@a/file.yaml", "@artifact/../x")],
            "invalid copy destination '@artifact/../x': destination path must stay within the \
             artifact root",
        ),
        (
            vec![copy("@a/file.yaml", "@artifact/x/../y")],
            "invalid copy destination '@artifact/x/../y': destination path must not contain '..'",
        ),
        (
            vec![with(CopyStrategy::Extract, copy("@a/dir", "@artifact/"))],
            "extract strategy is not supported for directories, got 'dir'",
        ),
        (
            vec![with(
                CopyStrategy::Extract,
                copy("@a/file.yaml", "@artifact/"),
            )],
            "extract strategy requires tarball file (.tar.gz or .tgz), got 'file.yaml'",
        ),
        (
            vec![copy(&many, "@artifact/")],
            "pattern has 21 alternatives in '{}' groups, at most 20 are allowed",
        ),
        (
            vec![
                copy("@a/file.yaml", "@artifact/values.yaml"),
                with(
                    CopyStrategy::Merge,
                    copy("@a/text", "@artifact/values.yaml"),
                ),
            ],
            "cannot unmarshal YAML document: a map is expected, not a list",
        ),
    ] {
        let error = built(&copies, &trees).unwrap_err();
        assert!(error.contains(expected), "{error}");
        let start = format!(
            "failed to apply copy operation from '{}'",
            copies.last().unwrap().from
        );
        assert!(error.starts_with(&start), "{error}");
    }
}

#[test]
fn copies_end_at_their_budget() {
    let trees = trees(&files(&[
        ("dir/a", "a"),
        ("dir/b", "b"),
        ("values.yaml", "a: 1"),
    ]));
    let many = vec![copy("@a/dir", "@artifact/"); 100];
    let error = build(&many, &trees, &Budget::new(100, 0)).unwrap_err();
    assert!(
        chain(&error).contains("copying takes too long"),
        "{error:?}"
    );
    let merge = CopyOperation {
        strategy: Some(CopyStrategy::Merge),
        ..copy("@a/values.yaml", "@artifact/values.yaml")
    };
    let merges = vec![merge; 10];
    let error = build(&merges, &trees, &Budget::new(1000, 20)).unwrap_err();
    assert!(chain(&error).contains("more than 20 bytes"), "{error:?}");
    // Alternatives multiply: this pattern needs a million comparisons for each path.
    let slow = CopyOperation {
        exclude: vec![format!("{}x", "{*,*}".repeat(20))],
        ..copy("@a/dir", "@artifact/")
    };
    let error = build(&[slow], &trees, &Budget::new(200_000, 0)).unwrap_err();
    assert!(
        chain(&error).contains("copying takes too long"),
        "{error:?}"
    );
}

#[test]
fn hostile_yaml_is_an_error() {
    let mut bomb = "a0: &a0 [x, x]\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        writeln!(bomb, "a{level}: &a{level} [*a{below}, *a{below}]").unwrap();
    }
    let deep = format!("a: {}1{}", "[".repeat(5000), "]".repeat(5000));
    for (text, expected) in [
        (bomb.as_str(), "excessive aliasing"),
        (deep.as_str(), "yaml"),
    ] {
        let trees = trees(&files(&[("base.yaml", "a: 1"), ("bad.yaml", text)]));
        let merge = CopyOperation {
            strategy: Some(CopyStrategy::Merge),
            ..copy("@a/bad.yaml", "@artifact/values.yaml")
        };
        let copies = [copy("@a/base.yaml", "@artifact/values.yaml"), merge];
        let error = built(&copies, &trees).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

/// A compressed archive of raw entries: type, name and content.
fn raw_archive(entries: &[(u8, &[u8], &[u8])]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for (kind, name, content) in entries {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name);
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = *kind;
        header[157..167].copy_from_slice(b"/etc/hosts");
        header[257..265].copy_from_slice(b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        gzip.write_all(&header).unwrap();
        gzip.write_all(content).unwrap();
        let padding = content.len().next_multiple_of(512) - content.len();
        gzip.write_all(&vec![0; padding]).unwrap();
    }
    gzip.write_all(&[0; 1024]).unwrap();
    gzip.finish().unwrap()
}

fn extract(name: &str) -> CopyOperation {
    CopyOperation {
        strategy: Some(CopyStrategy::Extract),
        ..copy(&format!("@a/{name}"), "@artifact/")
    }
}

/// A source with these files.
fn source_of(files: &[(&str, &[u8])]) -> Trees {
    let mut tree = Tree::default();
    for (name, content) in files {
        tree.write_file(name.as_bytes(), content).unwrap();
    }
    Trees::from([("a".to_owned(), Arc::new(tree))])
}

#[test]
fn hostile_archives_are_not_extracted() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b"not a tar").unwrap();
    let bad = gzip.finish().unwrap();
    for (archive, expected) in [
        (bad, "tar"),
        (b"plain".to_vec(), "read archive"),
        (
            raw_archive(&[(b'2', b"link", b"")]),
            "unsupported file type",
        ),
        (
            raw_archive(&[(b'1', b"link", b"")]),
            "unsupported file type",
        ),
        (raw_archive(&[(b'0', b"../x", b"")]), "invalid name"),
        (raw_archive(&[(b'0', b"/etc/x", b"")]), "invalid name"),
        (
            raw_archive(&[(b'0', b"x", b""), (b'0', b"x/y", b"")]),
            "not a directory",
        ),
    ] {
        let error = built(&[extract("bad.tgz")], &source_of(&[("bad.tgz", &archive)])).unwrap_err();
        let start = "failed to extract tarball 'bad.tgz' to ''";
        assert!(error.contains(start) && error.contains(expected), "{error}");
    }
}

#[test]
fn extraction_counts_replaced_entries() {
    let limits = StagingLimits {
        content_bytes: 1000,
        extracted_entries: 5,
        ..StagingLimits::default()
    };
    let run = |archive: &[u8], times: usize| {
        let copies = vec![extract("x.tgz"); times];
        let trees = source_of(&[("x.tgz", archive)]);
        let built = build_within(limits, &copies, &trees, &budget());
        built.map_err(|error| chain(&error))
    };
    // The last entry of a name replaces the ones before it.
    let large = [1; 400];
    let replaced: [(u8, &[u8], &[u8]); 2] = [(b'0', b"x", &large), (b'0', b"x", b"")];
    let archive = raw_archive(&replaced);
    assert_eq!(run(&archive, 2).unwrap().content_bytes(), 0);
    let error = run(&archive, 3).unwrap_err();
    assert!(error.contains("more than 1000 bytes"), "{error}");
    let empty: (u8, &[u8], &[u8]) = (b'0', b"x", b"");
    let same = raw_archive(&[empty; 6]);
    let error = run(&same, 1).unwrap_err();
    let expected = "more than 5 files and directories: extract fewer archives";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn entries_of_an_artifact_are_limited() {
    let limits = StagingLimits {
        entries: 5,
        ..StagingLimits::default()
    };
    let packed: [(u8, &[u8], &[u8]); 2] = [(b'0', b"x", b""), (b'0', b"y", b"")];
    let archive = raw_archive(&packed);
    let trees = source_of(&[("a", b""), ("b", b""), ("c", b""), ("x.tgz", &archive)]);
    let run = |copies: Vec<CopyOperation>| {
        let built = build_within(limits, &copies, &trees, &budget());
        built.map(|tree| tree.len()).map_err(|error| chain(&error))
    };
    let copies = |directory: &str| {
        let copies = ["a", "b", "c"].map(|name| {
            let to = format!("@artifact/{directory}/{name}");
            copy(&format!("@a/{name}"), &to)
        });
        copies.to_vec()
    };
    assert_eq!(run(copies("one")), Ok(4));
    // The same files again add nothing.
    assert_eq!(run([copies("one"), copies("one")].concat()), Ok(4));
    let expected = "the artifact has more than 5 files and directories: copy fewer files";
    for more in [copies("two"), vec![extract("x.tgz")]] {
        let error = run([copies("one"), more].concat()).unwrap_err();
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn copies_count_replaced_files() {
    let limits = StagingLimits {
        content_bytes: 1000,
        ..StagingLimits::default()
    };
    let run = |times: usize| {
        let copies = vec![copy("@a/x", "@artifact/x"); times];
        let trees = source_of(&[("x", &[1; 400])]);
        let built = build_within(limits, &copies, &trees, &budget());
        built.map_err(|error| chain(&error))
    };
    assert_eq!(run(2).unwrap().content_bytes(), 400);
    let error = run(3).unwrap_err();
    assert!(
        error.ends_with("more than 1000 bytes of files: copy fewer files"),
        "{error}"
    );
}

#[test]
fn large_files_are_not_merged() {
    let large = vec![b'#'; (16 << 20) + 1];
    let trees = source_of(&[("base.yaml", b"a: 1"), ("large.yaml", &large)]);
    let merge = CopyOperation {
        strategy: Some(CopyStrategy::Merge),
        ..copy("@a/large.yaml", "@artifact/x.yaml")
    };
    let error = built(&[copy("@a/base.yaml", "@artifact/x.yaml"), merge], &trees).unwrap_err();
    let expected = "'large.yaml' is larger than 16777216 bytes, and cannot be merged";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn extraction_is_charged_before_it_is_read() {
    let bomb = raw_archive(&[(b'0', b"x", &vec![0; 8 << 20])]);
    assert!(bomb.len() < 20_000);
    let trees = source_of(&[("bomb.tgz", &bomb)]);
    let limited = |steps| build(&[extract("bomb.tgz")], &trees, &Budget::new(steps, 0));
    let error = limited(1_000_000).unwrap_err();
    assert!(
        chain(&error).contains("more than 1000000 steps"),
        "{error:?}"
    );
    assert!(limited(1_200_000).is_ok());
    // Each archive reads the clock, however small it is.
    let late = Budget::until(u64::MAX, 0, std::time::Instant::now());
    let error = build(&[extract("bomb.tgz")], &trees, &late).unwrap_err();
    assert!(chain(&error).contains("the time limit"), "{error:?}");
}
