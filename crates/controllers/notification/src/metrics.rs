//! Defines the metrics of the servers and of deliveries.

use std::time::Duration;

use http::{Method, StatusCode};
use prometheus::core::Collector;
use prometheus::{
    HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
};

/// The metrics of one HTTP server, with the names and labels of the reference.
#[derive(Clone)]
pub(crate) struct HttpMetrics {
    duration: HistogramVec,
    size: HistogramVec,
    in_flight: IntGaugeVec,
    /// Value of the label `handler`. `None` uses the path of each request.
    handler: Option<&'static str>,
}

/// A request in flight, counted until it is dropped.
pub(crate) struct InFlight(IntGauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl HttpMetrics {
    /// Registers the metrics of a server under a prefix, such as `gotk_event`.
    pub(crate) fn register(
        registry: &Registry,
        prefix: &str,
        handler: Option<&'static str>,
    ) -> Self {
        let labels = ["service", "handler", "method", "code"];
        let histogram = |name: &str, help: &str, buckets: Vec<f64>| {
            let options = HistogramOpts::new(format!("{prefix}_http_{name}"), help);
            HistogramVec::new(options.buckets(buckets), &labels).expect("the name is constant")
        };
        let sizes = std::iter::successors(Some(100.0), |bound| Some(bound * 10.0));
        let in_flight = Opts::new(
            format!("{prefix}_http_requests_inflight"),
            "The number of inflight requests being handled at the same time.",
        );
        let in_flight =
            IntGaugeVec::new(in_flight, &["service", "handler"]).expect("the name is constant");
        Self {
            duration: register(
                registry,
                histogram(
                    "request_duration_seconds",
                    "The latency of the HTTP requests.",
                    prometheus::DEFAULT_BUCKETS.to_vec(),
                ),
            ),
            size: register(
                registry,
                histogram(
                    "response_size_bytes",
                    "The size of the HTTP responses.",
                    sizes.take(8).collect(),
                ),
            ),
            in_flight: register(registry, in_flight),
            handler,
        }
    }

    /// Counts a request in flight.
    pub(crate) fn begin(&self, path: &str) -> InFlight {
        let labels = ["", self.handler.unwrap_or(path)];
        let gauge = self.in_flight.with_label_values(&labels);
        gauge.inc();
        InFlight(gauge)
    }

    /// Records a response. Responses have no body.
    pub(crate) fn end(&self, path: &str, method: &Method, status: StatusCode, took: Duration) {
        let labels = [
            "",
            self.handler.unwrap_or(path),
            method.as_str(),
            status.as_str(),
        ];
        let duration = self.duration.with_label_values(&labels);
        duration.observe(took.as_secs_f64());
        self.size.with_label_values(&labels).observe(0.0);
    }
}

/// The metrics of deliveries, which the reference does not have.
#[derive(Clone)]
pub(crate) struct DeliveryMetrics {
    deliveries: IntCounterVec,
    dropped: IntCounterVec,
    waiting: IntGauge,
    duration: HistogramVec,
    calls: IntCounterVec,
}

impl DeliveryMetrics {
    /// Registers the metrics.
    pub(crate) fn register(registry: &Registry) -> Self {
        let counter = |name: &str, help: &str, labels: &[&str]| {
            let counter = IntCounterVec::new(Opts::new(name, help), labels);
            register(registry, counter.expect("the name is constant"))
        };
        let waiting = IntGauge::new(
            "sluice_notifications_waiting",
            "Notifications in the queues of all Providers",
        );
        let duration = HistogramVec::new(
            HistogramOpts::new(
                "sluice_notification_duration_seconds",
                "Time of one attempt to deliver a notification",
            ),
            &["type"],
        );
        Self {
            deliveries: counter(
                "sluice_notifications_total",
                "Attempts to deliver a notification by outcome: delivered, failed, given_up",
                &["type", "outcome"],
            ),
            dropped: counter(
                "sluice_events_discarded_total",
                "Events that led to no notification, by reason",
                &["reason"],
            ),
            waiting: register(registry, waiting.expect("the name is constant")),
            duration: register(registry, duration.expect("the name is constant")),
            calls: counter(
                "sluice_webhook_calls_total",
                "Webhook calls by Receiver type and status",
                &["type", "code"],
            ),
        }
    }

    pub(crate) fn attempt(&self, type_: &str, outcome: &str, took: Duration) {
        let labels = [type_, outcome];
        self.deliveries.with_label_values(&labels).inc();
        let duration = self.duration.with_label_values(&[type_]);
        duration.observe(took.as_secs_f64());
    }

    pub(crate) fn give_up(&self, type_: &str) {
        let labels = [type_, "given_up"];
        self.deliveries.with_label_values(&labels).inc();
    }

    /// Counts an event without notifications.
    pub(crate) fn discard(&self, reason: &str) {
        self.dropped.with_label_values(&[reason]).inc();
    }

    /// Returns the gauge of waiting notifications.
    pub(crate) fn waiting_gauge(&self) -> &IntGauge {
        &self.waiting
    }

    pub(crate) fn call(&self, type_: &str, status: u16) {
        let code = status.to_string();
        self.calls.with_label_values(&[type_, &code]).inc();
    }
}

/// Registers a collector. If its name is taken, the new one stays unregistered, since a restarted
/// controller keeps its old collectors.
fn register<C: Collector + Clone + 'static>(registry: &Registry, collector: C) -> C {
    if let Err(error) = registry.register(Box::new(collector.clone())) {
        tracing::debug!(%error, "metric is not registered again");
    }
    collector
}
