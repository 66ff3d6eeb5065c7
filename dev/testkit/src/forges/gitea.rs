//! Gitea's routes.

use serde_json::{Value, json};

use super::{ForgeRequest, Key, Proposal, Reply, Repo, State};

type Answer = Result<Reply, Reply>;

fn not_found() -> Reply {
    refusal(404, "The target couldn't be found.")
}

fn refusal(status: u16, message: &str) -> Reply {
    let body = json!({ "message": message, "url": "https://gitea.example/api/swagger" });
    Reply::json(status, &body)
}

fn shown(repo: &Repo) -> Value {
    json!({
        "id": 1,
        "name": repo.name,
        "full_name": format!("{}/{}", repo.owner, repo.name),
        "private": repo.visibility == "private",
        "internal": repo.visibility == "internal",
        "archived": repo.archived,
        "clone_url": "https://elsewhere.example/clone.git",
    })
}

fn key(key: &Key) -> Value {
    json!({
        "id": key.id,
        "key_id": key.id,
        "title": key.title,
        "key": key.key,
        "fingerprint": "SHA256:x",
        "read_only": !key.can_push,
    })
}

fn pull(pull: &Proposal) -> Value {
    json!({
        "number": pull.number,
        "html_url": format!("https://gitea.example/pulls/{}", pull.number),
        "state": if pull.state == "open" { "open" } else { "closed" },
        "merged": pull.state == "merged",
        "title": pull.title,
        "body": pull.text,
        "labels": pull.labels.iter().map(|name| json!({ "id": 1, "name": name })).collect::<Vec<_>>(),
        "head": { "ref": pull.from, "label": pull.from, "repo_id": if pull.fork.is_some() { 2 } else { 1 } },
        "base": { "ref": pull.into, "label": pull.into, "repo_id": 1 },
    })
}

/// Returns a page as Gitea does: with the total count and without a link.
fn page(all: &[Value], seen: &ForgeRequest, most: usize) -> Reply {
    let number = |name: &str| seen.query.get(name).and_then(|text| text.parse().ok());
    let (Some(asked), Some(page)) = (number("limit"), number("page")) else {
        return Reply::complaint("a list without limit and page");
    };
    let size: usize = most.min(asked);
    let here: Vec<&Value> = all.iter().skip((page - 1) * size).take(size).collect();
    Reply::json(200, &json!(here)).header("x-total-count", &all.len().to_string())
}

pub(super) fn answer(state: &mut State, seen: &ForgeRequest) -> Answer {
    let (method, path) = seen.route();
    match (method, path.as_slice()) {
        ("GET", ["user"]) => Ok(Reply::json(200, &json!({ "login": state.login }))),
        ("GET", ["users", name]) => {
            // Real Gitea returns organizations here, too.
            if !state.is_user(name) && !state.is_organization(name) {
                return Err(not_found());
            }
            Ok(Reply::json(200, &json!({ "login": name })))
        }
        ("GET", ["orgs", name]) => {
            if !state.is_organization(name) {
                return Err(not_found());
            }
            Ok(Reply::json(200, &json!({ "name": name, "id": 3 })))
        }
        ("POST", ["user", "repos"]) => {
            let owner = state.login.clone();
            create(state, &owner, seen)
        }
        ("POST", ["orgs", owner, "repos"]) => {
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
            seen.has(&[("private", Value::is_boolean)])?;
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            let is_private = seen.body["private"] == json!(true);
            let visibility = if is_private { "private" } else { "public" };
            visibility.clone_into(&mut repo.visibility);
            Ok(Reply::json(200, &shown(repo)))
        }
        (_, ["repos", owner, name, "keys", rest @ ..]) => keys(state, seen, owner, name, rest),
        (_, ["repos", owner, name, "pulls", rest @ ..]) => pulls(state, seen, owner, name, rest),
        (_, ["repos", owner, name, "labels"]) => labels(state, seen, owner, name),
        ("POST", ["repos", owner, name, "issues", number, "labels"]) => {
            seen.has(&[("labels", Value::is_array)])?;
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            let known = repo.labels.clone();
            let pull = repo.proposal(number).ok_or_else(not_found)?;
            for id in seen.body["labels"].as_array().into_iter().flatten() {
                let at = id.as_u64().and_then(|id| usize::try_from(id).ok());
                let name = at.and_then(|at| known.get(at.checked_sub(1)?));
                let name = name.ok_or_else(|| Reply::complaint("a label without a number"))?;
                pull.labels.push(name.clone());
            }
            Ok(Reply::json(200, &json!([])))
        }
        ("GET", ["repos", owner, name, "teams", team]) => {
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            let level = repo.grants.get(*team).ok_or_else(not_found)?;
            Ok(Reply::json(
                200,
                &json!({ "name": team, "permission": level }),
            ))
        }
        ("PUT", ["repos", owner, name, "teams", team]) => {
            if !seen.body.is_null() {
                return Err(Reply::complaint("a body"));
            }
            if !state.is_organization(owner) {
                return Err(Reply::empty(405));
            }
            if !state.is_team(team) {
                let told = format!("team does not exist [org_id 2, team_id 0, name: {team}]");
                return Err(refusal(404, &told));
            }
            let repo = state.repo(owner, name).ok_or_else(not_found)?;
            let before = repo.grants.insert((*team).to_owned(), "write".to_owned());
            match before {
                None => Ok(Reply::empty(204)),
                Some(_) => {
                    let told = format!("team '{team}' is already added to repo");
                    Err(refusal(422, &told))
                }
            }
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

fn create(state: &mut State, owner: &str, seen: &ForgeRequest) -> Answer {
    seen.has(&[
        ("name", Value::is_string),
        ("private", Value::is_boolean),
        ("default_branch", Value::is_string),
        ("auto_init", |value| *value == json!(false)),
    ])?;
    let name = seen.text("name");
    if state.repo(owner, &name).is_some() {
        let told = "The repository with the same name already exists.";
        return Err(refusal(409, told));
    }
    let mut repo = Repo::new(owner, &name);
    repo.default_branch = Some(seen.text("default_branch"));
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
            Ok(page(&all, seen, most))
        }
        ("POST", []) => {
            seen.has(&[
                ("title", Value::is_string),
                ("key", Value::is_string),
                ("read_only", Value::is_boolean),
            ])?;
            let made = Key {
                id,
                title: seen.text("title"),
                key: seen.text("key").trim().to_owned(),
                can_push: seen.body["read_only"] == json!(false),
            };
            let bare = |key: &str| {
                key.split(' ')
                    .take(2)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let mut there = repo.keys.iter();
            if there.any(|one| bare(&one.key) == bare(&made.key)) {
                let told = "This key has already been added to this repository";
                return Err(refusal(422, told));
            }
            if repo.keys.iter().any(|one| one.title == made.title) {
                let told = "A key with the same name already exists";
                return Err(refusal(422, told));
            }
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
            if seen.query.get("state").map(String::as_str) != Some("open") {
                return Err(Reply::complaint("not the open ones"));
            }
            let open = repo.proposals.iter().filter(|one| one.state == "open");
            let all: Vec<Value> = open.map(pull).collect();
            Ok(page(&all, seen, most))
        }
        ("POST", []) => {
            let made = seen.pull(number)?;
            let is_it = |one: &&Proposal| {
                one.state == "open"
                    && one.fork.is_none()
                    && (&one.from, &one.into) == (&made.from, &made.into)
            };
            if let Some(Proposal {
                number, from, into, ..
            }) = repo.proposals.iter().find(is_it)
            {
                let told = format!(
                    "pull request already exists for these targets [id: {number}, issue_id: {number}, head_repo_id: 1, base_repo_id: 1, head_branch: {from}, base_branch: {into}]"
                );
                return Err(refusal(409, &told));
            }
            let reply = Reply::json(201, &pull(&made));
            repo.proposals.push(made);
            Ok(reply)
        }
        ("GET", [number]) => {
            let found = repo
                .proposal(number)
                .ok_or_else(|| refusal(404, "not found"))?;
            Ok(Reply::json(200, &pull(found)))
        }
        ("PATCH", [number]) => {
            let found = repo.proposal(number).ok_or_else(not_found)?;
            seen.change_pull(found)?;
            Ok(Reply::json(201, &pull(found)))
        }
        ("POST", [number, "merge"]) => {
            seen.has(&[
                ("Do", Value::is_string),
                ("merge_when_checks_succeed", |value| *value == json!(true)),
            ])?;
            let has_checks = repo.has_checks;
            let found = repo.proposal(number).ok_or_else(not_found)?;
            if !has_checks {
                "merged".clone_into(&mut found.state);
                return Ok(Reply::empty(200));
            }
            if found.auto_merge.is_some() {
                return Err(refusal(409, "the pull request is already scheduled"));
            }
            found.auto_merge = Some(seen.text("Do"));
            Ok(Reply::empty(201))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}

/// Labels of a repository. Their numbers are their places, from 1 on.
fn labels(state: &mut State, seen: &ForgeRequest, owner: &str, name: &str) -> Answer {
    let most = state.page;
    let repo = state.repo(owner, name).ok_or_else(not_found)?;
    match seen.method.as_str() {
        "GET" => {
            let all = repo.labels.iter().enumerate();
            let all: Vec<Value> = all
                .map(|(at, name)| json!({ "id": at + 1, "name": name }))
                .collect();
            Ok(page(&all, seen, most))
        }
        "POST" => {
            seen.has(&[("name", Value::is_string), ("color", Value::is_string)])?;
            repo.labels.push(seen.text("name"));
            let made = json!({ "id": repo.labels.len(), "name": seen.text("name") });
            Ok(Reply::json(201, &made))
        }
        _ => Err(Reply::complaint("no such route")),
    }
}
