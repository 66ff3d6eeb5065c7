//! Claims about runs, with a clock that stands still until everyone waits.

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

fn judge(_: &ObjectKey, ended: &Ended) -> Next {
    match ended {
        Ended::Returned(next) => *next,
        Ended::Panicked(_) => Next::Backoff,
    }
}

#[tokio::test(start_paused = true)]
async fn an_object_that_waits_for_ever_leaves_the_only_worker_to_others() {
    let workers = workers(1);
    let (tell, mut told) = mpsc::unbounded_channel();
    workers.add(&key("endless"), Cause::Listed);
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            if permit.key().name() == "endless" {
                permit.released(std::future::pending::<()>()).await;
            }
            tell.send(permit.key().name().to_owned()).unwrap();
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
    assert_eq!(told.recv().await.as_deref(), Some("other"));
    assert_eq!(
        began.elapsed(),
        Duration::ZERO,
        "it did not have to wait for anything"
    );
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn no_more_objects_work_at_once_than_there_are_permits() {
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
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            step().await;
            permit.released(sleep(Duration::from_secs(10))).await;
            step().await;
            tell.send(()).unwrap();
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let stop = stop.clone();
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    for _ in 0..20 {
        told.recv().await.unwrap();
    }
    assert_eq!(MOST.load(Ordering::SeqCst), 3);
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_one_objects_failure_and_is_tried_again() {
    let workers = workers(1);
    for name in ["sound", "broken"] {
        workers.add(&key(name), Cause::Listed);
    }
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            tell.send((permit.key().name().to_owned(), Instant::now()))
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
    let names = [told.recv().await.unwrap().0, told.recv().await.unwrap().0];
    assert_eq!(names, ["sound", "broken"]);
    let before = Instant::now();
    let (again, at) = told.recv().await.unwrap();
    assert_eq!(
        (again.as_str(), at - before),
        ("broken", Duration::from_millis(750))
    );
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_waiting_run_hears_that_it_is_superseded_and_runs_again() {
    let workers = workers(1);
    workers.add(&key("a"), Cause::Listed);
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            tell.send(permit.cause().clone()).unwrap();
            if *permit.cause() == Cause::Listed {
                let cause = permit.released(permit.superseded()).await;
                assert!(permit.is_superseded());
                tell.send(cause).unwrap();
            }
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    assert_eq!(told.recv().await, Some(Cause::Listed));
    workers.add(&key("a"), Cause::Edited);
    assert_eq!(told.recv().await, Some(Cause::Edited));
    assert_eq!(told.recv().await, Some(Cause::Edited));
    stop.cancel();
    running.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_drain_lets_working_runs_end_and_drops_those_that_wait() {
    let workers = workers(2);
    for name in ["working", "waiting"] {
        workers.add(&key(name), Cause::Listed);
    }
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            if permit.key().name() == "waiting" {
                permit.released(sleep(Duration::from_secs(3))).await;
            } else {
                sleep(Duration::from_secs(5)).await;
            }
            tell.send(permit.key().name().to_owned()).unwrap();
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
    assert_eq!(told.recv().await.as_deref(), Some("working"));
    assert_eq!(
        told.recv().await,
        None,
        "nothing else ended, and nothing ran again"
    );
    let state = workers.shared.lock();
    assert_eq!((state.queue.working(), state.queue.away()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_drain_does_not_wait_longer_than_its_grace() {
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
async fn a_wait_that_is_given_up_half_way_still_gets_its_permit_back() {
    let workers = workers(1);
    workers.add(&key("hasty"), Cause::Listed);
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            tokio::select! {
                () = permit.released(std::future::pending::<()>()) => {}
                () = sleep(Duration::from_secs(1)) => {}
            }
            tell.send(permit.key().name().to_owned()).unwrap();
            sleep(Duration::from_secs(1)).await;
            Next::Never
        }
    };
    let stop = CancellationToken::new();
    let running = tokio::spawn({
        let (workers, stop) = (workers.clone(), stop.clone());
        async move { workers.run(work, judge, stop, Duration::ZERO).await }
    });
    assert_eq!(told.recv().await.as_deref(), Some("hasty"));
    sleep(Duration::from_millis(500)).await;
    {
        let state = workers.shared.lock();
        assert_eq!((state.queue.working(), state.queue.away()), (1, 0));
    }
    stop.cancel();
    running.await.unwrap();
}

/// Runs one object's work with one permit, and gives what it told.
async fn told_by<W, R>(work: W, lines: usize) -> Vec<&'static str>
where
    W: Fn(Permit, mpsc::UnboundedSender<&'static str>) -> R + Send + Sync + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let workers = workers(1);
    workers.add(&key("only"), Cause::Listed);
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let run = work(permit, tell.clone());
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
    let mut heard = Vec::new();
    // The clock stands still until everyone waits: a hang is an hour that passes at once.
    while heard.len() < lines
        && let Ok(Some(line)) = tokio::time::timeout(Duration::from_hours(1), told.recv()).await
    {
        heard.push(line);
    }
    stop.cancel();
    running.await.unwrap();
    heard
}

#[tokio::test(start_paused = true)]
async fn overlapping_waits_of_one_run_all_come_back() {
    let heard = told_by(
        |permit, tell| async move {
            let wait = async |seconds, line| {
                permit.released(sleep(Duration::from_secs(seconds))).await;
                tell.send(line).unwrap();
            };
            // The second ends when the first has brought the permit back.
            tokio::join!(wait(1, "first"), wait(2, "second"), wait(2, "third"));
            tell.send("end").unwrap();
        },
        4,
    )
    .await;
    assert_eq!(heard, ["first", "second", "third", "end"]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_after_a_dropped_one_comes_back() {
    let heard = told_by(
        |permit, tell| async move {
            tokio::select! {
                () = permit.released(std::future::pending::<()>()) => {}
                () = sleep(Duration::from_secs(1)) => {}
            }
            tell.send("dropped").unwrap();
            permit.released(sleep(Duration::from_secs(1))).await;
            tell.send("waited").unwrap();
        },
        2,
    )
    .await;
    assert_eq!(heard, ["dropped", "waited"]);
}

#[tokio::test(start_paused = true)]
async fn a_permit_that_a_dropped_wait_asked_for_is_not_kept_through_the_next_wait() {
    let workers = workers(1);
    workers.add(&key("fickle"), Cause::Listed);
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = move |permit: Permit| {
        let tell = tell.clone();
        async move {
            if permit.key().name() == "fickle" {
                let dropped = permit.released(std::future::pending::<()>()).now_or_never();
                assert_eq!(dropped, None);
                permit.released(std::future::pending::<()>()).await;
            }
            tell.send(permit.key().name().to_owned()).unwrap();
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
    let other = tokio::time::timeout(Duration::from_hours(1), told.recv()).await;
    assert_eq!(other.unwrap().as_deref(), Some("other"));
    stop.cancel();
    running.await.unwrap();
}
