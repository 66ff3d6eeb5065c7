//! GitHub's routes.

use serde_json::{Value, json};

use super::{ForgeRequest, Key, Proposal, Reply, Repo, State, page};

type Answer = Result<Reply, Reply>;

fn not_found() -> Reply {
    Reply::json(404, &json!({ "message": "Not Found", "status": "404" }))
}

fn invalid(error: &Value) -> Reply {
    let body = json!({ "message": "Validation Failed", "errors": [error] });
    Reply::json(422, &body)
}

fn shown(repo: &Repo) -> Value {
    json!({
        "id": 1,
        "name": repo.name,
        "full_name": format!("{}/{}", repo.owner, repo.name),
        "private": repo.visibility != "public",
        "visibility": repo.visibility,
        "archived": repo.archived,
        "clone_url": "https://elsewhere.example/clone.git",
    })
}

fn key(key: &Key) -> Value {
    json!({
        "id": key.id,
        "title": key.title,
        "key": key.key,
        "read_only": !key.can_push,
        "verified": true,
    })
}

fn pull(pull: &Proposal) -> Value {
    json!({
        "number": pull.number,
        "html_url": format!("https://github.example/pull/{}", pull.number),
        "state": if pull.state == "open" { "open" } else { "closed" },
        "merged_at": (pull.state == "merged").then_some("2026-01-01T00:00:00Z"),
        "title": pull.title,
        "body": (!pull.text.is_empty()).then_some(&pull.text),
        "labels": pull.labels.iter().map(|name| json!({ "id": 1, "name": name })).collect::<Vec<_>>(),
        "auto_merge": pull.auto_merge.as_ref().map(|method| json!({ "merge_method": method })),
        "node_id": format!("PR_{}", pull.number),
    })
}

pub(super) fn answer(state: &mut State, seen: &ForgeRequest) -> Answer {
    if seen.header("x-github-api-version") != "2022-11-28" {
        return Err(Reply::complaint("no version of the API"));
    }
    let wants_permissions = seen.header("accept") == "application/vnd.github.v3.repository+json";
    if !wants_permissions && seen.header("accept") != "application/vnd.github+json" {
        return Err(Reply::complaint("another media type"));
    }
    let (method, path) = seen.route();
    match (method, path.as_slice()) {
        ("GET", ["user"]) => {
            let body = json!({ "login": state.login, "type": "User" });
            Ok(Reply::json(200, &body))
        }
        ("GET", ["users", name]) => {
            let kind = match () {
                () if state.is_user(name) => "User",
                () if state.is_organization(name) => "Organization",
                () => return Err(not_found()),
            };
            Ok(Reply::json(200, &json!({ "login": name, "type": kind })))
        }
        ("POST", ["user", "repos"]) => {
            seen.has(&[("name", Value::is_string), ("private", Value::is_boolean)])?;
            let owner = state.login.clone();
            create(state, &owner, seen)
        }
        ("POST", ["orgs", owner, "repos"]) => {
            seen.has(&[
                ("name", Value::is_string),
                ("private", Value::is_boolean),
                ("visibility", Value::is_string),
            ])?;
            if !state.is_organization(owner) {
                return Err(not_found());
            }
            create(state, owner, seen)
        }
        ("GET", ["repos", owner, name]) => {
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            Ok(Reply::json(200, &shown(repo)))
        }
        ("PATCH", ["repos", owner, name]) => {
            seen.has(&[("visibility", Value::is_string)])?;
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            repo.visibility = seen.text("visibility");
            Ok(Reply::json(200, &shown(repo)))
        }
        (_, ["repos", owner, name, "keys", rest @ ..]) => keys(state, seen, owner, name, rest),
        (_, ["repos", owner, name, "pulls", rest @ ..]) => pulls(state, seen, owner, name, rest),
        ("POST", ["repos", owner, name, "issues", number, "labels"]) => {
            seen.has(&[("labels", Value::is_array)])?;
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            let pull = repo.proposal(number).ok_or_else(not_found)?;
            let added = seen.body["labels"].as_array().into_iter().flatten();
            pull.labels
                .extend(added.filter_map(Value::as_str).map(str::to_owned));
            Ok(Reply::json(200, &json!([])))
        }
        ("POST", ["graphql"]) => graph(state, seen),
        ("GET", ["orgs", org, "teams", team, "repos", owner, name]) if org == owner => {
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            let level = repo.grants.get(*team).ok_or_else(not_found)?;
            if !wants_permissions {
                return Ok(Reply::empty(204));
            }
            let levels = ["pull", "triage", "push", "maintain", "admin"];
            let at = levels.iter().position(|one| one == level);
            let pairs = levels.iter().enumerate();
            let pairs = pairs.map(|(index, one)| ((*one).to_owned(), json!(Some(index) <= at)));
            let mut body = shown(repo);
            body["permissions"] = Value::Object(pairs.collect());
            Ok(Reply::json(200, &body))
        }
        ("PUT", ["orgs", org, "teams", team, "repos", owner, name]) if org == owner => {
            seen.has(&[("permission", Value::is_string)])?;
            if !state.is_team(team) {
                return Err(not_found());
            }
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            repo.grants
                .insert((*team).to_owned(), seen.text("permission"));
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

fn create(state: &mut State, owner: &str, seen: &ForgeRequest) -> Answer {
    let name = seen.text("name");
    if state.repo(owner, &name).is_some() {
        let message = "name already exists on this account";
        return Err(invalid(
            &json!({ "resource": "Repository", "code": "custom", "field": "name", "message": message }),
        ));
    }
    let mut repo = Repo::new(owner, &name);
    if seen.body["private"] == json!(false) {
        "public".clone_into(&mut repo.visibility);
    }
    let reply = Reply::json(201, &shown(&repo));
    state.repositories.push(repo);
    Ok(reply)
}

fn keys(state: &mut State, seen: &ForgeRequest, owner: &str, name: &str, rest: &[&str]) -> Answer {
    let (id, most) = (state.fresh(), state.page);
    let repo = state.repo(owner, name).ok_or_else(not_found)?;
    match (seen.method.as_str(), rest) {
        ("GET", []) => {
            let all: Vec<Value> = repo.keys.iter().map(key).collect();
            Ok(page(&all, seen, "per_page", most))
        }
        ("POST", []) => {
            seen.has(&[
                ("title", Value::is_string),
                ("key", Value::is_string),
                ("read_only", Value::is_boolean),
            ])?;
            let text = seen.text("key");
            let bare: Vec<&str> = text.split_whitespace().take(2).collect();
            let bare = bare.join(" ");
            if repo.keys.iter().any(|one| one.key == bare) {
                return Err(invalid(
                    &json!({ "resource": "PublicKey", "code": "custom", "field": "key", "message": "key is already in use" }),
                ));
            }
            let made = Key {
                id,
                title: seen.text("title"),
                key: bare,
                can_push: seen.body["read_only"] == json!(false),
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

fn pulls(state: &mut State, seen: &ForgeRequest, owner: &str, name: &str, rest: &[&str]) -> Answer {
    let (number, most) = (state.fresh(), state.page);
    let repo = state.repo(owner, name).ok_or_else(not_found)?;
    match (seen.method.as_str(), rest) {
        ("GET", []) => {
            let asked = |name: &str| seen.query.get(name).map(String::as_str);
            let head = |one: &Proposal| one.fork.clone().unwrap_or_else(|| owner.to_owned());
            let is_asked = |one: &&Proposal| {
                asked("state") == Some("open")
                    && one.state == "open"
                    && asked("head") == Some(&format!("{}:{}", head(one), one.from))
                    && asked("base") == Some(&one.into)
            };
            let all: Vec<Value> = repo.proposals.iter().filter(is_asked).map(pull).collect();
            Ok(page(&all, seen, "per_page", most))
        }
        ("POST", []) => {
            let made = seen.pull(number)?;
            let reply = Reply::json(201, &pull(&made));
            repo.proposals.push(made);
            Ok(reply)
        }
        ("GET", [number]) => {
            let found = repo.proposal(number).ok_or_else(not_found)?;
            Ok(Reply::json(200, &pull(found)))
        }
        ("PATCH", [number]) => {
            let found = repo.proposal(number).ok_or_else(not_found)?;
            seen.change_pull(found)?;
            Ok(Reply::json(200, &pull(found)))
        }
        ("PUT", [number, "merge"]) => {
            seen.has(&[("merge_method", Value::is_string)])?;
            let found = repo.proposal(number).ok_or_else(not_found)?;
            "merged".clone_into(&mut found.state);
            Ok(Reply::json(200, &json!({ "merged": true })))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Enables auto-merge, the only mutation that clients use.
fn graph(state: &mut State, seen: &ForgeRequest) -> Answer {
    seen.has(&[("query", Value::is_string), ("variables", Value::is_object)])?;
    if !seen.text("query").contains("enablePullRequestAutoMerge(") {
        return Err(Reply::complaint("another mutation"));
    }
    let variables = &seen.body["variables"];
    let id = variables["id"].as_str().unwrap_or_default();
    let number = id.strip_prefix("PR_").unwrap_or_default();
    let method = variables["method"].as_str().unwrap_or_default();
    if !["MERGE", "SQUASH", "REBASE"].contains(&method) {
        return Err(Reply::complaint("another merge method"));
    }
    let mut repositories = state.repositories.iter_mut();
    let found = repositories.find_map(|repo| {
        let has_checks = repo.has_checks;
        Some((has_checks, repo.proposal(number)?))
    });
    let refused = |message: &str| {
        let body =
            json!({ "data": null, "errors": [{ "type": "UNPROCESSABLE", "message": message }] });
        Ok(Reply::json(200, &body))
    };
    match found {
        None => refused("Could not resolve to a node with the global id"),
        Some((false, _)) => refused("Pull request Pull request is in clean status"),
        Some((true, pull)) => {
            pull.auto_merge = Some(method.to_lowercase());
            let done = json!({ "enablePullRequestAutoMerge": { "clientMutationId": null } });
            Ok(Reply::json(200, &json!({ "data": done })))
        }
    }
}
