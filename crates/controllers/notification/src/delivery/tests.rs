//! The delivery queue keeps the order, doubles its waits and gives up old messages.

use super::*;

const DOWN: Failure = Failure::Transient { retry_after: None };

fn at(seconds: u64) -> Timestamp {
    Timestamp::UNIX_EPOCH
        .checked_add(Duration::from_secs(seconds))
        .unwrap()
}

fn queue(max_age: u64) -> Queue<u32> {
    Queue::new(Duration::from_secs(max_age))
}

#[test]
fn messages_arrive_in_order_after_an_outage() {
    let mut queue = queue(600);
    for number in 0..100 {
        assert_eq!(queue.push(number, at(0)), None);
    }
    let (mut now, mut arrived) = (at(0), Vec::new());
    while let next @ (Next::Send(_) | Next::WaitUntil(_)) = queue.next(now) {
        match next {
            Next::WaitUntil(time) => now = time,
            Next::Send(_) if now < at(60) => assert_eq!(queue.failed(DOWN, now), None),
            Next::Send(_) => arrived.extend(queue.delivered()),
            Next::Idle => {}
        }
    }
    assert_eq!(arrived, (0..100).collect::<Vec<_>>());
    assert!(now < at(130), "{now}");
}

#[test]
fn waits_double_up_to_the_maximum() {
    let mut queue = queue(u64::MAX);
    queue.push(1, at(0));
    let mut now = at(0);
    let mut waits = Vec::new();
    for _ in 0..12 {
        assert_eq!(queue.failed(DOWN, now), None);
        let Next::WaitUntil(time) = queue.next(now) else {
            unreachable!("a failure waits");
        };
        waits.push(time.duration_since(now).as_secs());
        now = time;
    }
    assert_eq!(waits, [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
}

#[test]
fn service_determines_a_longer_wait() {
    let mut queue = queue(600);
    queue.push(1, at(0));
    for (asked, waited) in [(30, 30), (1, 4), (1_000_000, 600)] {
        let failure = Failure::of_status(429, Some(Duration::from_secs(asked)));
        assert_eq!(queue.failed(failure, at(0)), None);
        assert_eq!(queue.next(at(0)), Next::WaitUntil(at(waited)));
    }
}

#[test]
fn refused_message_does_not_hold_up_others() {
    let mut queue = queue(600);
    queue.push(1, at(0));
    queue.push(2, at(0));
    assert_eq!(queue.failed(Failure::of_status(400, None), at(0)), Some(1));
    assert_eq!(queue.next(at(0)), Next::Send(&2));
}

#[test]
fn old_message_is_given_up_after_a_failure() {
    let mut queue = queue(60);
    queue.push(1, at(0));
    queue.push(2, at(50));
    assert_eq!(queue.next(at(1000)), Next::Send(&1));
    assert_eq!(queue.failed(DOWN, at(60)), Some(1));
    // The service is still down for the second message.
    assert_eq!(queue.next(at(60)), Next::WaitUntil(at(62)));
    assert_eq!(queue.failed(DOWN, at(62)), None);
    assert_eq!(queue.len(), 1);
}

#[test]
fn full_queue_gives_up_the_oldest() {
    let mut queue = Queue::with_capacity(Duration::from_mins(1), 2);
    assert_eq!(queue.push(1, at(0)), None);
    assert_eq!(queue.push(2, at(0)), None);
    assert_eq!(queue.push(3, at(0)), Some(1));
    assert_eq!(queue.next(at(0)), Next::Send(&2));
    assert!(!queue.is_empty());
}

#[test]
fn statuses_are_transient_or_permanent() {
    for status in [408, 425, 429, 500, 502, 503, 504, 599] {
        assert_eq!(Failure::of_status(status, None), DOWN, "{status}");
    }
    for status in [301, 400, 401, 403, 404, 410, 413, 501] {
        let found = Failure::of_status(status, None);
        assert_eq!(found, Failure::Permanent, "{status}");
    }
}
