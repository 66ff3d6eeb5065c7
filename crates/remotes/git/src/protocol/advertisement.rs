//! Parses advertisements: capabilities and, before version 2, references.

use bytes::Bytes;

use super::pktline::Packet;
use super::{ProtocolError, Service};
use crate::id::ObjectId;
use crate::reference::{Refs, RemoteRef};

/// Maximum number of references.
const MAX_REFS: usize = 2_000_000;
/// Maximum bytes of a list of references.
const MAX_BYTES: usize = 512 << 20;
/// Maximum number of capabilities.
const MAX_CAPABILITIES: usize = 1000;

/// The capabilities of a server: names, with optional values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities(Vec<(String, Option<String>)>);

impl Capabilities {
    /// Adds `name` or `name=value`.
    pub fn add(&mut self, text: &str) {
        if text.is_empty() || self.0.len() >= MAX_CAPABILITIES {
            return;
        }
        self.0.push(match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.to_owned(), None),
        });
    }

    /// Whether the server has the capability, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Whether `feature` is one of the words in the value of `command`.
    pub fn has_feature(&self, command: &str, feature: &str) -> bool {
        self.values(command)
            .any(|value| value.split(' ').any(|word| word == feature))
    }

    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(known, _)| known == name)
            .filter_map(|(_, value)| value.as_deref())
    }

    /// Rejects object formats other than SHA-1.
    fn check_format(&self) -> Result<(), ProtocolError> {
        match self
            .values("object-format")
            .find(|format| *format != "sha1")
        {
            Some(format) => Err(ProtocolError::ObjectFormat(format.to_owned())),
            None => Ok(()),
        }
    }
}

/// An advertisement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advertisement {
    /// Version 2: capabilities. References are requested separately.
    V2(Capabilities),
    /// Versions 0 and 1: capabilities and references.
    V0 {
        /// The capabilities.
        capabilities: Capabilities,
        /// All references.
        refs: Refs,
    },
}

/// Parses an advertisement packet by packet.
#[derive(Debug, Default)]
pub struct Parser {
    service: Service,
    state: State,
    bytes: usize,
    capabilities: Capabilities,
    refs: Refs,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    /// After `# service=…`. A flush must follow.
    Service,
    /// After that flush, or at the start of a server without smart HTTP.
    Version,
    /// In the capabilities of version 2.
    V2Capabilities,
    /// After `version 1`. References follow as in version 0.
    FirstRef,
    /// In the references of versions 0 and 1.
    Refs,
}

impl Parser {
    /// Creates a parser for the advertisement of a service.
    pub fn new(service: Service) -> Self {
        Self {
            service,
            ..Self::default()
        }
    }

    /// Adds a packet. Returns the advertisement once it is complete.
    pub fn feed(&mut self, packet: Packet) -> Result<Option<Advertisement>, ProtocolError> {
        let packet = packet.check_error()?;
        self.bytes += packet.text().map_or(0, <[u8]>::len);
        if self.bytes > MAX_BYTES {
            return Err(ProtocolError::TooMuch("512 MiB of references"));
        }
        let text = packet.text();
        match (&self.state, text) {
            (State::Start, Some(text)) if text.starts_with(b"# service=") => {
                if &text[10..] != self.service.name().as_bytes() {
                    let wanted = match self.service {
                        Service::UploadPack => "instead of the service git-upload-pack",
                        Service::ReceivePack => "instead of the service git-receive-pack",
                    };
                    return Err(packet.unexpected(wanted));
                }
                self.state = State::Service;
            }
            (State::Service, None) if packet == Packet::Flush => self.state = State::Version,
            (State::Start | State::Version, Some(b"version 2")) => {
                self.state = State::V2Capabilities;
            }
            (State::Start | State::Version, Some(b"version 1")) => self.state = State::FirstRef,
            (State::Start | State::Version | State::FirstRef, Some(text)) => {
                let text = text.to_vec();
                self.first_ref(&text)?;
                self.state = State::Refs;
            }
            // Old servers send only a flush for a repository without references. Later ones send
            // `capabilities^{}`.
            (State::Start | State::Version | State::FirstRef | State::Refs, None)
                if packet == Packet::Flush =>
            {
                return Ok(Some(self.finish_one()?));
            }
            (State::V2Capabilities, Some(text)) => {
                let text = String::from_utf8_lossy(text).into_owned();
                self.capabilities.add(&text);
            }
            (State::V2Capabilities, None) if packet == Packet::Flush => {
                self.capabilities.check_format()?;
                let capabilities = std::mem::take(&mut self.capabilities);
                return Ok(Some(Advertisement::V2(capabilities)));
            }
            (State::Refs, Some(text)) => {
                let text = text.to_vec();
                self.next_ref(&text)?;
            }
            _ => return Err(packet.unexpected("in the server's first words")),
        }
        Ok(None)
    }

    fn finish_one(&mut self) -> Result<Advertisement, ProtocolError> {
        self.capabilities.check_format()?;
        let capabilities = std::mem::take(&mut self.capabilities);
        let symbolic: Vec<(String, String)> = capabilities
            .values("symref")
            .filter_map(|value| value.split_once(':'))
            .map(|(name, target)| (name.to_owned(), target.to_owned()))
            .collect();
        let mut refs = std::mem::take(&mut self.refs);
        for (name, target) in symbolic {
            if let Some(reference) = refs.0.iter_mut().find(|reference| reference.name == name) {
                reference.symbolic = Some(target);
            }
        }
        Ok(Advertisement::V0 { capabilities, refs })
    }

    fn first_ref(&mut self, text: &[u8]) -> Result<(), ProtocolError> {
        let mut parts = text.splitn(2, |byte| *byte == 0);
        let reference = parts.next().unwrap_or_default();
        for capability in parts.next().unwrap_or_default().split(|byte| *byte == b' ') {
            self.capabilities.add(&String::from_utf8_lossy(capability));
        }
        // `capabilities^{}` replaces the first reference if there are none.
        if reference.ends_with(b" capabilities^{}") {
            return Ok(());
        }
        self.next_ref(reference)
    }

    fn next_ref(&mut self, text: &[u8]) -> Result<(), ProtocolError> {
        let malformed =
            || Packet::Data(Bytes::copy_from_slice(text)).unexpected("instead of a reference");
        // A shallow repository lists its boundary commits, which are not needed.
        if text.starts_with(b"shallow ") {
            return Ok(());
        }
        let (id, name) = split_once(text, b' ').ok_or_else(malformed)?;
        let target = ObjectId::parse(id).map_err(|_| malformed())?;
        // Kubernetes objects cannot refer to a name that is not UTF-8.
        let Ok(name) = std::str::from_utf8(name) else {
            return Ok(());
        };
        if let Some(name) = name.strip_suffix("^{}") {
            let last = self.refs.0.last_mut().filter(|last| last.name == name);
            last.ok_or_else(malformed)?.peeled = Some(target);
            return Ok(());
        }
        push_ref(
            &mut self.refs,
            RemoteRef {
                name: name.to_owned(),
                target,
                peeled: None,
                symbolic: None,
            },
        )
    }
}

/// Parses a line of a version 2 response to `ls-refs`. Returns `None` for a name without object
/// (`unborn HEAD …`) or invalid UTF-8.
pub fn listed_ref(text: &[u8]) -> Result<Option<RemoteRef>, ProtocolError> {
    let malformed =
        || Packet::Data(Bytes::copy_from_slice(text)).unexpected("instead of a reference");
    if text.starts_with(b"unborn ") {
        return Ok(None);
    }
    let Ok(line) = std::str::from_utf8(text) else {
        return Ok(None);
    };
    let mut words = line.split(' ');
    let target = words
        .next()
        .and_then(|id| id.parse().ok())
        .ok_or_else(malformed)?;
    let name = words
        .next()
        .filter(|name| !name.is_empty())
        .ok_or_else(malformed)?;
    let mut reference = RemoteRef {
        name: name.to_owned(),
        target,
        peeled: None,
        symbolic: None,
    };
    for attribute in words {
        match attribute.split_once(':') {
            Some(("peeled", id)) => {
                reference.peeled = Some(id.parse().map_err(|_| malformed())?);
            }
            Some(("symref-target", target)) => reference.symbolic = Some(target.to_owned()),
            // Unknown attributes are ignored.
            _ => {}
        }
    }
    Ok(Some(reference))
}

/// Adds a reference within the limit.
pub fn push_ref(refs: &mut Refs, reference: RemoteRef) -> Result<(), ProtocolError> {
    if refs.0.len() >= MAX_REFS {
        return Err(ProtocolError::TooMuch("2000000 references"));
    }
    refs.0.push(reference);
    Ok(())
}

fn split_once(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| *byte == separator)?;
    Some((&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::super::pktline::{Decoder, flush, line};
    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    fn wire(lines: &[&str]) -> Vec<u8> {
        let mut out = Vec::new();
        for text in lines {
            if *text == "0000" {
                flush(&mut out);
            } else {
                line(&mut out, text);
            }
        }
        out
    }

    fn parse(lines: &[&str]) -> Result<Advertisement, ProtocolError> {
        let mut parser = Parser::default();
        for packet in Decoder::all(&wire(lines)).unwrap() {
            if let Some(advertisement) = parser.feed(packet)? {
                return Ok(advertisement);
            }
        }
        Err(ProtocolError::Truncated("early"))
    }

    #[test]
    fn version_two_has_capabilities() {
        let lines = [
            "version 2",
            "agent=git/2.39",
            "ls-refs=unborn",
            "fetch=shallow wait-for-done",
            "object-format=sha1",
            "0000",
        ];
        let mut over_http = vec!["# service=git-upload-pack", "0000"];
        over_http.extend(lines);
        for lines in [&lines[..], &over_http] {
            let Advertisement::V2(capabilities) = parse(lines).unwrap() else {
                unreachable!()
            };
            assert!(capabilities.has("ls-refs"));
            assert!(capabilities.has_feature("fetch", "shallow"));
            assert!(capabilities.has_feature("fetch", "wait-for-done"));
            assert!(!capabilities.has_feature("fetch", "filter"));
        }
    }

    #[test]
    fn older_versions_give_references_peeled_and_symbolic() {
        let first = format!("{A} HEAD\0side-band-64k shallow symref=HEAD:refs/heads/main");
        let main = format!("{A} refs/heads/main");
        let tag = format!("{B} refs/tags/v1");
        let peeled = format!("{A} refs/tags/v1^{{}}");
        let shallow = format!("shallow {A}");
        let lines = [first.as_str(), &main, &tag, &peeled, &shallow, "0000"];
        let mut versioned = vec!["# service=git-upload-pack", "0000", "version 1"];
        versioned.extend(lines);
        for lines in [&lines[..], &versioned] {
            let Advertisement::V0 { capabilities, refs } = parse(lines).unwrap() else {
                unreachable!()
            };
            assert!(capabilities.has("shallow"));
            assert_eq!(refs.0.len(), 3);
            assert_eq!(refs.0[0].symbolic.as_deref(), Some("refs/heads/main"));
            let tag = refs.find("refs/tags/v1").unwrap();
            assert_eq!(tag.target.to_string(), B);
            assert_eq!(tag.commit().to_string(), A);
        }
    }

    #[test]
    fn repository_without_references_is_parsed() {
        let zero = format!("{} capabilities^{{}}\0side-band-64k", "0".repeat(40));
        for lines in [
            vec![zero.as_str(), "0000"],
            vec!["# service=git-upload-pack", "0000", "0000"],
        ] {
            let Advertisement::V0 { refs, .. } = parse(&lines).unwrap() else {
                unreachable!()
            };
            assert_eq!(refs, Refs::default());
        }
    }

    #[test]
    fn invalid_advertisement_is_rejected() {
        let dangling = format!("{A} refs/tags/v1^{{}}");
        let cases: [(&[&str], &str); 8] = [
            (&["# service=git-receive-pack", "0000"], "git-upload-pack"),
            (&["# service=git-upload-pack", "x"], "first words"),
            (&["hello"], "instead of a reference"),
            (&["zz refs/heads/x"], "instead of a reference"),
            (&[dangling.as_str()], "instead of a reference"),
            (&["ERR go away"], "go away"),
            (&["version 2", "object-format=sha256", "0000"], "sha256"),
            (&["version 2"], "ended early"),
        ];
        for (lines, reason) in cases {
            let error = parse(lines).unwrap_err().to_string();
            assert!(error.contains(reason), "{lines:?}: {error}");
        }
    }

    #[test]
    fn listed_reference_has_attributes() {
        let text = format!("{B} refs/tags/v1 peeled:{A} later:x");
        let reference = listed_ref(text.as_bytes()).unwrap().unwrap();
        assert_eq!(
            (reference.name.as_str(), reference.commit().to_string()),
            ("refs/tags/v1", A.to_owned())
        );
        let text = format!("{A} HEAD symref-target:refs/heads/main");
        let reference = listed_ref(text.as_bytes()).unwrap().unwrap();
        assert_eq!(reference.symbolic.as_deref(), Some("refs/heads/main"));
        assert_eq!(
            listed_ref(b"unborn HEAD symref-target:refs/heads/main"),
            Ok(None)
        );
        for bad in ["", "x", A, &format!("{A} "), &format!("{A} x peeled:zz")] {
            assert!(listed_ref(bad.as_bytes()).is_err(), "{bad:?}");
        }
    }
}
