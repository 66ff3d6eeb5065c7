//! Serves fetches.

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::Write;

use git2::{ObjectType, Oid, PackBuilder, Repository as Git};

use super::repository::{Repository, refs};
use super::{ServeError, band, git_error};
use crate::id::ObjectId;
use crate::protocol::ProtocolError;
use crate::protocol::pktline::{Decoder, Packet, delimiter, flush, line};

/// Maximum number of commits that a request examines.
const MAX_COMMITS: usize = 5_000_000;

/// Serves the body of a `POST …/git-upload-pack` in its protocol version. If the client can be
/// informed of an error, the response contains it.
pub fn upload_pack(
    repository: &Repository,
    request: &[u8],
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let packets = Decoder::all(request)?;
    let git = repository.git()?;
    match packets.first().and_then(Packet::text) {
        Some(b"command=ls-refs") => ls_refs(repository, &git, &packets, out),
        Some(b"command=fetch") => {
            let request = Request::read(&packets)?;
            fetch(&git, &request, Form::V2, out)
        }
        Some(text) if text.starts_with(b"want ") => {
            let request = Request::read(&packets)?;
            fetch(&git, &request, Form::V0, out)
        }
        // A client without wants sends a flush.
        None => Ok(()),
        Some(_) => Err(packets[0].unexpected("instead of a command").into()),
    }
}

fn ls_refs(
    repository: &Repository,
    git: &Git,
    packets: &[Packet],
    out: &mut dyn Write,
) -> Result<(), ServeError> {
    let texts: Vec<&[u8]> = packets.iter().filter_map(Packet::text).collect();
    let prefixes: Vec<&str> = texts
        .iter()
        .filter_map(|text| std::str::from_utf8(text.strip_prefix(b"ref-prefix ")?).ok())
        .collect();
    let (peel, symrefs) = (
        texts.contains(&b"peel".as_slice()),
        texts.contains(&b"symrefs".as_slice()),
    );
    // With one prefix, as in a poll, only matching references are read.
    let listed = match prefixes.as_slice() {
        [one] if one.starts_with("refs/") => refs(git, &format!("{one}*"))?,
        _ => repository.refs()?,
    };
    let mut answer = Vec::new();
    for reference in listed.0 {
        if !prefixes.is_empty()
            && !prefixes
                .iter()
                .any(|prefix| reference.name.starts_with(prefix))
        {
            continue;
        }
        let mut text = format!("{} {}", reference.target, reference.name);
        if let Some(target) = reference.symbolic.filter(|_| symrefs) {
            text.extend([" symref-target:", &target]);
        }
        if let Some(peeled) = reference.peeled.filter(|_| peel) {
            text.extend([" peeled:", &peeled.to_string()]);
        }
        line(&mut answer, &text);
    }
    flush(&mut answer);
    out.write_all(&answer)?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    V0,
    V2,
}

/// A request, in either form.
#[derive(Debug, Default)]
struct Request {
    wants: Vec<Oid>,
    haves: Vec<Oid>,
    shallow: HashSet<Oid>,
    depth: Option<u32>,
    /// Excludes blobs that are not wanted by ID.
    without_blobs: bool,
    /// Whether anything follows the list of wants in version 0.
    negotiates: bool,
    done: bool,
}

impl Request {
    fn read(packets: &[Packet]) -> Result<Self, ServeError> {
        let mut request = Self::default();
        let mut flushed = false;
        for packet in packets {
            request.negotiates |= flushed;
            let Some(text) = packet.text() else {
                flushed = true;
                continue;
            };
            let text = String::from_utf8_lossy(text);
            let mut words = text.split(' ');
            let word = words.next().unwrap_or_default();
            let argument = words.next().unwrap_or_default();
            let id = || argument.parse::<ObjectId>().map(ObjectId::oid);
            let refuse = || packet.unexpected("in a request for a pack");
            match word {
                "want" => request.wants.push(id().map_err(|_| refuse())?),
                "have" => request.haves.push(id().map_err(|_| refuse())?),
                "shallow" => {
                    request.shallow.insert(id().map_err(|_| refuse())?);
                }
                "deepen" => request.depth = Some(argument.parse().map_err(|_| refuse())?),
                "done" => request.done = true,
                "filter" if argument == "blob:none" => request.without_blobs = true,
                "deepen-since" | "deepen-not" | "filter" | "deepen-relative" => {
                    return Err(ProtocolError::Missing("that kind of partial fetch").into());
                }
                // Other capabilities only affect details of the response.
                _ => {}
            }
        }
        Ok(request)
    }
}

fn fetch(git: &Git, request: &Request, form: Form, out: &mut dyn Write) -> Result<(), ServeError> {
    let odb = git.odb().map_err(git_error("open the objects"))?;
    if let Some(missing) = request.wants.iter().find(|want| !odb.exists(**want)) {
        let mut answer = Vec::new();
        line(
            &mut answer,
            &format!("ERR upload-pack: not our ref {missing}"),
        );
        out.write_all(&answer)?;
        return Ok(());
    }
    let common: Vec<Oid> = request
        .haves
        .iter()
        .copied()
        .filter(|have| odb.exists(*have))
        .collect();
    let plan = Plan::make(git, request, &common)?;
    let mut answer = Vec::new();
    if form == Form::V0 {
        shallow_lines(request, &plan, &mut answer);
        if request.depth.is_some() {
            flush(&mut answer);
        }
        if !request.negotiates {
            // Over HTTP, a client first requests only the shallow boundaries.
            out.write_all(&answer)?;
            return Ok(());
        }
        for have in &common {
            line(&mut answer, &format!("ACK {have} common"));
        }
        if !request.done {
            if let Some(last) = common.last().filter(|_| plan.ready) {
                line(&mut answer, &format!("ACK {last} ready"));
            }
            line(&mut answer, "NAK");
            out.write_all(&answer)?;
            return Ok(());
        }
        match common.last() {
            Some(last) => line(&mut answer, &format!("ACK {last}")),
            None => line(&mut answer, "NAK"),
        }
    } else {
        if !request.done && !request.haves.is_empty() {
            line(&mut answer, "acknowledgments");
            if common.is_empty() {
                line(&mut answer, "NAK");
            }
            for have in &common {
                line(&mut answer, &format!("ACK {have}"));
            }
            if !plan.ready {
                flush(&mut answer);
                out.write_all(&answer)?;
                return Ok(());
            }
            line(&mut answer, "ready");
            delimiter(&mut answer);
        }
        let before = answer.len();
        line(&mut answer, "shallow-info");
        let empty = answer.len();
        shallow_lines(request, &plan, &mut answer);
        if answer.len() == empty {
            answer.truncate(before);
        } else {
            delimiter(&mut answer);
        }
        line(&mut answer, "packfile");
    }
    out.write_all(&answer)?;
    write_pack(git, &plan, out)?;
    out.write_all(b"0000")?;
    out.flush()?;
    Ok(())
}

fn shallow_lines(request: &Request, plan: &Plan, out: &mut Vec<u8>) {
    for commit in plan
        .ends
        .iter()
        .filter(|commit| !request.shallow.contains(commit))
    {
        line(out, &format!("shallow {commit}"));
    }
    if request.depth.is_some() {
        let deeper = request
            .shallow
            .iter()
            .filter(|commit| plan.depths.contains_key(commit));
        for commit in deeper.filter(|commit| !plan.ends.contains(commit)) {
            line(out, &format!("unshallow {commit}"));
        }
    }
}

/// The content of a response.
struct Plan {
    /// Tag objects and other wanted objects that are not commits.
    others: Vec<Oid>,
    /// Commits, newest first.
    commits: Vec<Oid>,
    /// Commits that the client lists as haves.
    bases: Vec<Oid>,
    /// Commits that are sent without their parents.
    ends: Vec<Oid>,
    /// All commits within the requested depth.
    depths: HashMap<Oid, u32>,
    /// Whether all wants lead to commits of the client.
    ready: bool,
    /// Whether blobs are excluded that are not wanted by ID.
    without_blobs: bool,
}

impl Plan {
    fn make(git: &Git, request: &Request, common: &[Oid]) -> Result<Self, ServeError> {
        let read = git_error("read the history");
        let mut others = Vec::new();
        let mut tips = Vec::new();
        for want in &request.wants {
            let mut object = git
                .find_object(*want, None)
                .map_err(git_error("read what is wanted"))?;
            // A tag can point to a tag.
            while let Some(tag) = object.as_tag() {
                others.push(tag.id());
                let target = tag.target().map_err(git_error("read a tag"))?;
                object = target;
            }
            if object.kind() == Some(ObjectType::Commit) {
                tips.push(object.id());
            } else {
                others.push(object.id());
            }
        }
        let had = client_history(git, common, &request.shallow);
        let limit = request.depth.unwrap_or(u32::MAX);
        let mut plan = Self {
            others,
            commits: Vec::new(),
            bases: common.to_vec(),
            ends: Vec::new(),
            depths: HashMap::new(),
            ready: false,
            without_blobs: request.without_blobs,
        };
        let mut queue: VecDeque<(Oid, u32)> = tips.iter().map(|tip| (*tip, 1)).collect();
        while let Some((id, depth)) = queue.pop_front() {
            if plan.depths.contains_key(&id) || plan.depths.len() >= MAX_COMMITS {
                continue;
            }
            plan.depths.insert(id, depth);
            let is_had = had.contains(&id);
            if !is_had {
                plan.commits.push(id);
            }
            // Without a depth, the walk ends at the client's commits. With a depth, its shallow
            // boundaries may have to move.
            if is_had && request.depth.is_none() {
                continue;
            }
            let commit = git.find_commit(id).map_err(git_error("read the history"))?;
            if commit.parent_count() == 0 {
                continue;
            }
            if depth >= limit {
                plan.ends.push(id);
            } else {
                queue.extend(commit.parent_ids().map(|parent| (parent, depth + 1)));
            }
        }
        let asked = !request.done && !common.is_empty();
        plan.ready = asked && reach_all(git, &tips, common).map_err(read)?;
        Ok(plan)
    }
}

/// Whether each tip leads to one of the commits.
fn reach_all(git: &Git, tips: &[Oid], commits: &[Oid]) -> Result<bool, git2::Error> {
    for tip in tips {
        let mut reached = false;
        for commit in commits {
            reached = reached || tip == commit || git.graph_descendant_of(*tip, *commit)?;
        }
        if !reached {
            return Ok(false);
        }
    }
    Ok(true)
}

/// All commits of the client: its haves and their ancestors, up to its shallow boundaries.
fn client_history(git: &Git, common: &[Oid], shallow: &HashSet<Oid>) -> HashSet<Oid> {
    let mut had = HashSet::new();
    let mut pending = common.to_vec();
    while let Some(id) = pending.pop() {
        if had.len() >= MAX_COMMITS || !had.insert(id) || shallow.contains(&id) {
            continue;
        }
        if let Ok(commit) = git.find_commit(id) {
            pending.extend(commit.parent_ids());
        }
    }
    had
}

fn write_pack(git: &Git, plan: &Plan, out: &mut dyn Write) -> Result<(), ServeError> {
    let mut builder = git.packbuilder().map_err(git_error("begin a pack"))?;
    builder.set_threads(1);
    insert(git, plan, &mut builder).map_err(git_error("choose the objects of a pack"))?;
    let mut written = Ok(());
    let built = builder.foreach(|bytes| {
        written = band(out, 1, bytes);
        written.is_ok()
    });
    // A disconnected client also makes the builder fail. Report the disconnect first.
    written?;
    built.map_err(git_error("write a pack"))
}

fn insert(git: &Git, plan: &Plan, builder: &mut PackBuilder<'_>) -> Result<(), git2::Error> {
    let mut seen = VisitedObjects {
        objects: HashSet::new(),
        without_blobs: plan.without_blobs,
    };
    let tree_of = |id: &Oid| git.find_commit(*id).map(|commit| commit.tree_id());
    let mut bases: Vec<Oid> = plan
        .bases
        .iter()
        .filter_map(|base| tree_of(base).ok())
        .collect();
    for commit in &plan.commits {
        builder.insert_object(*commit, None)?;
    }
    // Oldest first, so that each commit is compared with its parent.
    for commit in plan.commits.iter().rev() {
        let tree = tree_of(commit)?;
        insert_tree(git, tree, &bases, builder, &mut seen)?;
        bases = vec![tree];
        bases.extend(plan.bases.iter().filter_map(|base| tree_of(base).ok()));
    }
    for other in &plan.others {
        match git.find_object(*other, None)?.kind() {
            Some(ObjectType::Tree) => insert_tree(git, *other, &[], builder, &mut seen)?,
            _ => builder.insert_object(*other, None)?,
        }
    }
    Ok(())
}

/// Visited and skipped objects.
struct VisitedObjects {
    objects: HashSet<Oid>,
    without_blobs: bool,
}

/// Inserts a tree, except for objects that a base has at the same path.
fn insert_tree(
    git: &Git,
    tree: Oid,
    bases: &[Oid],
    builder: &mut PackBuilder<'_>,
    seen: &mut VisitedObjects,
) -> Result<(), git2::Error> {
    if bases.contains(&tree) || !seen.objects.insert(tree) {
        return Ok(());
    }
    builder.insert_object(tree, None)?;
    let bases: Vec<git2::Tree<'_>> = bases
        .iter()
        .filter_map(|base| git.find_tree(*base).ok())
        .collect();
    let tree = git.find_tree(tree)?;
    for entry in &tree {
        let name = entry.name_bytes();
        let below: Vec<Oid> = bases
            .iter()
            .filter_map(|base| base.iter().find(|other| other.name_bytes() == name))
            .map(|other| other.id())
            .collect();
        match entry.kind() {
            Some(ObjectType::Tree) => insert_tree(git, entry.id(), &below, builder, seen)?,
            Some(ObjectType::Blob) if seen.without_blobs => {}
            Some(ObjectType::Blob)
                if !below.contains(&entry.id()) && seen.objects.insert(entry.id()) =>
            {
                builder.insert_object(entry.id(), std::str::from_utf8(name).ok())?;
            }
            // The commit of a submodule belongs to another repository.
            _ => {}
        }
    }
    Ok(())
}
