//! Submodules: what `.gitmodules` says, whether it may be believed, and where a module lies.
//!
//! The file is written by whoever pushed it. A name becomes no path and a URL no command line
//! here; both are refused all the same when they try, since whoever unpacks the artifact with
//! git would run into it. A module is reached as its parent is, but with the parent's
//! credentials on the parent's own host only.
//!
//! Pure, but for [`Submodules::fetch`], which fetches them all.
//!
//! A long file because its tests are in it, a table for every way to hide a path.

use std::collections::BTreeMap;

use crate::address::{Address, Place};
use crate::client::Client;
use crate::commit::Commit;
use crate::error::{Error, Result, is_hidden, printable};
use crate::reference::Reference;
use crate::remote::{Access, Remote};
use crate::store::{Store, Stores};
use crate::walk::{Entry, Kind, Module, Modules, Step, VisitError};

/// Modules inside modules; deeper ones stay empty directories, as in go-git.
const MAX_DEPTH: usize = 10;
/// Modules of one commit, those of its modules included.
const MAX_MODULES: usize = 1000;
/// Bytes of one `.gitmodules`.
const MAX_FILE: u64 = 1 << 20;
const FILE: &str = ".gitmodules";

/// The submodules of a commit, and theirs.
#[derive(Debug, Clone, Default)]
pub struct Submodules {
    /// By path from the root of the outermost repository.
    modules: BTreeMap<Vec<u8>, Submodule>,
}

/// One submodule, fetched.
#[derive(Debug, Clone)]
pub struct Submodule {
    pub(crate) store: Store,
    pub(crate) commit: Commit,
    /// The names of the modules it lies in, outermost first, and its own.
    names: Vec<String>,
}

impl Submodule {
    /// What go-git writes into the file `.git` of a module at a path: the way to the objects,
    /// relative to the module.
    fn link(&self, path: &[u8]) -> String {
        let up = "../".repeat(path.split(|byte| *byte == b'/').count());
        let mut link = format!("gitdir: {up}.git");
        for name in &self.names {
            link.push_str("/modules/");
            link.push_str(name);
        }
        link.push('\n');
        link
    }
}

impl Submodules {
    /// Fetches the submodules of a commit that a store holds, and theirs.
    pub async fn fetch(
        client: &Client,
        stores: &Stores,
        remote: &Remote,
        store: &Store,
        commit: &Commit,
    ) -> Result<Self> {
        let mut found = Self::default();
        // Trees to look at: how each is reached, and where it lies.
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
            let tree = parent.store.walk(&parent.commit, Links::default()).await?;
            if tree.links.is_empty() {
                continue;
            }
            let declared = parse(&tree.file).map_err(|reason| refused(&parent.path, &reason))?;
            for module in declared {
                // A section without a link in the tree is what is left of a module.
                let Some(id) = tree.links.get(module.path.as_bytes()) else {
                    continue;
                };
                let place = parent.place(&module.path);
                let named = |error| named(&module.name, &place, error);
                module.check().map_err(|reason| refused(&place, reason))?;
                let remote = parent.remote_of(&module).map_err(named)?;
                let reference = Reference::Commit {
                    id: *id,
                    branch: None,
                    name: None,
                };
                let resolved = client.resolve(&remote, &reference).await.map_err(named)?;
                let store = stores.of(&remote);
                let fetched = store
                    .fetch(client, &remote, &resolved)
                    .await
                    .map_err(named)?;
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
                    path: place.clone(),
                    names: names.clone(),
                });
                found.modules.insert(
                    place,
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The files that a checkout with go-git leaves in the modules: a link named `.git` in
    /// each, by path.
    pub fn links(&self) -> impl Iterator<Item = (Vec<u8>, String)> {
        self.modules
            .iter()
            .map(|(path, module)| ([path, b"/.git".as_slice()].concat(), module.link(path)))
    }

    /// Opens the objects of each, for reading.
    pub(crate) fn open(&self) -> Result<Modules> {
        let mut open = Modules::new();
        for (path, module) in &self.modules {
            let module = Module {
                objects: module.store.open()?,
                commit: module.commit.id,
                tree: module.commit.tree,
            };
            open.insert(path.clone(), module);
        }
        Ok(open)
    }

    pub(crate) fn stores(&self) -> impl Iterator<Item = &Store> {
        self.modules.values().map(|module| &module.store)
    }
}

/// A repository that may have submodules.
struct Parent {
    remote: Remote,
    store: Store,
    commit: Commit,
    /// From the root of the outermost repository; empty for that one.
    path: Vec<u8>,
    names: Vec<String>,
}

impl Parent {
    /// Where a module of this repository lies in the outermost one.
    fn place(&self, path: &str) -> Vec<u8> {
        if self.path.is_empty() {
            return path.as_bytes().to_vec();
        }
        [&*self.path, b"/", path.as_bytes()].concat()
    }

    /// How a module is reached.
    fn remote_of(&self, module: &Declared) -> Result<Remote> {
        let parent = &self.remote;
        let address = parent.address.submodule(&module.url)?;
        if address.same_host(&parent.address) {
            // Those of the parent's URL, too, are meant for its host.
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
        // Neither secrets nor trust go to another host; the way out is the same.
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

fn refused(path: &[u8], reason: &str) -> Error {
    Error::Submodules {
        path: printable(path),
        reason: reason.to_owned(),
    }
}

/// Says which module it is that fails.
fn named(name: &str, path: &[u8], source: Error) -> Error {
    Error::Submodule {
        name: printable(name.as_bytes()),
        path: printable(path),
        source: Box::new(source),
    }
}

/// The links of one tree, and the file that says what they are.
#[derive(Default)]
struct Links {
    file: Vec<u8>,
    links: BTreeMap<Vec<u8>, crate::id::ObjectId>,
}

impl crate::walk::Visitor for Links {
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
struct Declared {
    name: String,
    path: String,
    url: String,
}

impl Declared {
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

/// Reads `.gitmodules`, in the format of Git's configuration. Of two sections with one name, or
/// two values for one key, the later one counts.
fn parse(text: &[u8]) -> Result<Vec<Declared>, String> {
    let text = std::str::from_utf8(text).map_err(|_| "'.gitmodules' is not UTF-8")?;
    let mut modules: Vec<Declared> = Vec::new();
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
                        modules.push(Declared {
                            name,
                            ..Declared::default()
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
                Value::Whole(value) => break value,
                Value::GoesOn => {
                    raw.pop();
                    raw.push_str(lines.next().map_or("", |(_, line)| line));
                }
            }
        };
        let Some(module) = current.and_then(|at| modules.get_mut(at)) else {
            continue;
        };
        match key.as_str() {
            // A slash at its end changes nothing.
            "path" => value.trim_end_matches('/').clone_into(&mut module.path),
            "url" => module.url = value,
            _ => {}
        }
    }
    Ok(modules)
}

/// Reads `submodule "name"]`; `None` for a section of another kind.
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
    Whole(String),
    /// The line ends in a backslash.
    GoesOn,
}

/// Reads what follows `=`: quotes go, escapes count, a comment ends it, as does white space.
fn value(raw: &str) -> Result<Value, &'static str> {
    let mut value = String::new();
    // What is kept of white space that may turn out to be at the end.
    let mut kept = 0;
    let mut quoted = false;
    let mut characters = raw.trim_start().chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            '\\' => {
                value.push(match characters.next() {
                    None => return Ok(Value::GoesOn),
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
    Ok(Value::Whole(value))
}

impl Address {
    /// The address of a submodule whose URL is written in a repository at this one: relative
    /// to it, in the short form `user@host:path`, or whole.
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
        let mut place = self.place.clone();
        let path = match &place {
            Place::Http { base, .. } => base.path().to_owned(),
            Place::Ssh { path, .. } => path.clone(),
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
        match &mut place {
            Place::Http { base, .. } => base.set_path(&joined),
            Place::Ssh { path, .. } => *path = joined,
        }
        Ok(Self::at(place))
    }

    /// Are both behind one door: same scheme, host and port?
    fn same_host(&self, other: &Self) -> bool {
        match (&self.place, &other.place) {
            (Place::Http { base: one, .. }, Place::Http { base: two, .. }) => {
                one.scheme() == two.scheme()
                    && one.host_str() == two.host_str()
                    && one.port_or_known_default() == two.port_or_known_default()
            }
            (
                Place::Ssh {
                    host: one,
                    port: left,
                    ..
                },
                Place::Ssh {
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
    fn a_file_as_git_writes_it_is_read() {
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
    fn a_file_that_is_none_is_refused_with_its_line() {
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
    fn names_paths_and_urls_that_lead_elsewhere_are_refused() {
        let good = Declared {
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
            let name = Declared {
                name: bad.into(),
                ..good.clone()
            };
            let path = Declared {
                path: bad.into(),
                ..good.clone()
            };
            assert!(name.check().is_err() && path.check().is_err(), "{bad:?}");
        }
        for bad in ["", "--upload-pack=x", "a\u{202e}b"] {
            assert!(
                Declared {
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
    fn urls_are_resolved_against_the_parent() {
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
    fn credentials_stay_behind_the_door_they_were_given_for() {
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
