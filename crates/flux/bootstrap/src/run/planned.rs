//! The plan of a run. It only reads.

use sluice_lifecycle::{Error, topology};
use sluice_object::Object;

use super::{Bootstrap, SYNC_SUBJECT};
use crate::hosted::HostedRepository;
use crate::layout;
use crate::plan::{Plan, PlannedCall, PlannedCommit, PlannedFile, PlannedSecret};
use crate::secret::{ClusterCredentials, Entries, Step};

impl Bootstrap<'_> {
    /// The changes of a run.
    pub async fn plan(&self) -> Result<Plan, Error> {
        let layout = &self.settings.layout;
        let tree = self.repository.tree().await?;
        self.warn_of_unlisted(&*tree)?;
        self.warn_of_loss().await?;
        let mut commits = vec![
            (self.components_subject(), layout.component_files()),
            (SYNC_SUBJECT.to_owned(), layout.sync_files(&*tree)?),
        ];
        let mut proposals = Vec::new();
        if self
            .settings
            .hosted
            .as_ref()
            .is_some_and(|host| host.proposes)
        {
            let missing = self.missing_files().await?;
            if !missing.is_empty() {
                let from = layout::proposal_branch(&missing);
                proposals.push(HostedRepository::planned_proposal(
                    &from,
                    &layout.sync.branch,
                ));
            }
            commits = vec![(self.proposal_subject(), missing)];
        }
        let commits = commits.into_iter().filter_map(|(subject, files)| {
            let changed = layout::changed(&*tree, &files).into_iter();
            let files: Vec<PlannedFile> = changed
                .map(|(path, exists)| PlannedFile {
                    path: path.display().to_string(),
                    action: if exists { "update" } else { "create" },
                })
                .collect();
            let message = layout::message(&subject, self.committer.appendix.as_deref());
            (!files.is_empty()).then_some(PlannedCommit { message, files })
        });
        let (is_written, calls) = self.planned_access().await?;
        let mut host: Vec<PlannedCall> = Vec::new();
        host.extend(self.prepared.iter().flat_map(|found| found.planned.clone()));
        host.extend(proposals);
        host.extend(calls);
        let (mut install, mut delete) = (Vec::new(), Vec::new());
        if !self.synced.is_running() {
            let objects = &self.settings.package.objects;
            let replaced = self.options.components.replaced();
            let gone = topology::left_over(&self.session, &replaced, objects).await?;
            let id = |object: &Object| object.id().to_string();
            install = objects.iter().map(id).collect();
            delete = gone.iter().map(id).collect();
        }
        Ok(Plan {
            repository: self.settings.url.clone(),
            branch: layout.sync.branch.clone(),
            is_new_branch: self.repository.head().is_none(),
            commits: commits.collect(),
            host,
            migrate: self.upgrade.names(),
            install,
            delete,
            secret: is_written.then(|| PlannedSecret {
                name: self.secret_name(),
                action: if self.secret.is_some() {
                    "update"
                } else {
                    "create"
                },
                entries: self.settings.wanted.names(),
            }),
        })
    }

    /// Whether the Secret changes, and the calls of the host for keys and tokens.
    async fn planned_access(&self) -> Result<(bool, Vec<PlannedCall>), Error> {
        let (wanted, current) = (&self.settings.wanted, self.secret.as_ref());
        let host = self.settings.hosted.as_ref().zip(self.prepared.as_ref());
        if let (ClusterCredentials::DeployToken { ca }, Some((hosted, found))) = (wanted, host) {
            let Some(known) = hosted.known_token(found, ca.clone(), current).await? else {
                return Ok((true, vec![hosted.planned_token()]));
            };
            return Ok((known.step(current, "")? != Step::Nothing, Vec::new()));
        }
        let step = wanted.step(current, &self.known_hosts)?;
        let key = match &step {
            Step::Write { public_key, .. } => public_key.as_deref(),
            Step::Nothing if !matches!(wanted, ClusterCredentials::Token { .. }) => {
                current.and_then(Entries::public_key)
            }
            Step::Nothing => None,
        };
        let call = match (host, key) {
            (Some((hosted, found)), Some(key)) => hosted.planned_key(found, key).await?,
            _ => None,
        };
        Ok((step != Step::Nothing, call.into_iter().collect()))
    }
}
