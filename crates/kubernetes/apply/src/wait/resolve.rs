//! Prepares the targets of a wait: finds their served kinds, and reads those without a state.

use std::collections::HashMap;

use sluice_client::{Error, GroupVersionKind, ListOptions};
use sluice_object::{Object, ObjectId};

use super::progress::Goal;
use super::{MIN_LISTED, WaitError, Waiter};
use crate::target::{ObservedState, Version, WaitTarget};

/// A target with its served kind and its observed state.
pub(super) struct ResolvedTarget {
    pub(super) target: WaitTarget,
    pub(super) kind: GroupVersionKind,
    pub(super) state: ObservedState,
}

impl Waiter {
    /// Lists objects without an observed state where that saves requests. An object that is missing
    /// in its list is read afterwards, because it may only have lost its labels.
    pub(super) async fn list_unobserved(&self, targets: &mut [WaitTarget]) {
        let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, target) in targets.iter().enumerate() {
            if target.state.is_none()
                && let Some(selector) = &target.selector
            {
                let ObjectId {
                    group,
                    kind,
                    namespace,
                    ..
                } = target.id.clone();
                let key = (
                    group,
                    kind,
                    target.version.clone(),
                    namespace,
                    selector.clone(),
                );
                groups.entry(key).or_default().push(index);
            }
        }
        for ((_, _, _, namespace, selector), members) in groups {
            if members.len() < MIN_LISTED {
                continue;
            }
            // The read of each object reports the error.
            let Ok((kind, _)) = self.kind_of(&targets[members[0]]).await else {
                continue;
            };
            let namespace = Some(namespace.as_str()).filter(|namespace| !namespace.is_empty());
            let options = ListOptions {
                labels: Some(selector.to_string()),
                ..ListOptions::default()
            };
            let mut listed: HashMap<String, ObservedState> = HashMap::new();
            let read = self.cluster.list_each(&kind, namespace, &options, |item| {
                if let Ok(object) = Object::try_from(item) {
                    listed.insert(object.name().to_owned(), self.observe(&object));
                }
            });
            match read.await {
                Ok(_) => {
                    for index in members {
                        let target = &mut targets[index];
                        target.state = listed.remove(&target.id.name);
                    }
                }
                Err(error) => tracing::debug!(%error, "list failed, reading objects one by one"),
            }
        }
    }

    /// Resolves the kind of a target, and reads it without an observed state.
    ///
    /// The outer error ends the wait; the inner one is retried.
    pub(super) async fn resolve(
        &self,
        target: WaitTarget,
        goal: Goal,
    ) -> Result<Result<ResolvedTarget, (WaitTarget, Error)>, WaitError> {
        let (kind, namespaced) = match self.kind_of(&target).await {
            Ok(found) => found,
            // Without the kind, its objects are gone.
            Err(error) if error.has_no_match() && goal == Goal::Gone => {
                let id = &target.id;
                return Ok(Ok(ResolvedTarget {
                    kind: GroupVersionKind::gvk(&id.group, &target.version, &id.kind),
                    state: ObservedState::absent(Version::default()),
                    target,
                }));
            }
            Err(error) => return Ok(Err((target, error))),
        };
        if namespaced && target.id.namespace.is_empty() {
            return Err(WaitError::NoNamespace(target.id));
        }
        if let Some(state) = target.state.clone() {
            return Ok(Ok(ResolvedTarget {
                target,
                kind,
                state,
            }));
        }
        let namespace = Some(target.id.namespace.as_str()).filter(|name| !name.is_empty());
        let read = self.cluster.get(&kind, namespace, &target.id.name).await;
        Ok(match read {
            Ok(Some(value)) => {
                let object = Object::try_from(value).unwrap_or_default();
                let state = self.observe(&object);
                Ok(ResolvedTarget {
                    target,
                    kind,
                    state,
                })
            }
            Ok(None) => Ok(ResolvedTarget {
                target,
                kind,
                state: ObservedState::absent(Version::default()),
            }),
            Err(error) => Err((target, error)),
        })
    }

    /// Resolves the kind in the given version, or else in the preferred one.
    async fn kind_of(&self, target: &WaitTarget) -> Result<(GroupVersionKind, bool), Error> {
        let kind = GroupVersionKind::gvk(&target.id.group, &target.version, &target.id.kind);
        let resource = match self.cluster.resolve(&kind).await {
            Err(error) if error.has_no_match() => {
                self.cluster.preferred(&kind.group_kind()).await?
            }
            resolved => resolved?,
        };
        Ok((resource.gvk(), resource.namespaced))
    }
}
