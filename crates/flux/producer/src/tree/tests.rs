//! The order, the links and the limits of trees.

use super::*;

enum E<'a> {
    File(&'a str, &'a str),
    Executable(&'a str),
    Directory(&'a str),
    Link(&'a str, &'a str),
    Hard(&'a str, &'a str),
    Device(&'a str),
}

fn layer(entries: &[E<'_>]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut builder = tar::Builder::new(gzip);
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        header.set_size(0);
        let (name, content) = match entry {
            E::File(name, content) => (name, *content),
            E::Executable(name) => {
                header.set_mode(0o755);
                (name, "")
            }
            E::Directory(name) => {
                header.set_entry_type(tar::EntryType::Directory);
                (name, "")
            }
            E::Link(name, target) => {
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_link_name(target).unwrap();
                (name, "")
            }
            E::Hard(name, target) => {
                header.set_entry_type(tar::EntryType::Link);
                header.set_link_name(target).unwrap();
                (name, "")
            }
            E::Device(name) => {
                header.set_entry_type(tar::EntryType::Char);
                (name, "")
            }
        };
        header.set_size(content.len() as u64);
        // The setter of `tar` rejects malicious names.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, content.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn packed(entries: &[E<'_>], spec: Option<&str>) -> Result<Vec<u8>, String> {
    let tree = Tree::read(layer(entries).as_slice(), Limits::unlimited())
        .map_err(|error| error.to_string())?;
    let rules = tree.rules(spec).unwrap();
    Ok(tree.write(Vec::new(), &rules).unwrap())
}

fn names(entries: &[E<'_>], spec: Option<&str>) -> Vec<String> {
    let packed = packed(entries, spec).unwrap();
    tar::Archive::new(packed.as_slice())
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().path().unwrap().display().to_string())
        .collect()
}

#[test]
fn artifact_has_sorted_entries_and_all_directories() {
    let one = [
        E::File("b.yaml", "b"),
        E::File("a/x", "x"),
        E::File("a.yaml", "a"),
    ];
    let other = [
        E::Directory("a/"),
        E::File("a.yaml", "old"),
        E::File("a/x", "x"),
        E::File("b.yaml", "b"),
        E::File("./a.yaml", "a"),
    ];
    assert_eq!(names(&one, None), [".", "a", "a/x", "a.yaml", "b.yaml"]);
    assert_eq!(packed(&one, None), packed(&other, None));
}

#[test]
fn artifact_keeps_only_executable_bit() {
    let packed = packed(&[E::Executable("run"), E::File("text", "")], None).unwrap();
    let modes: Vec<u32> = tar::Archive::new(packed.as_slice())
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().header().mode().unwrap())
        .collect();
    assert_eq!(modes, [0o750, 0o700, 0o600]);
}

#[test]
fn rules_exclude_and_include_files() {
    let entries = [
        E::File("a/.sourceignore", "!keep.txt\n"),
        E::File("a/keep.txt", ""),
        E::File("a/logo.png", ""),
        E::File("b.txt", ""),
        E::File(".sourceignore", "*.txt\n"),
        E::File(".git/.sourceignore", "a/\n"),
    ];
    assert_eq!(
        names(&entries, None),
        [
            ".",
            ".sourceignore",
            "a",
            "a/.sourceignore",
            "a/keep.txt",
            "a/logo.png"
        ]
    );
    assert_eq!(
        names(&entries, Some("a/keep.txt\n")),
        [".", ".sourceignore", "a", "a/.sourceignore", "a/logo.png"]
    );
    assert_eq!(
        names(&[E::File("logo.png", ""), E::File("x", "")], None),
        [".", "x"]
    );
}

#[test]
fn read_some_skips_other_entries() {
    let layer = layer(&[
        E::Directory("a/"),
        E::File("a/x", "x"),
        E::File("b/y", "y"),
        E::File("z", "z"),
    ]);
    let wanted = [vec![b"b".to_vec(), b"y".to_vec()], vec![b"z".to_vec()]];
    let is_wanted = |path: &Vec<Vec<u8>>| wanted.contains(path);
    let tree = Tree::read_some(layer.as_slice(), Limits::unlimited(), is_wanted).unwrap();
    assert!(wanted.iter().all(|path| tree.contains(path)));
    assert!(tree.contains(&[b"b".to_vec()]));
    assert!(!tree.contains(&[b"a".to_vec()]));
    let packed = tree.write(Vec::new(), &Rules::none()).unwrap();
    let mut archive = tar::Archive::new(packed.as_slice());
    let names = archive.entries().unwrap().map(|entry| {
        let entry = entry.unwrap();
        entry.path().unwrap().display().to_string()
    });
    assert_eq!(names.collect::<Vec<_>>(), [".", "b", "b/y", "z"]);
}

/// Class S9 of the specification.
#[test]
fn links_are_left_out_and_unsafe_entries_fail() {
    let linked = [E::Link("etc", "/etc"), E::File("x", "")];
    assert_eq!(names(&linked, None), [".", "x"]);
    for (hostile, expected) in [
        (E::File("../x", ""), "invalid name"),
        (E::File("/etc/passwd", ""), "invalid name"),
        (E::File("a/../../x", ""), "invalid name"),
        (E::File("a\\b", ""), "invalid name"),
        (E::Hard("x", "/etc/passwd"), "unsupported file type"),
        (E::Device("null"), "unsupported file type"),
    ] {
        let error = packed(&[hostile], None).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    // An entry below a link is a plain path, since links are never created.
    let through = [E::Link("d", "/tmp"), E::File("d/x", "")];
    assert_eq!(names(&through, None), [".", "d", "d/x"]);
    let clash = [E::File("a", ""), E::File("a/b", "")];
    assert!(
        packed(&clash, None)
            .unwrap_err()
            .contains("file and a directory")
    );
}

#[test]
fn invalid_or_truncated_gzip_fails() {
    let whole = layer(&[E::File("x", "content")]);
    for bytes in [&b"plain text"[..], &whole[..whole.len() / 2], &[]] {
        assert!(
            Tree::read(bytes, Limits::unlimited()).is_err(),
            "{}",
            bytes.len()
        );
    }
}

#[test]
fn content_limit_stops_archive_bomb() {
    let bomb = layer(&[E::File("x", &"0".repeat(1 << 20))]);
    let limits = Limits {
        total: Some(1 << 10),
        ..Limits::default()
    };
    let error = Tree::read(bomb.as_slice(), limits).unwrap_err().to_string();
    assert!(
        error.contains("bigger than max archive size of 1024"),
        "{error}"
    );
}

#[test]
fn copies_share_content_and_are_walked_in_order() {
    let layer = layer(&[
        E::File("a/x", "x"),
        E::File("a.yaml", "other"),
        E::Executable("b/run"),
    ]);
    let source = Arc::new(Tree::read(layer.as_slice(), Limits::unlimited()).unwrap());
    let mut tree = Tree::default();
    tree.make_directory(b"to/b").unwrap();
    tree.copy(&source, b"a/x", b"to/x").unwrap();
    tree.copy(&source, b"b/run", b"to/b/run").unwrap();
    tree.copy(&source, b"missing", b"to/missing").unwrap();
    tree.write_file(b"to/own", b"own").unwrap();
    tree.write_file(b"to/b/run", b"new").unwrap();
    let tree = Arc::new(tree);
    let mut again = Tree::default();
    again.copy(&tree, b"to/x", b"x").unwrap();
    again.copy(&tree, b"to/own", b"own").unwrap();
    let read = |tree: &Tree, path: &[&str]| {
        let path: Vec<Vec<u8>> = path.iter().map(|part| part.as_bytes().to_vec()).collect();
        String::from_utf8(tree.file(&path).unwrap().unwrap()).unwrap()
    };
    assert_eq!(read(&again, &["x"]), "x");
    assert!(again.content(b"x").is_some() && tree.content(b"to").is_none());
    assert_eq!(read(&again, &["own"]), "own");
    assert_eq!(again.content_bytes(), 4);
    let walked: Vec<_> = tree
        .walk(b"to")
        .map(|(path, entry)| (String::from_utf8(path).unwrap(), entry))
        .collect();
    let file = |executable, size| Entry::File { size, executable };
    assert_eq!(
        walked,
        [
            ("to/b".to_owned(), Entry::Directory),
            ("to/b/run".to_owned(), file(true, 3)),
            ("to/own".to_owned(), file(false, 3)),
            ("to/x".to_owned(), file(false, 1)),
        ]
    );
    assert_eq!(tree.walk(b"").count(), tree.len());
    assert_eq!(
        tree.children(b"to"),
        [b"b".to_vec(), b"own".to_vec(), b"x".to_vec()]
    );
    assert_eq!(
        source.children(b""),
        [b"a".to_vec(), b"a.yaml".to_vec(), b"b".to_vec()]
    );
    assert_eq!(source.children(b"a.yaml"), Vec::<Vec<u8>>::new());
    assert_eq!(source.entry(b"a"), Some(Entry::Directory));
    assert_eq!(
        (source.entry(b""), source.entry(b"c")),
        (Some(Entry::Directory), None)
    );
}

#[test]
fn written_file_replaces_content_and_mode() {
    let mut tree = Tree::default();
    tree.write_from(b"run", b"one".as_slice(), true).unwrap();
    tree.write_from(b"run", b"three".as_slice(), false).unwrap();
    let expected = Entry::File {
        size: 5,
        executable: false,
    };
    assert_eq!(tree.entry(b"run"), Some(expected));
    let found = tree.file(&[b"run".to_vec()]).unwrap();
    assert_eq!(found.as_deref(), Some(b"three".as_slice()));
}
