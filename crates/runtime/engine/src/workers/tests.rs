//! Claims about runs, with a paused clock.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::*;

fn workers(permits: usize) -> Workers {
    let limits = Limits {
        permits,
        min_retry_delay: Duration::from_millis(750),
        max_retry_delay: Duration::from_mins(15),
    };
    Workers::new(limits, ())
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::new("apps", name)
}

fn judge(_: &ObjectKey, ended: &WorkResult) -> Next {
    match ended {
        WorkResult::Returned(next) => *next,
        WorkResult::Panicked(_) => Next::Backoff,
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_object_does_not_block_others() {
    let workers = workers(1);
    let (sender, mut received) = mpsc::unbounded_channel();
    workers.add(&key("endless"), Cause::Listed);
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            if permit.key().name() == "endless" {
                permit.release_during(std::future::pending::<()>()).await;
            }
            sender.send(permit.key().name().to_owned()).unwrap();
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    tokio::task::yield_now().await;
    let began = Instant::now();
    workers.add(&key("other"), Cause::Created);
    assert_eq!(received.recv().await.as_deref(), Some("other"));
    assert_eq!(began.elapsed(), Duration::ZERO, "it starts at once");
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn permits_limit_concurrent_work() {
    static WORKING: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    async fn step() {
        MOST.fetch_max(WORKING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        sleep(Duration::from_secs(1)).await;
        WORKING.fetch_sub(1, Ordering::SeqCst);
    }
    let workers = workers(3);
    for number in 0..20 {
        workers.add(&key(&number.to_string()), Cause::Listed);
    }
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            step().await;
            permit.release_during(sleep(Duration::from_secs(10))).await;
            step().await;
            sender.send(()).unwrap();
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let stop = stop.clone();
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    for _ in 0..20 {
        received.recv().await.unwrap();
    }
    assert_eq!(MOST.load(Ordering::SeqCst), 3);
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn panicking_object_is_retried() {
    let workers = workers(1);
    for name in ["sound", "broken"] {
        workers.add(&key(name), Cause::Listed);
    }
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            sender
                .send((permit.key().name().to_owned(), Instant::now()))
                .unwrap();
            assert_ne!(permit.key().name(), "broken", "out of order");
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let stop = stop.clone();
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    let names = [
        received.recv().await.unwrap().0,
        received.recv().await.unwrap().0,
    ];
    assert_eq!(names, ["sound", "broken"]);
    let before = Instant::now();
    let (again, at) = received.recv().await.unwrap();
    assert_eq!(
        (again.as_str(), at - before),
        ("broken", Duration::from_millis(750))
    );
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn superseded_run_is_notified_and_reruns() {
    let workers = workers(1);
    workers.add(&key("a"), Cause::Listed);
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            sender.send(permit.cause().clone()).unwrap();
            if *permit.cause() == Cause::Listed {
                let cause = permit.release_during(permit.superseded()).await;
                assert!(permit.is_superseded());
                sender.send(cause).unwrap();
            }
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    assert_eq!(received.recv().await, Some(Cause::Listed));
    workers.add(&key("a"), Cause::Edited);
    assert_eq!(received.recv().await, Some(Cause::Edited));
    assert_eq!(received.recv().await, Some(Cause::Edited));
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn drain_finishes_work_and_drops_waits() {
    let workers = workers(2);
    for name in ["working", "waiting"] {
        workers.add(&key(name), Cause::Listed);
    }
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            if permit.key().name() == "waiting" {
                permit.release_during(sleep(Duration::from_secs(3))).await;
            } else {
                sleep(Duration::from_secs(5)).await;
            }
            sender.send(permit.key().name().to_owned()).unwrap();
            Next::Now
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move {
            workers
                .run(work, judge, stop, Duration::from_secs(30))
                .await;
        }
    });
    sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    stop.cancel();
    running.await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(4));
    assert_eq!(received.recv().await.as_deref(), Some("working"));
    assert_eq!(
        received.recv().await,
        None,
        "the other run is dropped, without a rerun"
    );
    let state = workers.shared.lock();
    assert_eq!(
        (state.queue.working_count(), state.queue.waiting_count()),
        (0, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn drain_ends_after_its_grace() {
    let workers = workers(1);
    workers.add(&key("endless"), Cause::Listed);
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move {
            let work = |_permit: Permit| std::future::pending::<Next>();
            workers
                .run(work, judge, stop, Duration::from_secs(30))
                .await;
        }
    });
    sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    stop.cancel();
    running.await.unwrap();
    assert_eq!(began.elapsed(), Duration::from_secs(30));
}

#[tokio::test(start_paused = true)]
async fn dropped_wait_reclaims_its_permit() {
    let workers = workers(1);
    workers.add(&key("hasty"), Cause::Listed);
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            tokio::select! {
                () = permit.release_during(std::future::pending::<()>()) => {}
                () = sleep(Duration::from_secs(1)) => {}
            }
            sender.send(permit.key().name().to_owned()).unwrap();
            sleep(Duration::from_secs(1)).await;
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    assert_eq!(received.recv().await.as_deref(), Some("hasty"));
    sleep(Duration::from_millis(500)).await;
    {
        let state = workers.shared.lock();
        assert_eq!(
            (state.queue.working_count(), state.queue.waiting_count()),
            (1, 0)
        );
    }
    stop.cancel();
    running.await.unwrap();
}

/// Runs the work of one object with one permit and returns the lines that it sends.
async fn lines_of<W, R>(work: W, lines: usize) -> Vec<&'static str>
where
    W: Fn(Permit, mpsc::UnboundedSender<&'static str>) -> R + Send + Sync + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let workers = workers(1);
    workers.add(&key("only"), Cause::Listed);
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let run = work(permit, sender.clone());
        async move {
            run.await;
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    let mut lines_received = Vec::new();
    // The clock is paused, so the timeout of a hanging run passes at once.
    while lines_received.len() < lines
        && let Ok(Some(line)) = tokio::time::timeout(Duration::from_hours(1), received.recv()).await
    {
        lines_received.push(line);
    }
    stop.cancel();
    running.await.unwrap();
    lines_received
}

#[tokio::test(start_paused = true)]
async fn overlapping_waits_of_one_run_all_return() {
    let lines_received = lines_of(
        |permit, sender| async move {
            let wait = async |seconds, line| {
                permit
                    .release_during(sleep(Duration::from_secs(seconds)))
                    .await;
                sender.send(line).unwrap();
            };
            // The second wait ends when the first has reclaimed the permit.
            tokio::join!(wait(1, "first"), wait(2, "second"), wait(2, "third"));
            sender.send("end").unwrap();
        },
        4,
    )
    .await;
    assert_eq!(lines_received, ["first", "second", "third", "end"]);
}

#[tokio::test(start_paused = true)]
async fn wait_after_a_dropped_one_returns() {
    let lines_received = lines_of(
        |permit, sender| async move {
            tokio::select! {
                () = permit.release_during(std::future::pending::<()>()) => {}
                () = sleep(Duration::from_secs(1)) => {}
            }
            sender.send("dropped").unwrap();
            permit.release_during(sleep(Duration::from_secs(1))).await;
            sender.send("waited").unwrap();
        },
        2,
    )
    .await;
    assert_eq!(lines_received, ["dropped", "waited"]);
}

#[tokio::test(start_paused = true)]
async fn next_wait_releases_a_reclaimed_permit() {
    let workers = workers(1);
    workers.add(&key("fickle"), Cause::Listed);
    let (sender, mut received) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let sender = sender.clone();
        async move {
            if permit.key().name() == "fickle" {
                let dropped = permit
                    .release_during(std::future::pending::<()>())
                    .now_or_never();
                assert_eq!(dropped, None);
                permit.release_during(std::future::pending::<()>()).await;
            }
            sender.send(permit.key().name().to_owned()).unwrap();
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    sleep(Duration::from_secs(1)).await;
    workers.add(&key("other"), Cause::Created);
    let other = tokio::time::timeout(Duration::from_hours(1), received.recv()).await;
    assert_eq!(other.unwrap().as_deref(), Some("other"));
    stop.cancel();
    running.await.unwrap();
}
