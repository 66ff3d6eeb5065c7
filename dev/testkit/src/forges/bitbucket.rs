//! Bitbucket Server's routes. A project has a key beside its name: its name in capitals.

use serde_json::{Value, json};

use super::{ForgeRequest, Key, Proposal, Reply, Repo, State};

type Answer = Result<Reply, Reply>;

fn errors(status: u16, message: &str) -> Reply {
    let error = json!({ "context": null, "message": message, "exceptionName": null });
    Reply::json(status, &json!({ "errors": [error] }))
}

fn not_found() -> Reply {
    errors(404, "Repository does not exist.")
}

fn shown(repo: &Repo) -> Value {
    json!({
        "slug": repo.name,
        "id": 1,
        "name": repo.name,
        "scmId": "git",
        "public": repo.visibility == "public",
        "archived": repo.archived,
        "project": { "key": repo.owner },
        "links": { "clone": [{ "href": "https://elsewhere.example/clone.git", "name": "http" }] },
    })
}

fn key(key: &Key) -> Value {
    let permission = if key.can_push {
        "REPO_WRITE"
    } else {
        "REPO_READ"
    };
    json!({ "key": { "id": key.id, "text": key.key, "label": key.title }, "permission": permission })
}

/// Returns the full name of a branch and its repository.
fn branch(owner: &str, slug: &str, name: &str) -> Value {
    json!({
        "id": format!("refs/heads/{name}"),
        "displayId": name,
        "latestCommit": "0".repeat(40),
        "repository": { "slug": slug, "id": 1, "project": { "key": owner, "id": 1 } },
    })
}

fn pull(owner: &str, slug: &str, one: &Proposal) -> Value {
    let from = one
        .fork
        .as_ref()
        .map_or_else(|| owner.to_owned(), |fork| format!("~{fork}"));
    let state = match one.state.as_str() {
        "open" => "OPEN",
        "merged" => "MERGED",
        _ => "DECLINED",
    };
    let url = format!("https://bitbucket.example/pull-requests/{}", one.number);
    json!({
        "id": one.number,
        "version": one.version,
        "title": one.title,
        "description": one.text,
        "reviewers": [{ "user": { "name": "somebody" } }],
        "state": state,
        "open": state == "OPEN",
        "closed": state != "OPEN",
        "locked": false,
        "fromRef": branch(&from, slug, &one.from),
        "toRef": branch(owner, slug, &one.into),
        "links": { "self": [{ "href": url }] },
    })
}

fn page(all: &[Value], seen: &ForgeRequest, most: usize) -> Reply {
    let number = |name: &str| seen.query.get(name).and_then(|text| text.parse().ok());
    let (Some(limit), Some(start)) = (number("limit"), number("start")) else {
        return Reply::complaint("a list without limit and start");
    };
    let size: usize = most.min(limit);
    let here: Vec<&Value> = all.iter().skip(start).take(size).collect();
    let is_last = start + size >= all.len();
    let next = (!is_last).then_some(start + size);
    Reply::json(
        200,
        &json!({ "size": here.len(), "limit": size, "start": start, "values": here, "isLastPage": is_last, "nextPageStart": next }),
    )
}

fn keyed(name: &str) -> String {
    name.to_uppercase()
}

pub(super) fn answer(state: &mut State, seen: &ForgeRequest) -> Answer {
    let most = state.page;
    let (method, path) = seen.route();
    match (method, path.as_slice()) {
        ("GET", ["api", "1.0", "projects"]) => {
            let asked = seen.query.get("name").cloned().unwrap_or_default();
            // The filter matches substrings.
            let fits = |name: &&String| name.to_lowercase().contains(&asked.to_lowercase());
            let found = state.organizations.iter().filter(fits);
            let all: Vec<Value> = found
                .map(|name| json!({ "key": keyed(name), "id": 1, "name": name, "type": "NORMAL" }))
                .collect();
            Ok(page(&all, seen, most))
        }
        ("GET", ["api", "1.0", "projects", key]) => {
            let mut all = state.organizations.iter();
            let found = all.find(|name| keyed(name).eq_ignore_ascii_case(key));
            let name = found.ok_or_else(|| errors(404, "Project does not exist."))?;
            Ok(Reply::json(
                200,
                &json!({ "key": keyed(name), "id": 1, "name": name }),
            ))
        }
        ("GET", ["api", "1.0", "projects", _, "permissions", "groups"]) => {
            Ok(page(&[], seen, most))
        }
        ("POST", ["api", "1.0", "projects", owner, "repos"]) => {
            seen.has(&[
                ("name", Value::is_string),
                ("scmId", |value| *value == json!("git")),
                ("public", Value::is_boolean),
                ("defaultBranch", Value::is_string),
            ])?;
            let is_mine = *owner == format!("~{}", state.login);
            if !is_mine && !state.organizations.iter().any(|name| keyed(name) == *owner) {
                return Err(errors(404, "Project does not exist."));
            }
            let name = seen.text("name").to_lowercase();
            if state.repo(owner, &name).is_some() {
                return Err(errors(409, "This repository URL is already taken."));
            }
            let mut repo = Repo::new(owner, &name);
            repo.default_branch = Some(seen.text("defaultBranch"));
            if seen.body["public"] == json!(true) {
                "public".clone_into(&mut repo.visibility);
            }
            let reply = Reply::json(201, &shown(&repo));
            state.repositories.push(repo);
            Ok(reply)
        }
        (
            _,
            [
                "api",
                "1.0",
                "projects",
                owner,
                "repos",
                name,
                "pull-requests",
                rest @ ..,
            ],
        ) => pulls(state, seen, (owner, name), rest),
        (_, ["api", "1.0", "projects", owner, "repos", name, rest @ ..]) => {
            of_repository(state, seen, (owner, name), rest)
        }
        (
            _,
            [
                "keys",
                "1.0",
                "projects",
                owner,
                "repos",
                name,
                "ssh",
                rest @ ..,
            ],
        ) => keys(state, seen, (owner, name), rest),
        _ => Err(Reply::complaint("no such route")),
    }
}

fn of_repository(
    state: &mut State,
    seen: &ForgeRequest,
    at: (&str, &str),
    rest: &[&str],
) -> Answer {
    let (most, teams) = (state.page, state.teams.clone());
    let repo = state.repo(at.0, at.1).ok_or_else(not_found)?;
    match (seen.method.as_str(), rest) {
        ("GET", []) => Ok(Reply::json(200, &shown(repo))),
        ("PUT", []) => {
            seen.has(&[("public", Value::is_boolean)])?;
            let is_public = seen.body["public"] == json!(true);
            let visibility = if is_public { "public" } else { "private" };
            visibility.clone_into(&mut repo.visibility);
            Ok(Reply::json(200, &shown(repo)))
        }
        ("GET", ["permissions", "groups"]) => {
            let asked = seen.query.get("filter").cloned().unwrap_or_default();
            let fits = repo.grants.iter().filter(|(name, _)| name.contains(&asked));
            let all: Vec<Value> = fits
                .map(|(name, level)| json!({ "group": { "name": name }, "permission": level }))
                .collect();
            Ok(page(&all, seen, most))
        }
        ("PUT", ["permissions", "groups"]) => {
            let asked = |name: &str| seen.query.get(name).cloned().unwrap_or_default();
            let (level, name) = (asked("permission"), asked("name"));
            if !["REPO_READ", "REPO_WRITE", "REPO_ADMIN"].contains(&level.as_str()) {
                return Err(Reply::complaint(format!("permission {level}")));
            }
            if !teams.contains(&name) {
                return Err(errors(404, "No such group."));
            }
            repo.grants.insert(name, level);
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

fn pulls(state: &mut State, seen: &ForgeRequest, at: (&str, &str), rest: &[&str]) -> Answer {
    let (number, most) = (state.fresh(), state.page);
    let repo = state.repo(at.0, at.1).ok_or_else(not_found)?;
    let (owner, slug) = (repo.owner.clone(), repo.name.clone());
    let shown = |one: &Proposal| pull(&owner, &slug, one);
    match (seen.method.as_str(), rest) {
        ("GET", []) => {
            let asked = |name: &str| seen.query.get(name).map(String::as_str);
            if asked("state") != Some("OPEN") || asked("direction") != Some("OUTGOING") {
                return Err(Reply::complaint("not the open ones of branches of its own"));
            }
            // Forks are included, so a client must not rely on the filter alone.
            let is_asked = |one: &&Proposal| {
                one.state == "open" && asked("at") == Some(&format!("refs/heads/{}", one.from))
            };
            let all: Vec<Value> = repo.proposals.iter().filter(is_asked).map(shown).collect();
            Ok(page(&all, seen, most))
        }
        ("POST", []) => {
            seen.has(&[
                ("title", Value::is_string),
                ("description", Value::is_string),
                ("fromRef", Value::is_object),
                ("toRef", Value::is_object),
            ])?;
            let name = |side: &str| {
                let told = &seen.body[side];
                let here = json!({ "slug": slug, "project": { "key": owner } });
                let name = told["id"]
                    .as_str()
                    .and_then(|id| id.strip_prefix("refs/heads/"));
                let name = name.filter(|_| told["repository"] == here);
                name.ok_or_else(|| Reply::complaint(format!("{side} is {told}")))
            };
            let made = Proposal {
                number,
                from: name("fromRef")?.to_owned(),
                into: name("toRef")?.to_owned(),
                title: seen.text("title"),
                text: seen.text("description"),
                state: "open".to_owned(),
                ..Proposal::default()
            };
            let key = |one: &Proposal| (one.state.clone(), one.from.clone(), one.into.clone());
            let mut own = repo.proposals.iter().filter(|one| one.fork.is_none());
            if own.any(|one| key(one) == key(&made)) {
                return Err(errors(409, "There is an open pull request of that branch."));
            }
            let reply = Reply::json(201, &shown(&made));
            repo.proposals.push(made);
            Ok(reply)
        }
        ("GET", [number]) => {
            let found = repo.proposal(number).ok_or_else(not_found)?;
            Ok(Reply::json(200, &shown(found)))
        }
        ("PUT", [number]) => {
            seen.has(&[
                ("title", Value::is_string),
                ("description", Value::is_string),
                ("version", Value::is_u64),
                ("reviewers", |value| {
                    *value == json!([{ "user": { "name": "somebody" } }])
                }),
            ])?;
            let found = repo.proposal(number).ok_or_else(not_found)?;
            if seen.body["version"] != json!(found.version) {
                return Err(errors(409, "You are attempting to modify an old version."));
            }
            found.version += 1;
            found.title = seen.text("title");
            found.text = seen.text("description");
            Ok(Reply::json(200, &shown(found)))
        }
        ("POST", [number, "decline"]) => {
            let found = repo.proposal(number).ok_or_else(not_found)?;
            let version = seen.query.get("version").map(String::as_str);
            if version != Some(&found.version.to_string()) {
                return Err(errors(409, "You are attempting to modify an old version."));
            }
            "closed".clone_into(&mut found.state);
            Ok(Reply::json(200, &shown(found)))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

fn keys(state: &mut State, seen: &ForgeRequest, at: (&str, &str), rest: &[&str]) -> Answer {
    let (id, most) = (state.fresh(), state.page);
    let repo = state.repo(at.0, at.1).ok_or_else(not_found)?;
    match (seen.method.as_str(), rest) {
        ("GET", []) => {
            let all: Vec<Value> = repo.keys.iter().map(key).collect();
            Ok(page(&all, seen, most))
        }
        ("POST", []) => {
            seen.has(&[("key", Value::is_object), ("permission", Value::is_string)])?;
            let text = seen.body["key"]["text"].as_str().unwrap_or_default();
            let words: Vec<&str> = text.splitn(3, ' ').collect();
            let [_, bare, label] = words.as_slice() else {
                return Err(Reply::complaint("a key without a label"));
            };
            if repo.keys.iter().any(|one| one.key.contains(bare)) {
                return Err(errors(409, "The key is already in use."));
            }
            let made = Key {
                id,
                title: (*label).to_owned(),
                key: text.to_owned(),
                can_push: seen.text("permission") == "REPO_WRITE",
            };
            let reply = Reply::json(201, &key(&made));
            repo.keys.push(made);
            Ok(reply)
        }
        ("DELETE", [id]) => {
            repo.remove_key(id).ok_or_else(not_found)?;
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}
