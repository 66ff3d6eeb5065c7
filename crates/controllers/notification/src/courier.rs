//! Makes one delivery attempt: reads Provider and Secrets, builds the requests and sends them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sluice_api::Event;
use sluice_api::notification::{Alert, Provider};
use sluice_dial::Keys;
use sluice_engine::report::ReportSinks;
use sluice_engine::{Notice, ObjectKey, Statusless, Store};
use sluice_host::{SecretData, Secrets};
use sluice_system::blocking;

use crate::alert::{Dispatch, Gates, commit_status, dispatch};
use crate::config::{self, ProviderConfig, Warning, secret_names, timeout};
use crate::deliveries::{Courier, FailedAttempt, Notification};
use crate::delivery::Failure;
use crate::error::Error;
use crate::event::{Duplicates, MAX_INLINE_BYTES};
use crate::metrics::DeliveryMetrics;
use crate::preview::{Preview, Show};
use crate::provider;
use crate::request::Request;
use crate::sender::{SendError, Sender, ServiceResponse};
use crate::text::object_path;

/// Reason of events about notifications, as in the reference.
pub(crate) const DISPATCH_FAILED: &str = "NotificationDispatchFailed";
/// Reason of the event on a Provider whose notification is not retried.
const GIVEN_UP: &str = "NotificationGivenUp";
/// Reason of the event on a Provider with credentials that are ignored.
const INVALID_CONFIG: &str = "InvalidConfig";

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

/// The requests of a notification, with the settings that send them.
struct PreparedNotification {
    config: ProviderConfig,
    warnings: Vec<Warning>,
    requests: Vec<Request>,
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
        provider: &Arc<Statusless<Provider>>,
    ) -> Result<Option<ServiceResponse>, (Step, SendError)> {
        let event = &notification.arrival.event;
        let alert = &notification.alert;
        let combined = match dispatch(event, &alert.object, Ok(&provider.object), self.gates) {
            Dispatch::Send(combined) => combined,
            // The Provider may change after the event arrives.
            Dispatch::Skip(_) => return Ok(None),
            Dispatch::Refuse(message) => return Err((Step::Dispatch, permanent(message))),
        };
        let secrets = self.read(&provider.object).await.map_err(|error| {
            let message = format!("{}: {}", at_provider(&provider.object), error.message);
            (Step::Dispatch, SendError { message, ..error })
        })?;
        let has_expression = provider.object.spec.commit_status_expr.is_some();
        let is_heavy = has_expression || notification.arrival.bytes > MAX_INLINE_BYTES;
        let (alert, owner) = (Arc::clone(alert), Arc::clone(provider));
        let prepare = move || {
            let prepared = prepare(&owner.object, &alert.object, &combined.event, &secrets);
            prepared.map(|prepared| (prepared, secrets))
        };
        let (prepared, secrets) = if is_heavy {
            blocking(prepare).await?
        } else {
            prepare()?
        };
        for warning in &prepared.warnings {
            let message = warning.message();
            tracing::info!(provider = %notification.provider(), "{message}");
            if matches!(warning, Warning::Ignored(_)) {
                self.emit(&**provider, Notice::error(INVALID_CONFIG, message));
            }
        }
        let PreparedNotification {
            config, requests, ..
        } = prepared;
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
        let get = async |name: Option<&str>| {
            let Some(name) = name else {
                return Ok(None);
            };
            let secret = self.secrets.get(namespace, name).await;
            secret.map(Some).map_err(|error| SendError {
                message: format!(
                    "failed to get secret '{namespace}/{name}': {}",
                    error.server_message()
                ),
                failure: if error.is_not_found() {
                    Failure::Permanent
                } else {
                    Failure::Transient { retry_after: None }
                },
            })
        };
        let [credentials, certificate, proxy] = secret_names(provider);
        Ok(ProviderSecrets {
            credentials: get(credentials).await?,
            certificate: get(certificate).await?,
            proxy: get(proxy).await?,
        })
    }
}

/// Builds the requests of a notification.
fn prepare(
    provider: &Provider,
    alert: &Alert,
    event: &Event,
    secrets: &ProviderSecrets,
) -> Result<PreparedNotification, (Step, SendError)> {
    let refuse = |step: Step, context: &str, error: &Error| {
        let message = format!("{context}{error}; hint: {}", error.hint());
        (step, permanent(message))
    };
    let at_provider = at_provider(provider);
    let resolved = ProviderConfig::resolve(provider, alert, secrets.borrowed());
    let (mut config, warnings) =
        resolved.map_err(|error| refuse(Step::Dispatch, &format!("{at_provider}: "), &error))?;
    config.commit_status = commit_status(provider, alert, event)
        .map_err(|error| refuse(Step::Dispatch, "failed to create commit status: ", &error))?;
    let requests = provider::request(&config, event).map_err(|error| {
        if error.is_about_event() {
            return refuse(Step::Send, "", &error);
        }
        let context = format!("{at_provider}: failed to initialize notifier: ");
        refuse(Step::Dispatch, &context, &error)
    })?;
    Ok(PreparedNotification {
        config,
        warnings,
        requests,
    })
}

/// Returns the start of the reference's errors about the settings of a Provider.
fn at_provider(provider: &Provider) -> String {
    let name = provider.metadata.name.as_deref().unwrap_or_default();
    format!("failed to initialize notifier for provider '{name}'")
}

fn permanent(message: String) -> SendError {
    SendError {
        message,
        failure: Failure::Permanent,
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

/// Returns the error about a missing Provider, in the words of the reference.
pub(crate) fn not_found(provider: &ObjectKey) -> String {
    format!(
        "Provider.notification.toolkit.fluxcd.io {:?} not found",
        provider.name()
    )
}

impl Courier for ProviderCourier {
    async fn deliver(&self, notification: &Notification) -> Result<(), FailedAttempt> {
        let started = Instant::now();
        let event = &notification.arrival.event;
        let provider = notification.provider();
        let Some(found) = self.providers.get(&provider) else {
            let message = format!(
                "failed to dispatch notification for {}: failed to read provider: {}",
                object_path(event),
                not_found(&provider)
            );
            self.warn(&notification.alert, DISPATCH_FAILED, message);
            return Err(FailedAttempt {
                failure: Failure::Permanent,
                timeout: Duration::ZERO,
            });
        };
        let type_ = found.object.spec.type_.as_str();
        let Err((step, error)) = self.attempt(notification, &found).await else {
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
        Err(FailedAttempt {
            failure: error.failure,
            timeout: timeout(&found.object).unwrap_or_default(),
        })
    }

    fn give_up(&self, notification: &Notification) {
        let event = &notification.arrival.event;
        // The event was not delivered, so a repetition must not count as a duplicate.
        let alert = ObjectKey::of(&notification.alert.object);
        let mut duplicates = self
            .duplicates
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let arrival = &notification.arrival;
        duplicates.give_up(&arrival.key, arrival.window, &alert);
        drop(duplicates);
        let provider = notification.provider();
        let Some(found) = self.providers.get(&provider) else {
            return;
        };
        self.metrics.give_up(found.object.spec.type_.as_str());
        let message = format!(
            "notification for {} of Alert '{}' was given up",
            object_path(event),
            alert.name()
        );
        tracing::error!(%provider, "{message}");
        self.emit(&*found, Notice::error(GIVEN_UP, message));
    }
}
