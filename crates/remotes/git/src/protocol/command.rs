//! Builds requests.

use super::advertisement::Capabilities;
use super::pktline;
use super::{ProtocolError, pktline::line};
use crate::id::ObjectId;

/// The agent capability.
pub const AGENT: &str = concat!("agent=sluice/", env!("CARGO_PKG_VERSION"));

/// The depth of history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the commit itself.
    One,
    /// The complete history.
    All,
}

/// A request for a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// Objects to fetch.
    pub wants: Vec<ObjectId>,
    /// Commits that the store has, with their trees.
    pub haves: Vec<ObjectId>,
    /// Those of `haves` whose parents are missing.
    pub shallow: Vec<ObjectId>,
    /// The depth of history.
    pub depth: Depth,
    /// Excludes blobs that are not wanted by ID.
    pub without_blobs: bool,
}

/// The depth that git sends to request the complete history of a shallow repository.
const INFINITE_DEPTH: u32 = 0x7fff_ffff;

/// Filters are not used before version 2, because such servers do not send blobs by ID.
const NO_FILTER: ProtocolError = ProtocolError::Missing("trees without their blobs");

/// Starts a command of version 2. A server rejects capabilities that it did not advertise.
fn begin(command: &str, capabilities: &Capabilities, out: &mut Vec<u8>) {
    line(out, &format!("command={command}"));
    if capabilities.has("agent") {
        line(out, AGENT);
    }
    if capabilities.has("object-format") {
        line(out, "object-format=sha1");
    }
    pktline::delimiter(out);
}

/// Requests references by prefix in version 2.
pub fn ls_refs(prefixes: &[String], capabilities: &Capabilities, out: &mut Vec<u8>) {
    begin("ls-refs", capabilities, out);
    line(out, "peel");
    line(out, "symrefs");
    for prefix in prefixes {
        line(out, &format!("ref-prefix {prefix}"));
    }
    pktline::flush(out);
}

/// Requests a pack in version 2 with a single message and without negotiation rounds. With `haves`,
/// a thin pack is requested: only for thin packs does git compare trees across a shallow boundary.
/// Otherwise it sends all objects again.
pub fn fetch_v2(
    request: &Fetch,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) -> Result<(), ProtocolError> {
    if !capabilities.has("fetch") {
        return Err(ProtocolError::Missing("the command 'fetch'"));
    }
    let shallow = capabilities.has_feature("fetch", "shallow");
    if request.without_blobs && !capabilities.has_feature("fetch", "filter") {
        return Err(NO_FILTER);
    }
    begin("fetch", capabilities, out);
    line(out, "no-progress");
    line(out, "ofs-delta");
    if !request.haves.is_empty() {
        line(out, "thin-pack");
    }
    if shallow {
        deepen(request, out);
    }
    if request.without_blobs {
        line(out, "filter blob:none");
    }
    for want in &request.wants {
        line(out, &format!("want {want}"));
    }
    for have in &request.haves {
        line(out, &format!("have {have}"));
    }
    line(out, "done");
    pktline::flush(out);
    Ok(())
}

/// Asks in version 2 whether `commit` is an ancestor of `tip`. The pack is empty if it is: a client
/// with the history of `tip` lacks nothing of `commit`.
pub fn is_ancestor_v2(
    tip: ObjectId,
    commit: ObjectId,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) {
    begin("fetch", capabilities, out);
    line(out, "no-progress");
    line(out, "ofs-delta");
    line(out, &format!("want {commit}"));
    line(out, &format!("have {tip}"));
    line(out, "done");
    pktline::flush(out);
}

/// Asks the same in versions 0 and 1, where `ready` is a kind of `ACK`.
pub fn is_ancestor_v0(
    tip: ObjectId,
    commit: ObjectId,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) -> Result<(), ProtocolError> {
    if !capabilities.has("multi_ack_detailed") {
        return Err(ProtocolError::Missing("multi_ack_detailed"));
    }
    line(out, &format!("want {tip} multi_ack_detailed side-band-64k"));
    pktline::flush(out);
    line(out, &format!("have {commit}"));
    pktline::flush(out);
    Ok(())
}

/// Requests a pack in versions 0 and 1, also with a single message.
pub fn fetch_v0(
    request: &Fetch,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) -> Result<(), ProtocolError> {
    if !capabilities.has("side-band-64k") {
        return Err(ProtocolError::Missing("side-band-64k"));
    }
    if request.without_blobs {
        return Err(NO_FILTER);
    }
    let mut ours = String::new();
    // Some servers require multi_ack_detailed.
    for name in [
        "multi_ack_detailed",
        "side-band-64k",
        "ofs-delta",
        "no-progress",
        "thin-pack",
    ] {
        if capabilities.has(name) && (name != "thin-pack" || !request.haves.is_empty()) {
            ours.push(' ');
            ours.push_str(name);
        }
    }
    if capabilities.has("agent") {
        ours.push(' ');
        ours.push_str(AGENT);
    }
    for (index, want) in request.wants.iter().enumerate() {
        line(
            out,
            &format!("want {want}{}", if index == 0 { ours.as_str() } else { "" }),
        );
    }
    if capabilities.has("shallow") {
        deepen(request, out);
    }
    pktline::flush(out);
    for have in &request.haves {
        line(out, &format!("have {have}"));
    }
    line(out, "done");
    Ok(())
}

/// Whether a version 0 or 1 server answers this request with a list of shallow boundaries.
pub fn answers_shallow(request: &Fetch, capabilities: &Capabilities) -> bool {
    capabilities.has("shallow") && sends_depth(request)
}

fn sends_depth(request: &Fetch) -> bool {
    request.depth == Depth::One || !request.shallow.is_empty()
}

fn deepen(request: &Fetch, out: &mut Vec<u8>) {
    for commit in &request.shallow {
        line(out, &format!("shallow {commit}"));
    }
    if sends_depth(request) {
        let depth = match request.depth {
            Depth::One => 1,
            Depth::All => INFINITE_DEPTH,
        };
        line(out, &format!("deepen {depth}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capabilities(words: &[&str]) -> Capabilities {
        let mut capabilities = Capabilities::default();
        for word in words {
            capabilities.add(word);
        }
        capabilities
    }

    fn request() -> Fetch {
        Fetch {
            wants: vec![ObjectId::from_bytes([0xaa; 20])],
            haves: vec![ObjectId::from_bytes([0xbb; 20])],
            shallow: vec![ObjectId::from_bytes([0xbb; 20])],
            depth: Depth::One,
            without_blobs: false,
        }
    }

    #[test]
    fn fetch_is_one_message() {
        let mut out = Vec::new();
        fetch_v2(&request(), &capabilities(&["fetch=shallow"]), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let (a, b) = ("aa".repeat(20), "bb".repeat(20));
        assert!(text.contains("000ddeepen 1\n"), "{text}");
        assert!(text.contains(&format!("0035shallow {b}\n")), "{text}");
        assert!(
            text.contains(&format!("0032want {a}\n0032have {b}\n0009done\n0000")),
            "{text}"
        );
        let first = Fetch {
            haves: Vec::new(),
            shallow: Vec::new(),
            ..request()
        };
        let mut out = Vec::new();
        fetch_v2(&first, &capabilities(&["fetch=shallow"]), &mut out).unwrap();
        assert!(!String::from_utf8(out).unwrap().contains("thin-pack"));
    }

    #[test]
    fn filter_is_sent_only_if_advertised() {
        let request = Fetch {
            without_blobs: true,
            ..request()
        };
        let ask = |words: &[&str]| {
            let mut out = Vec::new();
            fetch_v2(&request, &capabilities(words), &mut out).map(|()| out)
        };
        let text = String::from_utf8(ask(&["fetch=shallow filter"]).unwrap()).unwrap();
        let before_wants = format!("0015filter blob:none\n0032want {}\n", "aa".repeat(20));
        assert!(text.contains(&before_wants), "{text}");
        assert_eq!(ask(&["fetch=shallow"]), Err(NO_FILTER));
        let old = capabilities(&["side-band-64k", "shallow", "filter"]);
        assert_eq!(fetch_v0(&request, &old, &mut Vec::new()), Err(NO_FILTER));
    }

    #[test]
    fn old_fetch_sends_only_known_capabilities() {
        let mut out = Vec::new();
        fetch_v0(
            &request(),
            &capabilities(&["side-band-64k", "shallow"]),
            &mut out,
        )
        .unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.contains(&format!("want {} side-band-64k\n", "aa".repeat(20))),
            "{text}"
        );
        assert!(text.contains("deepen 1\n0000"), "{text}");
        let error = fetch_v0(&request(), &capabilities(&[]), &mut Vec::new()).unwrap_err();
        assert_eq!(error, ProtocolError::Missing("side-band-64k"));
    }

    #[test]
    fn references_are_requested_by_prefix() {
        let mut out = Vec::new();
        ls_refs(
            &["refs/heads/main".to_owned()],
            &capabilities(&["ls-refs"]),
            &mut out,
        );
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with("0014command=ls-refs\n00010009peel\n"),
            "{text}"
        );
        assert!(
            text.ends_with("001fref-prefix refs/heads/main\n0000"),
            "{text}"
        );
    }
}
