//! Makes one delivery attempt: reads Provider and Secrets, builds the requests and sends them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use sluice_api::meta::LocalObjectReference;
use sluice_api::notification::{Alert, Provider};
use sluice_dial::Keys;
use sluice_engine::report::ReportSinks;
use sluice_engine::{Notice, Statusless, Store};
use sluice_host::{SecretData, Secrets};

use crate::alert::{Dispatch, Gates, commit_status, dispatch};
use crate::config::{self, ProviderConfig};
use crate::deliveries::{Courier, Notification};
use crate::delivery::Failure;
use crate::event::Duplicates;
use crate::metrics::DeliveryMetrics;
use crate::preview::{Preview, Show};
use crate::provider;
use crate::sender::{SendError, Sender, ServiceAnswer};
use crate::text::object_path;

/// Reason of events about notifications, as in the reference.
pub(crate) const DISPATCH_FAILED: &str = "NotificationDispatchFailed";
/// Reason of the event on a Provider whose notification is not retried.
const GIVEN_UP: &str = "NotificationGivenUp";

/// Delivers notifications to the services of Providers.
pub(crate) struct ProviderCourier {
    pub(crate) providers: Store<Statusless<Provider>>,
    pub(crate) secrets: Secrets,
    pub(crate) sender: Sender,
    /// Receive the events about Alerts and Providers.
    pub(crate) sinks: ReportSinks,
    pub(crate) gates: Gates,
    /// Shared with the dispatcher, to accept an undelivered event again.
    pub(crate) duplicates: Arc<Mutex<Duplicates>>,
    pub(crate) metrics: DeliveryMetrics,
    /// Receives the notifications instead of the services.
    pub(crate) show: Option<Show>,
}

/// The Secrets of a Provider.
struct ProviderSecrets {
    credentials: Option<SecretData>,
    certificate: Option<SecretData>,
    proxy: Option<SecretData>,
}

/// Step in which an attempt failed, with the reference's name.
#[derive(Clone, Copy)]
enum Step {
    Dispatch,
    Send,
}

impl ProviderCourier {
    /// Emits a Warning event about an Alert.
    pub(crate) fn warn(&self, alert: &Statusless<Alert>, reason: &'static str, message: String) {
        self.emit(alert, Notice::error(reason, message));
    }

    /// Emits an event about an object.
    pub(crate) fn emit<K: sluice_engine::Kind>(&self, object: &K, notice: Notice) {
        self.sinks.notify(object, notice);
    }

    /// Delivers an event once. Returns the last response of the service.
    async fn attempt(
        &self,
        notification: &Notification,
        provider: &Provider,
    ) -> Result<Option<ServiceAnswer>, (Step, SendError)> {
        let event = &notification.arrival.event;
        let alert = &notification.alert.object;
        let refused = |message: String, failure| (Step::Dispatch, SendError { message, failure });
        let permanent = |error: crate::error::Error| {
            let message = format!(
                "failed to initialize notifier: {error}; hint: {}",
                error.hint()
            );
            refused(message, Failure::Permanent)
        };
        let combined = match dispatch(event, alert, Ok(provider), self.gates) {
            Dispatch::Send(combined) => combined,
            // The Provider may change after the event arrives.
            Dispatch::Skip(_) => return Ok(None),
            Dispatch::Refuse(message) => return Err(refused(message, Failure::Permanent)),
        };
        let secrets = self.read(provider).await;
        let secrets = secrets.map_err(|error| (Step::Dispatch, error))?;
        let (mut config, warnings) =
            ProviderConfig::resolve(provider, alert, secrets.borrowed()).map_err(permanent)?;
        for warning in warnings {
            tracing::info!(provider = %notification.provider(), "{}", warning.message());
        }
        config.commit_status =
            commit_status(provider, alert, &combined.event).map_err(permanent)?;
        let requests = provider::request(&config, &combined.event).map_err(permanent)?;
        if let Some(show) = &self.show {
            show(&Preview::new(&config, &requests));
            return Ok(None);
        }
        let credentials = secrets.credentials.as_ref();
        let credentials = credentials.map(|secret| secret as &(dyn Keys + Sync));
        let sent = self.sender.send(&config, credentials, &requests).await;
        sent.map_err(|error| (Step::Send, error))
    }

    /// Reads the Secrets of a Provider.
    async fn read(&self, provider: &Provider) -> Result<ProviderSecrets, SendError> {
        let namespace = provider.metadata.namespace.as_deref().unwrap_or_default();
        let get = async |reference: &Option<LocalObjectReference>| {
            let Some(reference) = reference else {
                return Ok(None);
            };
            let secret = self.secrets.get(namespace, &reference.name).await;
            secret.map(Some).map_err(|error| SendError {
                message: format!(
                    "failed to get secret '{namespace}/{}': {}",
                    reference.name,
                    error.server_message()
                ),
                failure: if error.is_not_found() {
                    Failure::Permanent
                } else {
                    Failure::Transient { retry_after: None }
                },
            })
        };
        let spec = &provider.spec;
        Ok(ProviderSecrets {
            credentials: get(&spec.secret_ref).await?,
            certificate: get(&spec.cert_secret_ref).await?,
            proxy: get(&spec.proxy_secret_ref).await?,
        })
    }
}

impl ProviderSecrets {
    fn borrowed(&self) -> config::Secrets<'_> {
        config::Secrets {
            credentials: self.credentials.as_ref().map(|it| it as &dyn Keys),
            certificate: self.certificate.as_ref().map(|it| it as &dyn Keys),
            proxy: self.proxy.as_ref().map(|it| it as &dyn Keys),
        }
    }
}

impl Courier for ProviderCourier {
    async fn deliver(&self, notification: &Notification) -> Result<(), Failure> {
        let started = Instant::now();
        let event = &notification.arrival.event;
        let provider = notification.provider();
        let Some(found) = self.providers.get(&provider) else {
            let message = format!(
                "failed to dispatch notification for {}: failed to read provider: Provider '{provider}' not found",
                object_path(event),
            );
            self.warn(&notification.alert, DISPATCH_FAILED, message);
            return Err(Failure::Permanent);
        };
        let type_ = found.object.spec.type_.as_str();
        let Err((step, error)) = self.attempt(notification, &found.object).await else {
            self.metrics.attempt(type_, "delivered", started.elapsed());
            tracing::debug!(%provider, "notification delivered");
            return Ok(());
        };
        self.metrics.attempt(type_, "failed", started.elapsed());
        let step = match step {
            Step::Dispatch => "dispatch",
            Step::Send => "send",
        };
        tracing::error!(
            %provider,
            r#type = type_,
            object = object_path(event),
            error = error.message,
            "failed to {step} notification"
        );
        let message = format!(
            "failed to {step} notification for {}: {}",
            object_path(event),
            error.message
        );
        self.warn(&notification.alert, DISPATCH_FAILED, message);
        Err(error.failure)
    }

    fn give_up(&self, notification: &Notification) {
        let event = &notification.arrival.event;
        // The event was not delivered, so a repetition must not count as a duplicate.
        let mut duplicates = self
            .duplicates
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        duplicates.forget(&notification.arrival.key);
        drop(duplicates);
        let provider = notification.provider();
        let Some(found) = self.providers.get(&provider) else {
            return;
        };
        self.metrics.give_up(found.object.spec.type_.as_str());
        let alert = notification.alert.object.metadata.name.as_deref();
        let message = format!(
            "notification for {} of Alert '{}' was given up",
            object_path(event),
            alert.unwrap_or_default()
        );
        tracing::error!(%provider, "{message}");
        self.emit(&*found, Notice::error(GIVEN_UP, message));
    }
}
