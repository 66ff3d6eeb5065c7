//! What we ask a server.

use super::advertisement::Capabilities;
use super::pktline;
use super::{Malformed, pktline::line};
use crate::id::ObjectId;

/// How we name ourselves to servers.
pub const AGENT: &str = concat!("agent=sluice/", env!("CARGO_PKG_VERSION"));

/// How much history to ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The commit itself.
    One,
    /// Everything up to the first commit.
    All,
}

/// One request for a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// Objects to get.
    pub wants: Vec<ObjectId>,
    /// Commits that we have, their trees included.
    pub haves: Vec<ObjectId>,
    /// Those of them whose parents we do not have.
    pub shallow: Vec<ObjectId>,
    /// How much history.
    pub depth: Depth,
    /// Only the blobs that are wanted by name, and none because a tree has them.
    pub without_blobs: bool,
}

/// Depth that git itself sends for "all of it" to a repository known as shallow.
const INFINITE_DEPTH: u32 = 0x7fff_ffff;

/// Who offers filters in the old versions is not asked for them: such servers give out no blob
/// by its name.
const NO_FILTER: Malformed = Malformed::Missing("trees without their blobs");

/// Begins a command of version 2. A server refuses capabilities it did not name.
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

/// Asks, in version 2, for references by prefix.
pub fn ls_refs(prefixes: &[String], capabilities: &Capabilities, out: &mut Vec<u8>) {
    begin("ls-refs", capabilities, out);
    line(out, "peel");
    line(out, "symrefs");
    for prefix in prefixes {
        line(out, &format!("ref-prefix {prefix}"));
    }
    pktline::flush(out);
}

/// Asks for a pack, all in one message: the answer is the pack, with no further
/// round. When there is something to build on, a thin pack is asked for: git
/// compares trees across an end of history for thin packs only, and would send
/// everything again otherwise.
pub fn fetch_two(
    request: &Fetch,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) -> Result<(), Malformed> {
    if !capabilities.has("fetch") {
        return Err(Malformed::Missing("the command 'fetch'"));
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

/// Asks, in version 2, whether `commit` is in the history of `tip`: the server
/// says `ready` once every want is reachable from what it is told we have.
pub fn is_ancestor_two(
    tip: ObjectId,
    commit: ObjectId,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) {
    begin("fetch", capabilities, out);
    line(out, "no-progress");
    line(out, "ofs-delta");
    line(out, &format!("want {tip}"));
    line(out, &format!("have {commit}"));
    pktline::flush(out);
}

/// Asks the same as in versions 0 and 1, where `ready` is a kind of `ACK`.
pub fn is_ancestor_one(
    tip: ObjectId,
    commit: ObjectId,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) -> Result<(), Malformed> {
    if !capabilities.has("multi_ack_detailed") {
        return Err(Malformed::Missing("multi_ack_detailed"));
    }
    line(out, &format!("want {tip} multi_ack_detailed side-band-64k"));
    pktline::flush(out);
    line(out, &format!("have {commit}"));
    pktline::flush(out);
    Ok(())
}

/// Asks for a pack as in versions 0 and 1, all in one message as above.
pub fn fetch_one(
    request: &Fetch,
    capabilities: &Capabilities,
    out: &mut Vec<u8>,
) -> Result<(), Malformed> {
    if !capabilities.has("side-band-64k") {
        return Err(Malformed::Missing("side-band-64k"));
    }
    if request.without_blobs {
        return Err(NO_FILTER);
    }
    let mut ours = String::new();
    // Some servers answer nobody who does not know multi_ack_detailed.
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

/// Does a version 0 or 1 server answer this request with a list of new ends of
/// history?
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
    fn a_fetch_is_one_message() {
        let mut out = Vec::new();
        fetch_two(&request(), &capabilities(&["fetch=shallow"]), &mut out).unwrap();
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
        fetch_two(&first, &capabilities(&["fetch=shallow"]), &mut out).unwrap();
        assert!(!String::from_utf8(out).unwrap().contains("thin-pack"));
    }

    #[test]
    fn trees_without_their_blobs_are_asked_of_those_who_offer_them() {
        let request = Fetch {
            without_blobs: true,
            ..request()
        };
        let ask = |words: &[&str]| {
            let mut out = Vec::new();
            fetch_two(&request, &capabilities(words), &mut out).map(|()| out)
        };
        let text = String::from_utf8(ask(&["fetch=shallow filter"]).unwrap()).unwrap();
        let before_wants = format!("0015filter blob:none\n0032want {}\n", "aa".repeat(20));
        assert!(text.contains(&before_wants), "{text}");
        assert_eq!(ask(&["fetch=shallow"]), Err(NO_FILTER));
        let old = capabilities(&["side-band-64k", "shallow", "filter"]);
        assert_eq!(fetch_one(&request, &old, &mut Vec::new()), Err(NO_FILTER));
    }

    #[test]
    fn an_old_fetch_sends_only_what_the_server_knows() {
        let mut out = Vec::new();
        fetch_one(
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
        let error = fetch_one(&request(), &capabilities(&[]), &mut Vec::new()).unwrap_err();
        assert_eq!(error, Malformed::Missing("side-band-64k"));
    }

    #[test]
    fn references_are_asked_for_by_prefix() {
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
