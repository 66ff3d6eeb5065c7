//! `cargo xtask order`: which functions of the program lie beside each other.
//!
//! valgrind tells which instructions ran as the program started, built overlays, and was both
//! controllers from a commit to what it applies, and for pairs of a source and a Kustomization that
//! are made, upgraded and deleted; the linker's map tells in which section each of
//! them lies. The sections go into `src/start.ld`, which `build.rs` gives to the linker, those of
//! commands before what controllers run besides: by the crate in which they were compiled, and
//! without the part of a name that changes with the version, unless most of what is called alike
//! does not run. Of a generic function few of a hundred may: these are listed with their hashes,
//! which depend on types, versions and the compiler. Constants of these functions lie together
//! likewise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

use crate::bench::kustomize::inputs::{self, Shape};
use crate::binary::Build;

const FILE: &str = "src/start.ld";
/// Before what is special to a function in the name of a section.
const CODE: &str = ".text.";
const CONSTANTS: &str = ".rodata.";
/// The hash at the end of a symbol: its length, a letter, and sixteen digits.
const HASH: &str = "17h";

/// What another processor than valgrind's runs, and what is in no crate.
const OTHERS: &str = "    *(.text.main)
    *libc.a:*(.text.avx .text.avx512 .text.evex .text.evex512)
    *[.:]sha2-*(.text._ZN4sha26sha256*)
";
/// Crates whose unnamed constants are read by these runs, and are few.
const READ: [&str; 11] = [
    "alloc",
    "clap_builder",
    "core",
    "regex_automata",
    "sluice",
    "sluice_golang",
    "sluice_kustomize",
    "sluice_object",
    "sluice_system",
    "sluice_yaml",
    "std",
];

const KUSTOMIZATION: &str = "apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: default}
spec: {interval: 1m, path: ./, prune: true, sourceRef: {kind: GitRepository, name: apps}}
";

/// Write which functions of the program lie beside each other
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Program with its symbols, static, and built with `SLUICE_UNORDERED` set (default: a release
    /// build of this tree)
    #[arg(long, requires = "map")]
    binary: Option<PathBuf>,
    /// The map that the linker wrote of it
    #[arg(long, requires = "binary")]
    map: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let place = tempfile::tempdir()?;
    let place = place.path();
    let (binary, map) = match (&args.binary, &args.map) {
        (Some(binary), Some(map)) => (fs::canonicalize(binary)?, map.clone()),
        _ => {
            let map = place.join("map");
            let told = format!("link-arg=-Wl,-Map={}", map.display());
            let more = ["-C", "strip=none", "-C", &told];
            let mut build = Build::of_this_checkout()?;
            build.environment.push(("SLUICE_UNORDERED", "1"));
            (build.run_with(&more)?, map)
        }
    };
    let map = fs::read_to_string(&map).with_context(|| format!("read {}", map.display()))?;
    ensure!(
        !map.contains(" .text.start\n"),
        "the program was built with {FILE}: valgrind does not tell which of that runs"
    );
    let constants = constants(&map);
    let sections = sections(&map);
    let start = ran(&binary, &["version", "--client"], place)?;
    let mut builds = BTreeSet::new();
    for shape in [Shape::Small, Shape::Deep, Shape::Shared] {
        let root = place.join(format!("{shape:?}"));
        for folder in inputs::write(&root, shape)? {
            // From where it is run, as people name it.
            let folder = folder.strip_prefix(place)?.display().to_string();
            builds.extend(ran(&binary, &["build", "overlay", &folder], place)?);
        }
    }
    builds.extend(ran_kustomization(&binary, place)?);
    let mut controllers = ran(&binary, &["dev", "--once"], place)?;
    controllers.extend(ran_pairs(&binary, place)?);
    let [start, builds, controllers] =
        [start, builds, controllers].map(|ran| grouped(&sections, &ran));
    let builds = without(builds, &[&start]);
    let controllers = without(controllers, &[&start, &builds]);
    let commands = [builds, start];
    let text = script(&commands, &controllers, &constants);
    fs::write(crate::repository().join(FILE), text).with_context(|| format!("write {FILE}"))?;
    let count = |groups: &Groups| groups.values().map(BTreeSet::len).sum::<usize>();
    println!(
        "{FILE}: {} sections of commands, {} more of controllers",
        commands.iter().map(count).sum::<usize>(),
        count(&controllers)
    );
    Ok(())
}

fn ran_kustomization(binary: &Path, place: &Path) -> anyhow::Result<BTreeSet<u64>> {
    let file = place.join("kustomization.yaml");
    fs::write(&file, KUSTOMIZATION).context("write a Kustomization")?;
    let path = place.join(format!("{:?}", Shape::Small));
    let (file, path) = (file.display().to_string(), path.display().to_string());
    let words = ["build", "kustomization", "apps", "--dry-run", "--path"];
    let words = [
        &words[..],
        &[&path, "--kustomization-file", &file, "-n=default"],
    ];
    ran(binary, &words.concat(), place)
}

/// How valgrind tells which instructions run.
const TRACED: [&str; 4] = [
    "--quiet",
    "--tool=callgrind",
    "--dump-instr=yes",
    "--compress-pos=no",
];

/// The addresses of the instructions that run for these arguments.
fn ran(binary: &Path, arguments: &[&str], place: &Path) -> anyhow::Result<BTreeSet<u64>> {
    let profile = place.join("profile");
    let status = Command::new("valgrind")
        .args(TRACED)
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(binary)
        .args(arguments)
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .context("start valgrind, which is to be installed")?;
    ensure!(status.success(), "{arguments:?} ended with {status}");
    let profile = fs::read_to_string(&profile).context("read what valgrind wrote")?;
    Ok(addresses(&profile))
}

/// The same for controllers that install, upgrade and delete pairs of a source and a Kustomization,
/// as an account: `cargo xtask bench mttp`, with a program that starts the real one in valgrind.
fn ran_pairs(binary: &Path, place: &Path) -> anyhow::Result<BTreeSet<u64>> {
    let profiles = place.join("profiles");
    fs::create_dir(&profiles).context("make a folder for profiles")?;
    let traced = place.join("traced");
    // They are killed in the end: what ran is written down every now and then.
    let script = format!(
        "#!/bin/sh\nexec valgrind {} --dump-every-bb=5000000 '--callgrind-out-file={}/%p' '{}' \"$@\"\n",
        TRACED.join(" "),
        profiles.display(),
        binary.display()
    );
    fs::write(&traced, script).context("write a script")?;
    fs::set_permissions(&traced, fs::Permissions::from_mode(0o755))?;
    let status = Command::new(std::env::current_exe()?)
        .args([
            "bench",
            "--quick",
            "mttp",
            "--objects=20",
            "--source=oci-pairs",
            "--apart",
        ])
        .arg("--binary")
        .arg(&traced)
        .env_remove("REFERENCE_BIN_DIR")
        .stdout(Stdio::null())
        .status()
        .context("start a benchmark")?;
    ensure!(status.success(), "the benchmark ended with {status}");
    let mut ran = BTreeSet::new();
    for profile in fs::read_dir(&profiles)? {
        ran.extend(addresses(&fs::read_to_string(profile?.path())?));
    }
    ensure!(!ran.is_empty(), "valgrind wrote nothing of the controllers");
    Ok(ran)
}

fn addresses(profile: &str) -> BTreeSet<u64> {
    let lines = profile.lines();
    let positions = lines.filter_map(|line| line.strip_prefix("0x")?.split(' ').next());
    positions
        .filter_map(|digits| u64::from_str_radix(digits, 16).ok())
        .collect()
}

/// A piece of the program as the linker took it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Section<'m> {
    size: u64,
    file: &'m str,
    name: &'m str,
}

/// The pieces of code in the map of lld, by their addresses.
fn sections(map: &str) -> BTreeMap<u64, Section<'_>> {
    let all = map.lines().filter_map(section);
    all.filter(|(_, section)| section.name == ".text" || section.name.starts_with(CODE))
        .collect()
}

/// All constants that belong to a function, by both ways to list them.
fn constants(map: &str) -> BTreeSet<String> {
    let all = map.lines().filter_map(section);
    all.filter(|(_, section)| section.name.starts_with(CONSTANTS))
        .flat_map(|(_, section)| [pattern(&section), exact(&section)])
        .collect()
}

fn section(line: &str) -> Option<(u64, Section<'_>)> {
    let mut words = line.split_whitespace();
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    let size = u64::from_str_radix(words.nth(1)?, 16).ok()?;
    let (file, name) = line.strip_suffix(')')?.rsplit_once(":(")?;
    let file = file.rsplit('/').next()?;
    (size > 0).then_some((address, Section { size, file, name }))
}

/// Bytes of functions that do not run and are called alike, beyond which those that do are listed
/// one by one.
const SPARED: u64 = 512;

/// Patterns of sections, by that of the files that they are in.
type Groups = BTreeMap<String, BTreeSet<String>>;

fn grouped(sections: &BTreeMap<u64, Section<'_>>, ran: &BTreeSet<u64>) -> Groups {
    let mut running = BTreeMap::new();
    for address in ran {
        if let Some((start, section)) = sections.range(..=address).next_back()
            && *address < start + section.size
        {
            running.insert(start, section);
        }
    }
    let mut idle: BTreeMap<(Option<String>, String), u64> = BTreeMap::new();
    for (start, section) in sections {
        if !running.contains_key(start) {
            *idle.entry((files(section), pattern(section))).or_default() += section.size;
        }
    }
    let mut groups = Groups::new();
    for section in running.values() {
        let alike = (files(section), pattern(section));
        let is_idle = idle.get(&alike).is_some_and(|size| *size > SPARED);
        if let (Some(files), pattern) = alike {
            let name = if is_idle { exact(section) } else { pattern };
            groups.entry(files).or_default().insert(name);
        }
    }
    groups
}

/// What others do not name already.
fn without(mut groups: Groups, others: &[&Groups]) -> Groups {
    for (files, names) in &mut groups {
        let elsewhere: Vec<_> = others.iter().filter_map(|other| other.get(files)).collect();
        names.retain(|name| !elsewhere.iter().any(|names| names.contains(name)));
    }
    groups
}

/// Which files to look for such a section in: those of its crate or, for what is called alike
/// everywhere, that of an archive. None for the few that are neither.
fn files(section: &Section<'_>) -> Option<String> {
    if let Some(name) = crate_of(section.file) {
        return Some(format!("*[.:]{name}-*"));
    }
    if section.name.starts_with(CODE) && section.name.contains('_') {
        return Some("*".to_owned());
    }
    let (archive, member) = section.file.strip_suffix(')')?.split_once('(')?;
    archive
        .strip_suffix(".a")
        .map(|_| format!("*{archive}:{member}"))
}

/// The crate of an object file: `program-HASH.CRATE-HASH.….o`.
fn crate_of(file: &str) -> Option<&str> {
    file.split('.').skip(1).find_map(|part| {
        let (name, hash) = part.rsplit_once('-')?;
        let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then_some(name)
    })
}

/// Longer names end in an asterisk: those of nested types go on for thousands of letters.
const LONGEST: usize = 200;

/// The name of a section without what changes from version to version.
fn pattern(section: &Section<'_>) -> String {
    let name = section.name;
    // That of a function and those of its constants end alike.
    let before = if name.starts_with(CONSTANTS) {
        CONSTANTS
    } else {
        CODE
    };
    if let Some(beginning) = name.get(..before.len() + LONGEST) {
        return format!("{beginning}*");
    }
    let name = name.split_once(".llvm.").map_or(name, |(name, _)| name);
    match name.rsplit_once(HASH) {
        Some((name, hash)) if hash.len() == 17 => format!("{name}{HASH}*"),
        _ => exact(section),
    }
}

/// The name of a section without what changes with any edit of its crate.
fn exact(section: &Section<'_>) -> String {
    let name = section.name.split_once(".llvm.");
    name.map_or_else(
        || section.name.to_owned(),
        |(name, _)| format!("{name}.llvm.*"),
    )
}

/// The list in the language of linkers: what commands run, what valgrind cannot tell of, and what
/// controllers run. Names are in the order of the alphabet, so that it only changes with what runs.
fn script(commands: &[Groups], controllers: &Groups, constants: &BTreeSet<String>) -> String {
    let mut script = String::from(
        "/* What a start, a build and controllers run, and read. Written by `cargo xtask order`. */\n\nSECTIONS {\n  .text.start : {\n",
    );
    for groups in commands {
        write_groups(&mut script, groups);
    }
    script.push_str(OTHERS);
    write_groups(&mut script, controllers);
    script.push_str("  }\n}\nINSERT AFTER .text;\n\nSECTIONS {\n  .rodata.start : {\n");
    for groups in commands {
        write_groups(&mut script, &constants_of(groups, constants));
    }
    for name in READ {
        let names = [".L*", "anon.*"].map(|name| format!("{CONSTANTS}{name}"));
        write_group(&mut script, &format!("*[.:]{name}-*"), &names.into());
    }
    script.push_str("    *libc.a:C-ctype.o(.rodata)\n");
    write_groups(&mut script, &constants_of(controllers, constants));
    script.push_str("  }\n}\nINSERT BEFORE .rodata;\n");
    script
}

/// The constants of functions, where they are apart.
fn constants_of(groups: &Groups, constants: &BTreeSet<String>) -> Groups {
    let of_crates = groups.iter().filter(|(files, _)| files.starts_with("*["));
    let of_functions = of_crates.map(|(files, names)| {
        let names = names.iter().filter_map(|name| {
            let name = name.strip_prefix(CODE)?;
            let name = name.strip_prefix("unlikely.").unwrap_or(name);
            Some(format!("{CONSTANTS}{name}")).filter(|name| constants.contains(name))
        });
        (files.clone(), names.collect())
    });
    of_functions.collect()
}

fn write_groups(script: &mut String, groups: &Groups) {
    for (files, names) in groups {
        write_group(script, files, names);
    }
}

fn write_group(script: &mut String, files: &str, names: &BTreeSet<String>) {
    if names.is_empty() {
        return;
    }
    writeln!(script, "    {files}(").expect("a String accepts all writes");
    for name in names {
        writeln!(script, "      {name}").expect("a String accepts all writes");
    }
    script.push_str("    )\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "             VMA              LMA     Size Align Out     In      Symbol
            1000             1000      100    16 .text
            1000             1000       40    16         /t/deps/sluice-d62410d3af76d054.sluice_yaml-451bc8ec467b3c21.x.rcgu.o:(.text._ZN11sluice_yaml4read17h4ca40d1938d0be74E.llvm.12)
            1000             1000       40     1                 sluice_yaml::read
            1040             1040       10    16         /usr/lib/libc.a(memcpy.o):(.text)
            1050             1050       10    16         /t/libjem-1066668e3becaa67.rlib(a.o):(.text.je_free)
            1060             1060       10    16         /t/crt1.o:(.text)
            2000             2000       10     4         /t/a.o:(.rodata.a)
";

    #[test]
    fn what_ran_is_listed_by_crates_and_archives_without_hashes() {
        let sections = sections(MAP);
        assert_eq!(sections.len(), 4);
        let ran = addresses("fn=(1) a\n0x1004 0 1\n0x1040 0 2\n0x1055 3 1\n0x1060 0 1\n0x9000 0 1");
        let groups = grouped(&sections, &ran);
        let groups: Vec<(&str, Vec<&str>)> = groups
            .iter()
            .map(|(files, names)| (&**files, names.iter().map(|name| &**name).collect()))
            .collect();
        let expected = [
            ("*", vec![".text.je_free"]),
            (
                "*[.:]sluice_yaml-*",
                vec![".text._ZN11sluice_yaml4read17h*"],
            ),
            ("*libc.a:memcpy.o", vec![".text"]),
        ];
        assert_eq!(groups, expected);
    }

    #[test]
    fn what_runs_is_listed_by_itself_where_most_that_is_called_alike_does_not() {
        let of = |start: u64, hash: char, size: u64| {
            let hash = hash.to_string().repeat(16);
            let name = format!(".text._ZN1a3mapI17h{hash}E.llvm.7").leak();
            let file = "sluice-d62410d3af76d054.a-451bc8ec467b3c21.x.rcgu.o";
            (start, Section { size, file, name })
        };
        let ran = BTreeSet::from([0x1000]);
        let few = BTreeMap::from([of(0x1000, 'a', 64), of(0x2000, 'b', SPARED)]);
        let many = BTreeMap::from([of(0x1000, 'a', 64), of(0x2000, 'b', SPARED + 1)]);
        let listed = |sections| {
            let groups: Vec<_> = grouped(sections, &ran).into_values().flatten().collect();
            groups.concat()
        };
        assert_eq!(listed(&few), ".text._ZN1a3mapI17h*");
        let alone = format!(".text._ZN1a3mapI17h{}E.llvm.*", "a".repeat(16));
        assert_eq!(listed(&many), alone);
    }

    #[test]
    fn a_name_that_has_no_hash_of_ours_stays() {
        let named = |name: &'static str| {
            pattern(&Section {
                size: 1,
                file: "",
                name,
            })
        };
        assert_eq!(
            named(".text._RNvNtCs1_5alloc3fmt"),
            ".text._RNvNtCs1_5alloc3fmt"
        );
        assert_eq!(named(".text._RNv5alloc.llvm.77"), ".text._RNv5alloc.llvm.*");
        assert_eq!(named(".text.unlikely"), ".text.unlikely");
        for before in [CODE, CONSTANTS] {
            let long = format!("{before}{}", "a".repeat(LONGEST + 1)).leak();
            let cut = format!("{before}{}*", "a".repeat(LONGEST));
            assert_eq!(named(long), cut);
        }
    }

    #[test]
    fn what_controllers_run_comes_after_what_commands_run() {
        let of = |name: &str| Groups::from([("*".to_owned(), [name.to_owned()].into())]);
        let controllers = without(of(".text.both"), &[&of(".text.both")]);
        assert!(controllers.values().all(BTreeSet::is_empty));
        let text = script(&[of(".text.both")], &of(".text.apply"), &BTreeSet::new());
        let at = |name: &str| text.find(name).expect("it is listed");
        assert!(at(".text.both") < at("sha2") && at("sha2") < at(".text.apply"));
    }

    #[test]
    fn constants_of_what_ran_lie_together_too() {
        let names = [".text.unlikely._ZN1a1b17h*", ".text._ZN1a1d17h*"];
        let names = names.map(str::to_owned).into();
        let constants = [
            ".rodata._ZN1a1b17h*".to_owned(),
            ".rodata._ZN1c17h*".to_owned(),
        ];
        let groups = Groups::from([("*[.:]a-*".to_owned(), names)]);
        let script = script(&[groups], &Groups::new(), &constants.into());
        assert!(
            script.contains("    *[.:]a-*(\n      .rodata._ZN1a1b17h*\n    )\n"),
            "{script}"
        );
        assert!(
            script.contains("    *[.:]core-*(\n      .rodata..L*\n      .rodata.anon.*\n    )\n"),
            "{script}"
        );
    }
}
