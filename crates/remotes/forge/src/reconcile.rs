//! What takes more than one call: looking what is there, and doing only what is missing.

use crate::{
    Access, DeployKey, DeployToken, Forge, NewDeployKey, NewRepository, Permission, Place,
    Repository, Result,
};

/// What became of a repository, a key, a token or a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It was as it is to be.
    None,
    /// It was made.
    Created,
    /// It was made anew, or changed.
    Updated,
}

/// Finds a repository or makes it. One that is there is changed only if `changes` says so.
pub async fn repository(
    forge: &dyn Forge,
    place: &Place,
    wanted: &NewRepository,
    changes: bool,
) -> Result<(Repository, Change)> {
    let Some(mut found) = forge.find(place).await? else {
        return Ok((forge.create(place, wanted).await?, Change::Created));
    };
    if !is_to_change(&found, wanted, changes) {
        return Ok((found, Change::None));
    }
    forge.show_to(&found, wanted.visibility).await?;
    found.visibility = wanted.visibility;
    Ok((found, Change::Updated))
}

/// Whether a repository that is there is changed.
pub fn is_to_change(found: &Repository, wanted: &NewRepository, changes: bool) -> bool {
    changes && found.visibility != wanted.visibility
}

/// Lets a team do something. One that may do something already is let alone, unless `changes`.
pub async fn team(
    forge: &dyn Forge,
    repository: &Repository,
    team: &str,
    level: Permission,
    changes: bool,
) -> Result<Change> {
    let change = of_team(forge.access(repository, team).await?, level, changes);
    if change != Change::None {
        forge.grant(repository, team, level).await?;
    }
    Ok(change)
}

/// What is to become of the access of a team.
pub fn of_team(access: Access, level: Permission, changes: bool) -> Change {
    match access {
        Access::None => Change::Created,
        Access::Level(there) if there != level && changes => Change::Updated,
        Access::OfTeam | Access::Level(_) => Change::None,
    }
}

/// What is to be done for a key to be there, and no other one under its title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPlan {
    /// Numbers of others of that title, and of the same one where it may do too little.
    pub remove: Vec<u64>,
    /// Whether it is missing.
    pub add: bool,
}

impl KeyPlan {
    /// Compares with what is there. A host takes a key once, so that one which came in under another
    /// title (the path or the branch of the cluster was another one) stays as it is called.
    pub fn new(there: &[DeployKey], wanted: &NewDeployKey) -> Self {
        let is_same = |key: &DeployKey| bare(&key.key) == bare(&wanted.key);
        let concerned = there
            .iter()
            .filter(|key| key.title == wanted.title || is_same(key));
        let mut plan = Self {
            remove: Vec::new(),
            add: true,
        };
        for key in concerned {
            // Under another title it may serve another cluster, too, which may need to push.
            let is_fit = key.is_read_only == wanted.is_read_only
                || key.title != wanted.title && wanted.is_read_only;
            let is_it = is_same(key) && is_fit;
            if is_it && plan.add {
                plan.add = false;
            } else {
                plan.remove.push(key.id);
            }
        }
        plan
    }

    /// Whether all is as it is to be.
    pub const fn is_empty(&self) -> bool {
        self.remove.is_empty() && !self.add
    }
}

/// A key without its comment, which hosts drop or change.
fn bare(key: &str) -> Vec<&str> {
    key.split_whitespace().take(2).collect()
}

/// Makes the wanted key the one of its title, or leaves it under the title that it has.
pub async fn deploy_key(
    forge: &dyn Forge,
    repository: &Repository,
    wanted: &NewDeployKey,
) -> Result<Change> {
    let there = forge.deploy_keys(repository).await?;
    let plan = KeyPlan::new(&there, wanted);
    for id in &plan.remove {
        forge.remove_deploy_key(repository, *id).await?;
    }
    if plan.add {
        forge.add_deploy_key(repository, wanted).await?;
    }
    Ok(match (plan.is_empty(), plan.remove.is_empty()) {
        (true, _) => Change::None,
        (false, true) => Change::Created,
        (false, false) => Change::Updated,
    })
}

/// The deploy token of a name: `None` if the one that is there is the one whose user is known
/// already. What a token is cannot be asked again, so that any other one is replaced.
pub async fn deploy_token(
    forge: &dyn Forge,
    repository: &Repository,
    name: &str,
    known_user: Option<&str>,
) -> Result<Option<DeployToken>> {
    let there = forge.deploy_tokens(repository).await?;
    if known_user.is_some_and(|user| is_known(&there, name, user)) {
        return Ok(None);
    }
    let made = forge.add_deploy_token(repository, name).await?;
    // The new one first: what is interrupted here leaves a token too many, never one too few.
    for old in there.iter().filter(|token| token.name == name) {
        forge.remove_deploy_token(repository, old.id).await?;
    }
    Ok(Some(made))
}

/// Whether there is a token of a name that is this user to Git.
pub fn is_known(there: &[DeployToken], name: &str, user: &str) -> bool {
    let mut there = there.iter();
    there.any(|token| token.name == name && token.username == user)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: u64, title: &str, key: &str, is_read_only: bool) -> DeployKey {
        DeployKey {
            id,
            title: title.to_owned(),
            key: key.to_owned(),
            is_read_only,
        }
    }

    #[test]
    fn one_key_stays_under_whatever_title() {
        let wanted = NewDeployKey {
            title: "ours".to_owned(),
            key: "ssh-ed25519 AAAA comment\n".to_owned(),
            is_read_only: true,
        };
        for (there, remove, add) in [
            (vec![], vec![], true),
            (
                vec![key(1, "theirs", "ssh-ed25519 BBBB", true)],
                vec![],
                true,
            ),
            (
                vec![key(1, "of another path", "ssh-ed25519 AAAA", true)],
                vec![],
                false,
            ),
            (
                vec![key(1, "of another path", "ssh-ed25519 AAAA", false)],
                vec![],
                false,
            ),
            (
                vec![key(1, "ours", "ssh-ed25519 AAAA", true)],
                vec![],
                false,
            ),
            (
                vec![key(1, "ours", "ssh-ed25519 AAAA other", true)],
                vec![],
                false,
            ),
            (
                vec![key(1, "ours", "ssh-ed25519 BBBB", true)],
                vec![1],
                true,
            ),
            (
                vec![key(1, "ours", "ssh-ed25519 AAAA", false)],
                vec![1],
                true,
            ),
            (
                vec![
                    key(1, "ours", "ssh-ed25519 BBBB", true),
                    key(2, "ours", "ssh-ed25519 AAAA", true),
                    key(3, "ours", "ssh-ed25519 AAAA", true),
                ],
                vec![1, 3],
                false,
            ),
        ] {
            let plan = KeyPlan::new(&there, &wanted);
            assert_eq!(plan, KeyPlan { remove, add }, "{there:?}");
        }
    }
}
