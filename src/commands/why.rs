//! `why`: why an object is not what it should be, and what helps.
//!
//! What is said is decided by [`crate::why`]; here the cluster is looked at. Flux's own objects are
//! listed once, everywhere; whatever else is named on the way is asked for by name, until nothing
//! more is named.

use std::collections::BTreeSet;

use futures::future::join_all;
use sluice_client::{GroupVersionKind, ListOptions, Resource as Served};
use sluice_object::Object;

use super::trace::target;
use crate::cluster::{Context, ListError, objects, refusal};
use crate::error::CommandError;
use crate::output::Format;
use crate::resource::RESOURCES;
use crate::why::{Answer, Id, Snapshot, explain, missing};
use crate::{CommandResult, Exit, output};

/// How far from the object that is asked about anything is looked for.
const ROUNDS: usize = 8;
/// What the Deployments of controllers are known by.
const CONTROLLERS: &str = "app.kubernetes.io/part-of=flux";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// KIND/NAME, or KIND NAME
    #[arg(value_name = "OBJECT")]
    object: Vec<String>,
    /// Format of the output
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let answer = context.block_on(async {
        tokio::time::timeout(context.timeout(), answer(args, context))
            .await
            .map_err(|_| CommandError::cluster("timed out waiting for the cluster"))?
    })??;
    let text = match args.output {
        Some(format) => output::value(&answer, format)?,
        None => answer.text(),
    };
    output::stdout(&output::plain(&text))?;
    Ok(match answer.cause {
        Some(_) => Exit::FAILURE,
        None => Exit::SUCCESS,
    })
}

async fn answer(args: &Args, context: &Context) -> Result<Answer, CommandError> {
    let [(word, name)] = target::pairs(&args.object)?[..] else {
        return Err(CommandError::user("one object at a time can be explained"));
    };
    let cluster = context.cluster()?;
    let served = cluster.resources().await.map_err(|error| refusal(&error))?;
    let observer = Observer {
        context,
        served: &served,
    };
    let kind = target::find(&served, word).ok_or_else(|| {
        CommandError::user(format!(
            "the server doesn't have a resource type \"{word}\""
        ))
    })?;
    let namespace = context.namespace();
    let asked = observer.get(kind, &namespace, name).await?.ok_or_else(|| {
        let kind = &kind.api.kind;
        CommandError::user(format!(
            "{kind} object '{name}' not found in \"{namespace}\" namespace"
        ))
    })?;
    let snapshot = observer.look_around(&asked).await?;
    Ok(explain(&snapshot, &asked, context.program))
}

struct Observer<'c> {
    context: &'c Context,
    served: &'c [Served],
}

impl Observer<'_> {
    async fn look_around(&self, asked: &Object) -> Result<Snapshot, CommandError> {
        let lists = RESOURCES
            .iter()
            .map(|kind| self.context.list(kind, None, None, None));
        let mut snapshot = Snapshot::default();
        for list in join_all(lists).await {
            for object in list.or_else(ListError::or_empty)? {
                snapshot.add(object);
            }
        }
        snapshot.add(asked.clone());
        let mut peopled = BTreeSet::new();
        for controller in self
            .list(
                "apps",
                "Deployment",
                None,
                ListOptions {
                    labels: Some(CONTROLLERS.to_owned()),
                    ..ListOptions::default()
                },
            )
            .await?
        {
            peopled.insert(controller.namespace().to_owned());
            snapshot.add(controller);
        }
        if !asked.namespace().is_empty() {
            peopled.insert(asked.namespace().to_owned());
        }
        for namespace in &peopled {
            self.add_pods(&mut snapshot, namespace).await?;
        }
        for _ in 0..ROUNDS {
            let wanted = missing(&snapshot, asked);
            if wanted.is_empty() {
                break;
            }
            for id in wanted {
                self.add(&mut snapshot, id, &mut peopled).await?;
            }
        }
        Ok(snapshot)
    }

    /// Looks for an object that was named, and for the Pods around it.
    async fn add(
        &self,
        snapshot: &mut Snapshot,
        id: Id,
        peopled: &mut BTreeSet<String>,
    ) -> Result<(), CommandError> {
        let kind = self.served.iter().find(|served| served.api.kind == id.kind);
        let found = match kind {
            Some(kind) => self.get(kind, &id.namespace, &id.name).await?,
            None => None,
        };
        match found {
            Some(object) => snapshot.add(object),
            None => snapshot.note_absent(id.clone()),
        }
        if !id.namespace.is_empty() && peopled.insert(id.namespace.clone()) {
            self.add_pods(snapshot, &id.namespace).await?;
        }
        Ok(())
    }

    /// Looks at the Pods of a namespace, and at what Kubernetes warns of there.
    async fn add_pods(&self, snapshot: &mut Snapshot, namespace: &str) -> Result<(), CommandError> {
        let warnings = ListOptions {
            fields: Some("type=Warning".to_owned()),
            ..ListOptions::default()
        };
        for (kind, options) in [("Pod", ListOptions::default()), ("Event", warnings)] {
            for object in self.list("", kind, Some(namespace), options).await? {
                snapshot.add(object);
            }
        }
        Ok(())
    }

    async fn get(
        &self,
        kind: &Served,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, CommandError> {
        let namespace = kind.namespaced.then_some(namespace);
        let found = self
            .context
            .cluster()?
            .get(&kind.gvk(), namespace, name)
            .await
            .map_err(|error| refusal(&error))?;
        Ok(found.and_then(|value| Object::try_from(value).ok()))
    }

    /// The objects of a kind; none where they may not be seen.
    async fn list(
        &self,
        group: &str,
        kind: &str,
        namespace: Option<&str>,
        options: ListOptions,
    ) -> Result<Vec<Object>, CommandError> {
        let gvk = GroupVersionKind::gvk(group, "v1", kind);
        let list = self
            .context
            .cluster()?
            .list(&gvk, namespace, &options)
            .await;
        match list {
            Ok(list) => Ok(objects(list)),
            Err(error) if error.is_forbidden() => Ok(Vec::new()),
            Err(error) => Err(refusal(&error)),
        }
    }
}
