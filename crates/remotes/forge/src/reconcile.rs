//! Operations with several calls, which change only what differs.

use crate::{
    Access, DeployKey, DeployToken, Forge, NewDeployKey, NewRepository, Permission, Place,
    Repository, Result,
};

/// The change to a repository, key, token or permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// No change was needed.
    None,
    /// The object was created.
    Created,
    /// The object was replaced or changed.
    Updated,
}

/// Finds or creates a repository. An existing one is changed only if `changes` is set.
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

/// Reports whether an existing repository must change.
pub fn is_to_change(found: &Repository, wanted: &NewRepository, changes: bool) -> bool {
    changes && found.visibility != wanted.visibility
}

/// Grants a permission to a team. An existing permission is changed only if `changes` is set.
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

/// Decides on the access of a team.
pub fn of_team(access: Access, level: Permission, changes: bool) -> Change {
    match access {
        Access::None => Change::Created,
        Access::Level(there) if there != level && changes => Change::Updated,
        Access::OfTeam | Access::Level(_) => Change::None,
    }
}

/// The changes that make a deploy key the only one of its title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPlan {
    /// Ids of other keys with the title, and of the same key with too few permissions.
    pub remove: Vec<u64>,
    /// Whether the key must be added.
    pub add: bool,
}

impl KeyPlan {
    /// Compares with the existing keys. A host accepts a key once. A key with another title stays,
    /// for example after the path of the cluster changed.
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
            // A key with another title may serve another cluster, which may need to push.
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

    /// Reports whether nothing must change.
    pub const fn is_empty(&self) -> bool {
        self.remove.is_empty() && !self.add
    }
}

/// Returns a key without its comment, which hosts drop or change.
fn bare(key: &str) -> Vec<&str> {
    key.split_whitespace().take(2).collect()
}

/// Adds or replaces a deploy key. The same key with another title stays.
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

/// Ensures a deploy token. Returns `None` if the existing token belongs to the known user. A token
/// cannot be read again, so any other one is replaced.
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
    // The new token comes first, so an interruption leaves one token too many instead of none.
    for old in there.iter().filter(|token| token.name == name) {
        forge.remove_deploy_token(repository, old.id).await?;
    }
    Ok(Some(made))
}

/// Reports whether a token with the name and user exists.
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
    fn existing_key_keeps_its_title() {
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
