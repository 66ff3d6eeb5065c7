//! What a run would do, or has done, as data: printed for a person, or as JSON for a program.

use std::fmt::Write as _;

use serde::Serialize;

/// What would be done.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Plan {
    pub(super) repository: String,
    pub(super) branch: String,
    pub(super) is_new_branch: bool,
    /// What the API of the host would be told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) host: Vec<PlannedCall>,
    pub(super) commits: Vec<PlannedCommit>,
    /// The definitions whose objects would be written in a newer version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) migrate: Vec<String>,
    /// The objects that would be applied because no controller does it yet.
    pub(super) install: Vec<String>,
    /// The Deployments of the other topology that would be taken away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) delete: Vec<String>,
    pub(super) secret: Option<PlannedSecret>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PlannedCall {
    /// `create`, `update` or `grant`.
    pub(super) action: &'static str,
    /// Such as `deploy key`.
    pub(super) what: &'static str,
    pub(super) name: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct PlannedCommit {
    pub(super) message: String,
    pub(super) files: Vec<PlannedFile>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct PlannedFile {
    pub(super) path: String,
    /// `create` or `update`.
    pub(super) action: &'static str,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct PlannedSecret {
    pub(super) name: String,
    /// `create` or `update`.
    pub(super) action: &'static str,
    /// The names of its entries.
    pub(super) entries: Vec<&'static str>,
}

/// What was done.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Done {
    pub(super) repository: String,
    pub(super) branch: String,
    pub(super) commits: Vec<String>,
    pub(super) secret: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) public_key: Option<String>,
    /// What has to be merged before the rest is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pull_request: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision: Option<String>,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.host.is_empty()
            && self.commits.is_empty()
            && self.migrate.is_empty()
            && self.install.is_empty()
            && self.delete.is_empty()
            && self.secret.is_none()
    }

    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |parts: std::fmt::Arguments<'_>| {
            // A string takes everything.
            let _ = writeln!(text, "{parts}");
        };
        let new = if self.is_new_branch { " (new)" } else { "" };
        line(format_args!("repository {}", self.repository));
        line(format_args!("branch {}{new}", self.branch));
        for call in &self.host {
            line(format_args!("{} {} {}", call.action, call.what, call.name));
        }
        for commit in &self.commits {
            let subject = commit.message.lines().next().unwrap_or_default();
            line(format_args!("commit and push \"{subject}\""));
            for file in &commit.files {
                line(format_args!("  {} {}", file.action, file.path));
            }
        }
        for definition in &self.migrate {
            line(format_args!("migrate the objects of {definition}"));
        }
        if !self.install.is_empty() {
            line(format_args!("apply {} objects", self.install.len()));
            for object in &self.install {
                line(format_args!("  {object}"));
            }
        }
        for object in &self.delete {
            line(format_args!("delete {object}"));
        }
        if let Some(secret) = &self.secret {
            let entries = secret.entries.join(", ");
            line(format_args!(
                "{} Secret/{} ({entries})",
                secret.action, secret.name
            ));
        }
        if self.is_empty() {
            line(format_args!("nothing to do"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_would_be_done_and_no_more() {
        let mut plan = Plan {
            repository: "https://example.com/r".to_owned(),
            branch: "main".to_owned(),
            ..Plan::default()
        };
        assert!(plan.is_empty());
        let head = "repository https://example.com/r\nbranch main";
        assert_eq!(plan.to_text(), format!("{head}\nnothing to do\n"));
        plan.is_new_branch = true;
        plan.host.push(PlannedCall {
            action: "create",
            what: "repository",
            name: "https://example.com/r".to_owned(),
        });
        plan.commits.push(PlannedCommit {
            message: "Add Flux sync manifests\n\n[ci skip]".to_owned(),
            files: vec![PlannedFile {
                path: "flux-system/gotk-sync.yaml".to_owned(),
                action: "create",
            }],
        });
        plan.migrate
            .push("buckets.source.toolkit.fluxcd.io".to_owned());
        plan.install.push("Namespace/flux-system".to_owned());
        plan.delete.push("Deployment/flux-system/sluice".to_owned());
        plan.secret = Some(PlannedSecret {
            name: "flux-system/flux-system".to_owned(),
            action: "create",
            entries: vec!["username", "password"],
        });
        assert_eq!(
            plan.to_text(),
            format!(
                "{head} (new)\ncreate repository https://example.com/r\ncommit and push \"Add Flux sync manifests\"\n  create flux-system/gotk-sync.yaml\n\
                 migrate the objects of buckets.source.toolkit.fluxcd.io\napply 1 objects\n  Namespace/flux-system\n\
                 delete Deployment/flux-system/sluice\ncreate Secret/flux-system/flux-system (username, password)\n"
            )
        );
    }
}
