//! GitLab's routes. A project is one part of the path, escaped.

use serde_json::{Value, json};

use super::{Field, ForgeRequest, Key, Proposal, Reply, Repo, State, Token, page};

type Answer = Result<Reply, Reply>;

fn not_found(what: &str) -> Reply {
    Reply::json(404, &json!({ "message": format!("404 {what} Not Found") }))
}

fn shown(repo: &Repo, groups: &[String]) -> Value {
    let shares = repo.grants.iter().map(|(team, level)| {
        json!({
            "group_id": number_of(groups, team),
            "group_full_path": team,
            "group_access_level": level.parse::<u32>().unwrap_or_default(),
        })
    });
    json!({
        "id": 7,
        "path": repo.name,
        "path_with_namespace": format!("{}/{}", repo.owner, repo.name),
        "visibility": repo.visibility,
        "archived": repo.archived,
        "default_branch": repo.default_branch,
        "http_url_to_repo": "https://elsewhere.example/clone.git",
        "shared_with_groups": shares.collect::<Vec<_>>(),
    })
}

/// Groups have numbers: those of teams begin at 100.
fn number_of(groups: &[String], name: &str) -> Option<usize> {
    groups
        .iter()
        .position(|group| group == name)
        .map(|at| at + 100)
}

fn key(key: &Key) -> Value {
    json!({ "id": key.id, "title": key.title, "key": key.key, "can_push": key.can_push, "created_at": "2026-01-01T00:00:00Z" })
}

fn token(token: &Token, is_new: bool) -> Value {
    let mut shown = json!({
        "id": token.id,
        "name": token.name,
        "username": token.username,
        "expires_at": null,
        "revoked": token.revoked,
        "expired": false,
        "scopes": ["read_repository"],
    });
    if is_new {
        shown["token"] = json!(token.token);
    }
    shown
}

fn request(one: &Proposal) -> Value {
    json!({
        "iid": one.number,
        "web_url": format!("https://gitlab.example/-/merge_requests/{}", one.number),
        "state": if one.state == "open" { "opened" } else { &one.state },
        "source_project_id": if one.fork.is_some() { 8 } else { 7 },
        "target_project_id": 7,
        "title": one.title,
        "description": one.text,
        "labels": one.labels,
        "merge_when_pipeline_succeeds": one.auto_merge.is_some(),
    })
}

pub(super) fn answer(state: &mut State, seen: &ForgeRequest) -> Answer {
    let (method, path) = seen.route();
    let teams = state.teams.clone();
    match (method, path.as_slice()) {
        ("GET", ["user"]) => Ok(Reply::json(200, &json!({ "username": state.login }))),
        ("GET", ["users"]) => {
            let name = seen.query.get("username").cloned().unwrap_or_default();
            let found = state.is_user(&name).then(|| json!({ "username": name }));
            Ok(Reply::json(
                200,
                &json!(found.into_iter().collect::<Vec<_>>()),
            ))
        }
        ("GET", ["groups", name]) => {
            if seen.query.get("with_projects").map(String::as_str) != Some("false") {
                return Err(Reply::complaint("all projects of a group are asked for"));
            }
            let id = match number_of(&teams, name) {
                Some(id) => id,
                None if state.is_organization(name) => 3,
                None => return Err(not_found("Group")),
            };
            Ok(Reply::json(200, &json!({ "id": id, "full_path": name })))
        }
        ("POST", ["projects"]) => create(state, seen),
        (_, ["projects", project, rest @ ..]) => {
            let (owner, name) = project
                .rsplit_once('/')
                .ok_or_else(|| not_found("Project"))?;
            of_project(state, seen, (owner, name), rest)
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

fn create(state: &mut State, seen: &ForgeRequest) -> Answer {
    let owner = match seen.body["namespace_id"].as_u64() {
        Some(3) => state.organizations[0].clone(),
        Some(_) => return Err(Reply::complaint("another namespace")),
        None => state.login.clone(),
    };
    let always: [Field; 4] = [
        ("name", Value::is_string),
        ("path", Value::is_string),
        ("visibility", Value::is_string),
        ("default_branch", Value::is_string),
    ];
    let mut fields = always.to_vec();
    if seen.body["namespace_id"].is_u64() {
        fields.push(("namespace_id", Value::is_u64));
    }
    seen.has(&fields)?;
    let name = seen.text("path");
    if state.repo(&owner, &name).is_some() {
        let taken = json!({ "message": { "path": ["has already been taken"] } });
        return Err(Reply::json(400, &taken));
    }
    let mut repo = Repo::new(&owner, &name);
    repo.visibility = seen.text("visibility");
    repo.default_branch = Some(seen.text("default_branch"));
    let reply = Reply::json(201, &shown(&repo, &state.teams));
    state.repositories.push(repo);
    Ok(reply)
}

fn of_project(state: &mut State, seen: &ForgeRequest, at: (&str, &str), rest: &[&str]) -> Answer {
    let (teams, id, most) = (state.teams.clone(), state.fresh(), state.page);
    let repo = state.repo(at.0, at.1).ok_or_else(|| not_found("Project"))?;
    match (seen.method.as_str(), rest) {
        ("GET", []) => Ok(Reply::json(200, &shown(repo, &teams))),
        ("PUT", []) => {
            seen.has(&[("visibility", Value::is_string)])?;
            repo.visibility = seen.text("visibility");
            Ok(Reply::json(200, &shown(repo, &teams)))
        }
        (_, ["share", ..]) => of_shares(repo, &teams, seen, rest),
        (_, ["deploy_keys", ..]) => of_keys(repo, (id, most), seen, rest),
        (_, ["deploy_tokens", ..]) => of_tokens(repo, (id, most), seen, rest),
        (_, ["merge_requests", ..]) => of_merge_requests(repo, (id, most), seen, rest),
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Groups that share a project.
fn of_shares(repo: &mut Repo, teams: &[String], seen: &ForgeRequest, rest: &[&str]) -> Answer {
    match (seen.method.as_str(), rest) {
        ("POST", ["share"]) => {
            seen.has(&[("group_id", Value::is_u64), ("group_access", Value::is_u64)])?;
            let id = seen.body["group_id"].as_u64().unwrap_or_default();
            let mut names = teams.iter();
            let name = names.find(|name| number_of(teams, name).map(|one| one as u64) == Some(id));
            let name = name.ok_or_else(|| not_found("Group"))?;
            if repo.grants.contains_key(name) {
                let taken = json!({ "message": { "shared_with_group_id": ["already shared with this group"] } });
                return Err(Reply::json(409, &taken));
            }
            let level = seen.body["group_access"].to_string();
            repo.grants.insert(name.clone(), level);
            Ok(Reply::json(201, &json!({ "id": 1 })))
        }
        ("DELETE", ["share", id]) => {
            repo.grants.retain(|team, _| {
                number_of(teams, team).map(|one| one.to_string()).as_deref() != Some(*id)
            });
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Deploy keys; `id` is for a new one, `most` the size of a page.
fn of_keys(
    repo: &mut Repo,
    (id, most): (u64, usize),
    seen: &ForgeRequest,
    rest: &[&str],
) -> Answer {
    match (seen.method.as_str(), rest) {
        ("GET", ["deploy_keys"]) => {
            let all: Vec<Value> = repo.keys.iter().map(key).collect();
            Ok(page(&all, seen, "per_page", most))
        }
        ("POST", ["deploy_keys"]) => {
            seen.has(&[
                ("title", Value::is_string),
                ("key", Value::is_string),
                ("can_push", Value::is_boolean),
            ])?;
            let made = Key {
                id,
                title: seen.text("title"),
                key: seen.text("key").trim().to_owned(),
                can_push: seen.body["can_push"] == json!(true),
            };
            if repo.keys.iter().any(|one| one.key == made.key) {
                let taken = json!({ "message": { "deploy_key.fingerprint_sha256": ["has already been taken"] } });
                return Err(Reply::json(400, &taken));
            }
            let reply = Reply::json(201, &key(&made));
            repo.keys.push(made);
            Ok(reply)
        }
        ("DELETE", ["deploy_keys", id]) => {
            repo.remove_key(id).ok_or_else(|| not_found("Deploy Key"))?;
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Deploy tokens.
fn of_tokens(
    repo: &mut Repo,
    (id, most): (u64, usize),
    seen: &ForgeRequest,
    rest: &[&str],
) -> Answer {
    match (seen.method.as_str(), rest) {
        ("GET", ["deploy_tokens"]) => {
            let all: Vec<Value> = repo.tokens.iter().map(|one| token(one, false)).collect();
            Ok(page(&all, seen, "per_page", most))
        }
        ("POST", ["deploy_tokens"]) => {
            seen.has(&[
                ("name", Value::is_string),
                ("scopes", |value| *value == json!(["read_repository"])),
            ])?;
            let made = Token {
                id,
                name: seen.text("name"),
                username: format!("gitlab+deploy-token-{id}"),
                token: format!("canary-of-deploy-token-{id}"),
                revoked: false,
            };
            let reply = Reply::json(201, &token(&made, true));
            repo.tokens.push(made);
            Ok(reply)
        }
        ("DELETE", ["deploy_tokens", id]) => {
            repo.tokens.retain(|token| token.id.to_string() != *id);
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Merge requests.
fn of_merge_requests(
    repo: &mut Repo,
    (id, most): (u64, usize),
    seen: &ForgeRequest,
    rest: &[&str],
) -> Answer {
    match (seen.method.as_str(), rest) {
        ("GET", ["merge_requests"]) => {
            let asked = |name: &str| seen.query.get(name).map(String::as_str);
            let is_asked = |one: &&Proposal| {
                asked("state") == Some("opened")
                    && one.state == "open"
                    && asked("source_branch") == Some(&one.from)
                    && asked("target_branch") == Some(&one.into)
            };
            let all: Vec<Value> = repo
                .proposals
                .iter()
                .filter(is_asked)
                .map(request)
                .collect();
            Ok(page(&all, seen, "per_page", most))
        }
        ("POST", ["merge_requests"]) => {
            seen.has(&[
                ("title", Value::is_string),
                ("source_branch", Value::is_string),
                ("target_branch", Value::is_string),
                ("description", Value::is_string),
                ("remove_source_branch", Value::is_boolean),
            ])?;
            let made = Proposal {
                number: id,
                from: seen.text("source_branch"),
                into: seen.text("target_branch"),
                title: seen.text("title"),
                text: seen.text("description"),
                state: "open".to_owned(),
                ..Proposal::default()
            };
            let reply = Reply::json(201, &request(&made));
            repo.proposals.push(made);
            Ok(reply)
        }
        ("GET", ["merge_requests", number]) => {
            let found = repo
                .proposal(number)
                .ok_or_else(|| not_found("Merge Request"))?;
            Ok(Reply::json(200, &request(found)))
        }
        ("PUT", ["merge_requests", number, rest @ ..]) => {
            let has_checks = repo.has_checks;
            let found = repo
                .proposal(number)
                .ok_or_else(|| not_found("Merge Request"))?;
            match rest {
                [] => change(found, seen)?,
                ["merge"] => {
                    seen.has(&[
                        ("auto_merge", |value| *value == json!(true)),
                        ("merge_when_pipeline_succeeds", |value| {
                            *value == json!(true)
                        }),
                        ("squash", Value::is_boolean),
                    ])?;
                    if has_checks {
                        let is_squashed = seen.body["squash"] == json!(true);
                        let method = if is_squashed { "squash" } else { "merge" };
                        found.auto_merge = Some(method.to_owned());
                    } else {
                        "merged".clone_into(&mut found.state);
                    }
                }
                _ => return Err(Reply::complaint("no such route")),
            }
            Ok(Reply::json(200, &request(found)))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Changes a merge request.
fn change(one: &mut Proposal, seen: &ForgeRequest) -> Result<(), Reply> {
    one.version += 1;
    if seen.body.get("state_event").is_some() {
        seen.has(&[("state_event", |value| *value == json!("close"))])?;
        "closed".clone_into(&mut one.state);
    } else if seen.body.get("add_labels").is_some() {
        seen.has(&[("add_labels", Value::is_string)])?;
        let added = seen.text("add_labels");
        one.labels.extend(added.split(',').map(str::to_owned));
    } else {
        seen.has(&[
            ("title", Value::is_string),
            ("description", Value::is_string),
        ])?;
        one.title = seen.text("title");
        one.text = seen.text("description");
    }
    Ok(())
}
