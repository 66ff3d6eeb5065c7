//! Circles of modules: siblings of one crate that refer to each other, directly or through others.
//!
//! A child that uses its parent, or a parent that uses its child, is not a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use anyhow::Result;
use sluice_system::fs;

use crate::source::{self, Source};

/// The path of a module from the root of its crate; empty for the root.
type Module = Vec<String>;

/// References of one file to modules.
#[derive(Debug, Default)]
struct File {
    /// Paths that the code uses, from the root of the crate.
    paths: BTreeSet<Module>,
    /// Names that the file imports, and the paths they stand for.
    imports: BTreeMap<String, Module>,
    /// Modules that exist for tests only.
    test_modules: BTreeSet<String>,
}

/// Returns the circles of a crate's sources, each as `parent: child child …`.
pub(super) fn circles(sources: &Path) -> Result<Vec<String>> {
    let mut files = BTreeMap::new();
    for path in source::files(sources, &["rs"])? {
        let relative = path.strip_prefix(sources).unwrap_or(&path);
        if source::is_test_file(relative) {
            continue;
        }
        let module = module_of(relative);
        let file = read(&Source::read(&fs::read_to_string(&path)?), &module);
        files.insert(module, file);
    }
    Ok(find(&files))
}

/// Compares the circles of the tree with the list of open ones.
pub(super) fn compare(circles: &[String], open: &str) -> Vec<String> {
    let open: BTreeSet<&str> = open.lines().filter(|line| !line.is_empty()).collect();
    let found: BTreeSet<&str> = circles.iter().map(String::as_str).collect();
    let grown = found.difference(&open).map(|circle| {
        format!(
            "circle of modules that {} does not list: {circle}",
            super::OPEN_CIRCLES
        )
    });
    let gone = open.difference(&found).map(|circle| {
        format!(
            "{} lists a circle that is gone: {circle}",
            super::OPEN_CIRCLES
        )
    });
    grown.chain(gone).collect()
}

fn module_of(relative: &Path) -> Module {
    let mut module: Module = relative
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if matches!(module.as_slice(), [only] if only == "lib" || only == "main") {
        module.clear();
    }
    module
}

fn read(source: &Source, module: &Module) -> File {
    let mut file = File::default();
    let tests = source.test_lines();
    let mut code = String::new();
    for (line, is_test) in source.code.iter().zip(tests) {
        if !is_test {
            code.push_str(line);
            code.push('\n');
            continue;
        }
        let declared = line.trim().trim_end_matches(';').rsplit_once("mod ");
        if let Some((_, name)) = declared {
            file.test_modules
                .insert(name.trim_end_matches([' ', '{']).to_owned());
        }
    }
    let tokens = tokens(&code);
    let mut index = 0;
    while index < tokens.len() {
        let is_import = tokens[index] == "use";
        let start = if is_import { index + 1 } else { index };
        let is_path = tokens
            .get(start)
            .is_some_and(|token| is_import || is_root(token))
            && (is_import || tokens.get(start + 1).is_some_and(|token| token == "::"))
            && (start == 0 || tokens[start - 1] != "::");
        if !is_path {
            index += 1;
            continue;
        }
        let mut leaves = Vec::new();
        index = leaves_of(&tokens, start, &[], &mut leaves, 0).max(index + 1);
        for (path, name) in leaves {
            let Some(path) = absolute(&path, module) else {
                continue;
            };
            if is_import {
                file.imports.insert(name, path.clone());
            }
            file.paths.insert(path);
        }
    }
    file
}

fn is_root(token: &str) -> bool {
    matches!(token, "crate" | "super" | "self")
}

/// Splits code into words, `::` and single characters.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|character: char| !character.is_alphanumeric() && character != '_')
                .unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Collects the full paths of a path or a `use` tree, with the name that each is known by.
fn leaves_of(
    tokens: &[String],
    mut index: usize,
    prefix: &[String],
    leaves: &mut Vec<(Module, String)>,
    depth: usize,
) -> usize {
    const MAX_DEPTH: usize = 32;
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(index) {
        if token == "{" && depth < MAX_DEPTH {
            index += 1;
            while tokens.get(index).is_some_and(|token| token != "}") {
                let next = leaves_of(tokens, index, &path, leaves, depth + 1);
                index = next.max(index + 1);
                if tokens.get(index).is_some_and(|token| token == ",") {
                    index += 1;
                }
            }
            return index + 1;
        }
        let is_word = token
            .chars()
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_');
        if !is_word && token != "*" {
            break;
        }
        if token != "self" || path.is_empty() {
            path.push(token.clone());
        }
        index += 1;
        if tokens.get(index).is_some_and(|token| token == "::") {
            index += 1;
        } else {
            break;
        }
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if let (Some("as"), Some(alias)) =
        (tokens.get(index).map(String::as_str), tokens.get(index + 1))
    {
        name.clone_from(alias);
        index += 2;
    }
    leaves.push((path, name));
    index
}

/// Makes a path absolute. Returns `None` for a path into another crate or a local name.
fn absolute(path: &[String], module: &Module) -> Option<Module> {
    let (first, mut rest) = path.split_first()?;
    let mut base = match first.as_str() {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => module[..module.len().checked_sub(1)?].to_vec(),
        _ => {
            let mut base = module.clone();
            base.push(first.clone());
            base
        }
    };
    while let Some((first, after)) = rest.split_first()
        && first == "super"
    {
        base.pop()?;
        rest = after;
    }
    base.extend(rest.iter().cloned());
    Some(base)
}

/// Returns the module that a path leads to, through imports of the modules on its way.
fn resolve(path: &[String], files: &BTreeMap<Module, File>, depth: usize) -> Option<Module> {
    const MAX_DEPTH: usize = 8;
    let length = (0..=path.len())
        .rev()
        .find(|length| files.contains_key(&path[..*length]))?;
    let module = path[..length].to_vec();
    let imported = path
        .get(length)
        .and_then(|name| files[&module].imports.get(name))
        .filter(|target| depth < MAX_DEPTH && target.as_slice() != path)
        .filter(|target| target.starts_with(&module));
    match imported {
        Some(target) => resolve(target, files, depth + 1),
        None => Some(module),
    }
}

fn find(files: &BTreeMap<Module, File>) -> Vec<String> {
    let mut edges: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    let is_test = |module: &Module| {
        (0..module.len()).any(|length| {
            files
                .get(&module[..length])
                .is_some_and(|file| file.test_modules.contains(&module[length]))
        })
    };
    for (from, file) in files {
        if is_test(from) {
            continue;
        }
        for path in &file.paths {
            let Some(to) = resolve(path, files, 0).filter(|to| !is_test(to)) else {
                continue;
            };
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if let (Some(user), Some(used)) = (from.get(common), to.get(common)) {
                edges
                    .entry(from[..common].to_vec())
                    .or_default()
                    .entry(user.clone())
                    .or_default()
                    .insert(used.clone());
            }
        }
    }
    let mut circles = Vec::new();
    for (parent, children) in &edges {
        let parent = if parent.is_empty() {
            "crate".to_owned()
        } else {
            parent.join("::")
        };
        for circle in components(children) {
            circles.push(format!("{parent}: {}", circle.join(" ")));
        }
    }
    circles
}

/// Returns the sets of nodes that reach each other, where a set has more than one.
fn components(edges: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reach = |start: &String| {
        let mut seen = BTreeSet::new();
        let mut queue = vec![start.clone()];
        while let Some(node) = queue.pop() {
            for next in edges.get(&node).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    queue.push(next.clone());
                }
            }
        }
        seen
    };
    let reachable: BTreeMap<&String, BTreeSet<String>> =
        edges.keys().map(|node| (node, reach(node))).collect();
    let mut circles = BTreeSet::new();
    for (node, reached) in &reachable {
        let circle: Vec<String> = reached
            .iter()
            .filter(|other| {
                reachable
                    .get(other)
                    .is_some_and(|back| back.contains(*node))
            })
            .cloned()
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles_of(sources: &[(&str, &str)]) -> Vec<String> {
        let files = sources.iter().map(|(path, text)| {
            let module = module_of(Path::new(path));
            let file = read(&Source::read(text), &module);
            (module, file)
        });
        find(&files.collect())
    }

    #[test]
    fn siblings_that_use_each_other_are_a_circle() {
        let sources = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "fn f() { super::c::g() }"),
            ("c.rs", "use crate::{a::{self, A}, d};"),
        ];
        assert_eq!(circles_of(&sources), ["crate: a b c"]);
    }

    #[test]
    fn re_export_leads_to_its_module() {
        let sources = [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::A;"),
        ];
        assert_eq!(circles_of(&sources), ["crate: a b"]);
    }

    #[test]
    fn parent_and_child_are_not_a_circle() {
        let sources = [
            ("lib.rs", "mod a; use a::b::B;"),
            ("a.rs", "mod b; use b::B;"),
            ("a/b.rs", "use super::A; use crate::C;"),
        ];
        assert_eq!(circles_of(&sources), Vec::<String>::new());
    }

    #[test]
    fn children_of_a_module_can_be_a_circle() {
        let sources = [
            ("a.rs", "mod b; mod c;"),
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", "use crate::a::b;"),
        ];
        assert_eq!(circles_of(&sources), ["a: b c"]);
    }

    #[test]
    fn tests_do_not_count() {
        let sources = [
            ("lib.rs", "mod a; mod b;\n#[cfg(test)]\nmod bed;\n"),
            ("a.rs", "#[cfg(test)]\nmod tests {\n use crate::b::B;\n}\n"),
            ("b.rs", "use crate::a::A;"),
            ("bed.rs", "use crate::b;"),
        ];
        assert_eq!(circles_of(&sources), Vec::<String>::new());
    }

    #[test]
    fn list_of_open_circles_may_only_shrink() {
        let faults = compare(&["x: crate: a b".to_owned()], "x: crate: a b c\n");
        assert_eq!(
            faults,
            [
                "circle of modules that xtask/circles.txt does not list: x: crate: a b",
                "xtask/circles.txt lists a circle that is gone: x: crate: a b c",
            ]
        );
    }
}
