//! Fetches submodules: parses `.gitmodules`, checks it, and resolves the URLs.
//!
//! The file is untrusted. Names and URLs are never used as paths or command lines here. Unsafe ones
//! are rejected nevertheless, because a user of the artifact could pass them to git. Credentials of
//! the parent are only sent to the parent's host.
//!
//! Only [`Submodules::fetch`] does I/O.

use std::collections::BTreeMap;

use crate::address::{Address, AddressParts};
use crate::client::Client;
use crate::commit::Commit;
use crate::error::{Error, Result, is_hidden, printable};
use crate::reference::Reference;
use crate::remote::{Access, Remote};
use crate::store::{Store, Stores, Submodule, Submodules};
use crate::walk::{Entry, Kind, Step, VisitError};

/// Maximum nesting. Like in go-git, deeper submodules stay empty directories.
const MAX_DEPTH: usize = 10;
/// Maximum number of submodules of a commit, including nested ones.
const MAX_MODULES: usize = 1000;
/// Maximum size of a `.gitmodules` file.
const MAX_FILE: u64 = 1 << 20;
const FILE: &str = ".gitmodules";

impl Submodules {
    /// Fetches the submodules of a commit, including nested ones.
    pub async fn fetch(
        client: &Client,
        stores: &Stores,
        remote: &Remote,
        store: &Store,
        commit: &Commit,
    ) -> Result<Self> {
        let mut found = Self::default();
        // The repositories whose submodules are not fetched yet.
        let mut pending = vec![Parent {
            remote: remote.clone(),
            store: store.clone(),
            commit: commit.clone(),
            path: Vec::new(),
            names: Vec::new(),
        }];
        while let Some(parent) = pending.pop() {
            if parent.names.len() >= MAX_DEPTH {
                continue;
            }
            let tree = parent
                .store
                .walk(&parent.commit, LinkVisitor::default())
                .await?;
            if tree.links.is_empty() {
                continue;
            }
            let declared = parse(&tree.file).map_err(|reason| invalid(&parent.path, &reason))?;
            for module in declared {
                // A section without an entry in the tree is a removed submodule.
                let Some(id) = tree.links.get(module.path.as_bytes()) else {
                    continue;
                };
                let path_in_root = parent.full_path(&module.path);
                let in_module = |error| module_error(&module.name, &path_in_root, error);
                module
                    .check()
                    .map_err(|reason| invalid(&path_in_root, reason))?;
                let remote = parent.remote_of(&module).map_err(in_module)?;
                let reference = Reference::Commit {
                    id: *id,
                    branch: None,
                    name: None,
                };
                let resolved = client
                    .resolve(&remote, &reference)
                    .await
                    .map_err(in_module)?;
                let store = stores.of(&remote);
                let fetched = store
                    .fetch(client, &remote, &resolved)
                    .await
                    .map_err(in_module)?;
                let names: Vec<String> = parent
                    .names
                    .iter()
                    .cloned()
                    .chain([module.name.clone()])
                    .collect();
                if found.modules.len() >= MAX_MODULES {
                    return Err(Error::Limit {
                        what: "the number of submodules".to_owned(),
                        limit: MAX_MODULES as u64,
                    });
                }
                pending.push(Parent {
                    remote,
                    store: store.clone(),
                    commit: fetched.commit.clone(),
                    path: path_in_root.clone(),
                    names: names.clone(),
                });
                found.modules.insert(
                    path_in_root,
                    Submodule {
                        store,
                        commit: fetched.commit,
                        names,
                    },
                );
            }
        }
        Ok(found)
    }
}

/// A repository that may have submodules.
struct Parent {
    remote: Remote,
    store: Store,
    commit: Commit,
    /// The path from the root of the outermost repository, or empty.
    path: Vec<u8>,
    names: Vec<String>,
}

impl Parent {
    /// The path of a submodule in the outermost repository.
    fn full_path(&self, path: &str) -> Vec<u8> {
        if self.path.is_empty() {
            return path.as_bytes().to_vec();
        }
        [&*self.path, b"/", path.as_bytes()].concat()
    }

    /// The remote of a submodule.
    fn remote_of(&self, module: &ModuleSection) -> Result<Remote> {
        let parent = &self.remote;
        let address = parent.address.submodule(&module.url)?;
        if address.same_host(&parent.address) {
            // Credentials in the parent's URL are for its host, too.
            let access = match parent.http_credentials() {
                Some(credentials) => Access::Http(credentials),
                None => parent.access.clone(),
            };
            return Ok(Remote {
                address,
                access,
                ..parent.clone()
            });
        }
        // Another host gets neither credentials nor trust settings, but the same proxy.
        let remote = Remote {
            address,
            access: Access::Anonymous,
            identity: None,
            dial: sluice_dial::Dial {
                proxy: parent.dial.proxy.clone(),
                ..Default::default()
            },
            timeout: parent.timeout,
        };
        if remote.address.is_ssh() {
            return Err(Error::InvalidCredentials {
                remote: remote.address.to_string(),
                reason: format!(
                    "it is on another host than {}, whose credentials are not sent there, and \
                     SSH needs some",
                    parent.address
                ),
            });
        }
        Ok(remote)
    }
}

fn invalid(path: &[u8], reason: &str) -> Error {
    Error::Submodules {
        path: printable(path),
        reason: reason.to_owned(),
    }
}

/// Adds the submodule to an error.
fn module_error(name: &str, path: &[u8], source: Error) -> Error {
    Error::Submodule {
        name: printable(name.as_bytes()),
        path: printable(path),
        source: Box::new(source),
    }
}

/// Collects the submodule entries and `.gitmodules` of a tree.
#[derive(Default)]
struct LinkVisitor {
    file: Vec<u8>,
    links: BTreeMap<Vec<u8>, crate::id::ObjectId>,
}

impl crate::walk::Visitor for LinkVisitor {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        use std::os::unix::ffi::OsStrExt as _;
        let path = entry.path().as_os_str().as_bytes();
        match entry.kind() {
            Kind::Submodule => {
                self.links.insert(path.to_vec(), entry.id());
            }
            Kind::File { .. } if path == FILE.as_bytes() => self.file = entry.read(MAX_FILE)?,
            _ => {}
        }
        Ok(Step::Next)
    }
}

/// A section of `.gitmodules`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct ModuleSection {
    name: String,
    path: String,
    url: String,
}

impl ModuleSection {
    fn check(&self) -> Result<(), &'static str> {
        let part_of_git = |part: &str| crate::walk::name::check(part.as_bytes()).is_err();
        if self.name.is_empty() || self.name.split('/').any(part_of_git) {
            return Err("the name of the submodule leads elsewhere");
        }
        if self.path.is_empty() || self.path.split('/').any(part_of_git) {
            return Err("the path of the submodule leads elsewhere");
        }
        if self.url.is_empty() {
            return Err("the submodule has no URL");
        }
        if [&self.name, &self.path, &self.url]
            .iter()
            .any(|text| text.starts_with('-'))
        {
            return Err("name, path and URL of a submodule must not begin with '-'");
        }
        if [&self.name, &self.path, &self.url]
            .iter()
            .any(|text| text.chars().any(is_hidden))
        {
            return Err("the submodule has control characters in its name, path or URL");
        }
        Ok(())
    }
}

/// Parses `.gitmodules` in the format of Git's configuration. The last of equal sections or keys
/// wins.
fn parse(text: &[u8]) -> Result<Vec<ModuleSection>, String> {
    let text = std::str::from_utf8(text).map_err(|_| "'.gitmodules' is not UTF-8")?;
    let mut modules: Vec<ModuleSection> = Vec::new();
    let mut current: Option<usize> = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let wrong = |what: &str| format!("'.gitmodules', line {}: {what}", index + 1);
        let mut line = line.trim_start();
        if let Some(head) = line.strip_prefix('[') {
            let (name, rest) = section(head).map_err(wrong)?;
            current = name.map(|name| {
                modules
                    .iter()
                    .position(|module| module.name == name)
                    .unwrap_or_else(|| {
                        modules.push(ModuleSection {
                            name,
                            ..ModuleSection::default()
                        });
                        modules.len() - 1
                    })
            });
            line = rest.trim_start();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (key, rest) = match line.split_once('=') {
            Some((key, rest)) => (key.trim().to_ascii_lowercase(), rest.to_owned()),
            None => (line.trim().to_ascii_lowercase(), "true".to_owned()),
        };
        let mut raw = rest;
        let value = loop {
            match value(&raw).map_err(wrong)? {
                Value::Complete(value) => break value,
                Value::Continued => {
                    raw.pop();
                    raw.push_str(lines.next().map_or("", |(_, line)| line));
                }
            }
        };
        let Some(module) = current.and_then(|at| modules.get_mut(at)) else {
            continue;
        };
        match key.as_str() {
            // A trailing slash has no meaning.
            "path" => value.trim_end_matches('/').clone_into(&mut module.path),
            "url" => module.url = value,
            _ => {}
        }
    }
    Ok(modules)
}

/// Parses `submodule "name"]`. Returns `None` for other sections.
fn section(head: &str) -> Result<(Option<String>, &str), &'static str> {
    let Some(quote) = head
        .find('"')
        .filter(|at| head.find(']').is_none_or(|end| *at < end))
    else {
        let end = head.find(']').ok_or("a section does not end")?;
        return Ok((None, &head[end + 1..]));
    };
    let kind = head[..quote].trim();
    let mut name = String::new();
    let mut characters = head[quote + 1..].char_indices();
    loop {
        match characters.next().ok_or("a name does not end")? {
            (at, '"') => {
                let rest = head[quote + 1 + at + 1..]
                    .strip_prefix(']')
                    .ok_or("something follows the name of a section")?;
                let ours = kind.eq_ignore_ascii_case("submodule");
                return Ok((ours.then_some(name), rest));
            }
            (_, '\\') => name.push(characters.next().ok_or("a name does not end")?.1),
            (_, character) => name.push(character),
        }
    }
}

enum Value {
    Complete(String),
    /// The line ends in a backslash.
    Continued,
}

/// Parses a value: quotes, escapes, and comments. Trailing white space is removed.
fn value(raw: &str) -> Result<Value, &'static str> {
    let mut value = String::new();
    // The length without trailing white space.
    let mut kept = 0;
    let mut quoted = false;
    let mut characters = raw.trim_start().chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            '\\' => {
                value.push(match characters.next() {
                    None => return Ok(Value::Continued),
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(same @ ('"' | '\\')) => same,
                    Some(_) => return Err("an unknown escape"),
                });
                kept = value.len();
            }
            _ => {
                value.push(character);
                if quoted || !character.is_whitespace() {
                    kept = value.len();
                }
            }
        }
    }
    if quoted {
        return Err("a quote does not end");
    }
    value.truncate(kept);
    Ok(Value::Complete(value))
}

impl Address {
    /// Resolves the URL of a submodule: relative to this address, in the short form
    /// `user@host:path`, or absolute.
    fn submodule(&self, url: &str) -> Result<Self> {
        if url.starts_with("./") || url.starts_with("../") || matches!(url, "." | "..") {
            return self.relative(url);
        }
        let short = url.split_once(':').filter(|(host, path)| {
            !host.contains('/') && !path.starts_with("//") && host.contains('@')
        });
        match short {
            Some((host, path)) => {
                Self::parse(&format!("ssh://{host}/{}", path.trim_start_matches('/')))
            }
            None => Self::parse(url),
        }
    }

    fn relative(&self, url: &str) -> Result<Self> {
        let mut joined_parts = self.parts.clone();
        let path = match &joined_parts {
            AddressParts::Http { base, .. } => base.path().to_owned(),
            AddressParts::Ssh { path, .. } => path.clone(),
        };
        let absolute = path.starts_with('/');
        let mut parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        for part in url.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or_else(|| Error::InvalidUrl {
                        url: printable(url.as_bytes()),
                        reason: format!("it leads out of {self}"),
                    })?;
                }
                part => parts.push(part),
            }
        }
        if parts.is_empty() {
            return Err(Error::InvalidUrl {
                url: printable(url.as_bytes()),
                reason: "it names no repository".to_owned(),
            });
        }
        let joined = format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"));
        match &mut joined_parts {
            AddressParts::Http { base, .. } => base.set_path(&joined),
            AddressParts::Ssh { path, .. } => *path = joined,
        }
        Ok(Self::at(joined_parts))
    }

    /// Whether both have the same scheme, host and port.
    fn same_host(&self, other: &Self) -> bool {
        match (&self.parts, &other.parts) {
            (AddressParts::Http { base: one, .. }, AddressParts::Http { base: two, .. }) => {
                one.scheme() == two.scheme()
                    && one.host_str() == two.host_str()
                    && one.port_or_known_default() == two.port_or_known_default()
            }
            (
                AddressParts::Ssh {
                    host: one,
                    port: left,
                    ..
                },
                AddressParts::Ssh {
                    host: two,
                    port: right,
                    ..
                },
            ) => one == two && left == right,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> Vec<(String, String, String)> {
        let modules = parse(text.as_bytes()).unwrap();
        modules
            .into_iter()
            .map(|one| (one.name, one.path, one.url))
            .collect()
    }

    #[test]
    fn gitmodules_of_git_is_parsed() {
        let text = "[submodule \"lib\"]\n\tpath = vendor/lib\n\turl = ../lib.git\n# note\n[submodule \"a \\\"b\\\"\"]\n\tURL = \"https://h/x#y\" ; why\n\tpath = odd/\n\tbranch = .\n[core]\n\tpath = x\n[submodule \"lib\"]\n\turl = https://h/\\\nlib\n";
        let expected = [
            ("lib", "vendor/lib", "https://h/lib"),
            ("a \"b\"", "odd", "https://h/x#y"),
        ];
        let expected =
            expected.map(|(name, path, url)| (name.to_owned(), path.to_owned(), url.to_owned()));
        assert_eq!(declared(text), expected);
    }

    #[test]
    fn invalid_gitmodules_error_has_line_number() {
        for (text, line) in [
            ("[submodule \"x]", "line 1"),
            ("\n[submodule \"x\"]\npath = \"y", "line 3"),
            ("[submodule \"x\"] \npath = \\q", "line 2"),
            ("[submodule", "line 1"),
        ] {
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(line), "{text:?}: {error}");
        }
    }

    #[test]
    fn unsafe_names_paths_and_urls_are_rejected() {
        let good = ModuleSection {
            name: "a/b".into(),
            path: "c/d".into(),
            url: "../x".into(),
        };
        good.check().unwrap();
        for bad in [
            "..",
            "../x",
            "a/../../b",
            ".git",
            "x/.GIT/y",
            "/x",
            "x//y",
            "-x",
            "x\ny",
            "",
        ] {
            let name = ModuleSection {
                name: bad.into(),
                ..good.clone()
            };
            let path = ModuleSection {
                path: bad.into(),
                ..good.clone()
            };
            assert!(name.check().is_err() && path.check().is_err(), "{bad:?}");
        }
        for bad in ["", "--upload-pack=x", "a\u{202e}b"] {
            assert!(
                ModuleSection {
                    url: bad.into(),
                    ..good.clone()
                }
                .check()
                .is_err(),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn urls_are_resolved_against_parent() {
        let parent = Address::parse("https://u:secret@example.com/org/app.git").unwrap();
        for (url, expected) in [
            ("../lib.git", "https://example.com/org/lib.git"),
            ("./lib", "https://example.com/org/app.git/lib"),
            ("../../other/lib", "https://example.com/other/lib"),
            ("https://elsewhere.example/x", "https://elsewhere.example/x"),
            (
                "git@elsewhere.example:org/x.git",
                "ssh://elsewhere.example/org/x.git",
            ),
            ("ssh://git@elsewhere.example/x", "ssh://elsewhere.example/x"),
        ] {
            assert_eq!(
                parent.submodule(url).unwrap().to_string(),
                expected,
                "{url}"
            );
        }
        for url in [
            "../../../x",
            "ext::sh -c x",
            "file:///etc",
            "/etc/passwd",
            "git://h/x",
        ] {
            let error = parent.submodule(url).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{url}: {error}");
        }
        let home = Address::parse("ssh://git@example.com/~me/app").unwrap();
        assert_eq!(
            home.submodule("../lib").unwrap().to_string(),
            "ssh://example.com/~me/lib"
        );
    }

    #[test]
    fn credentials_are_sent_to_parent_host_only() {
        let parent = Address::parse("https://example.com/app").unwrap();
        let same = |url: &str| Address::parse(url).unwrap().same_host(&parent);
        assert!(same("https://example.com/lib") && same("https://example.com:443/lib"));
        for other in [
            "http://example.com/lib",
            "https://example.com:8443/lib",
            "https://lib.example.com/x",
            "ssh://git@example.com/lib",
        ] {
            assert!(!same(other), "{other}");
        }
    }
}
