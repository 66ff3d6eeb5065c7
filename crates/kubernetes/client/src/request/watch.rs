//! Opens one watch. `crate::watch` resumes it.

use std::time::Duration;

use futures::stream::{BoxStream, StreamExt as _};
use kube::api::WatchParams;
use kube::core::WatchEvent;
use serde_json::Value;
use sluice_gvk::GroupVersionKind;

use super::{KindPath, WatchOptions, action, collection, set_kind};
use crate::cluster::Cluster;
use crate::discovery::Resource;
use crate::error::Error;
use crate::transport::uncompressed;

/// Maximum duration of one watch. The server is asked to end it a little earlier.
const MAX_WATCH_DURATION: Duration = Duration::from_mins(5);

/// Events of a watch.
pub type WatchStream = BoxStream<'static, Result<WatchEvent<Value>, Error>>;

impl Cluster {
    /// Opens one watch after a resource version; empty or `0` begins with the existing objects.
    ///
    /// The stream ends when the server ends it. [`crate::watch::Watcher`] resumes it.
    pub async fn watch(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        resource_version: &str,
        options: &WatchOptions,
    ) -> Result<WatchStream, Error> {
        let kind = KindPath::Discovered(gvk.clone());
        self.open_watch(&kind, namespace, resource_version, options)
            .await
    }

    pub(crate) async fn open_watch(
        &self,
        kind: &KindPath,
        namespace: Option<&str>,
        resource_version: &str,
        options: &WatchOptions,
    ) -> Result<WatchStream, Error> {
        let gvk = kind.gvk();
        let action = action("watch", &gvk, namespace, "");
        let params = WatchParams {
            label_selector: options.labels.clone(),
            field_selector: options.fields.clone(),
            bookmarks: true,
            send_initial_events: options.initial,
            ..WatchParams::default()
        };
        let request = |resource: &Resource| {
            let path = collection(resource, namespace)?;
            Ok(if options.metadata_only {
                path.watch_metadata(&params, resource_version)
            } else {
                path.watch(&params, resource_version)
            }?)
        };
        let open = async |resource: &Resource| {
            let request = self.build(&action, request(resource))?;
            self.client()
                .request_events::<Value>(uncompressed(request))
                .await
                .map_err(|error| self.error(action.clone(), error))
        };
        let events = match kind {
            KindPath::Fixed(resource) => open(resource).await?,
            KindPath::Discovered(gvk) => {
                let resource = self.resolve(gvk).await?;
                let number = self.discovery_number();
                match open(&resource).await {
                    Err(error) if error.is_unserved() => {
                        open(&self.resolve_again(gvk, number).await?).await?
                    }
                    opened => opened?,
                }
            }
        };
        let host = self.host().to_owned();
        let events = events
            .map(move |event: Result<WatchEvent<Value>, kube::Error>| {
                event
                    .map(|event| set_event_kind(event, &gvk))
                    .map_err(|error| Error::new(action.clone(), &host, error))
            })
            .take_until(tokio::time::sleep(MAX_WATCH_DURATION));
        Ok(events.boxed())
    }
}

fn set_event_kind(event: WatchEvent<Value>, gvk: &GroupVersionKind) -> WatchEvent<Value> {
    let name = |mut value: Value| {
        set_kind(&mut value, gvk);
        value
    };
    match event {
        WatchEvent::Added(value) => WatchEvent::Added(name(value)),
        WatchEvent::Modified(value) => WatchEvent::Modified(name(value)),
        WatchEvent::Deleted(value) => WatchEvent::Deleted(name(value)),
        other => other,
    }
}
