//! The delivery queue keeps the order, doubles its waits and gives up old messages.

use super::*;

const DOWN: Failure = Failure::Transient { retry_after: None };

fn at(seconds: u64) -> Timestamp {
    Timestamp::UNIX_EPOCH
        .checked_add(Duration::from_secs(seconds))
        .unwrap()
}

const MAX_AGE: Duration = Duration::from_mins(10);
const NONE: [u32; 0] = [];

/// Returns a queue with messages of an age of zero.
fn queue(messages: &[u32]) -> Queue<u32> {
    let mut queue = Queue::default();
    for message in messages {
        assert_eq!(queue.push(*message, 1, at(0)), NONE);
    }
    queue
}

#[test]
fn messages_arrive_in_order_after_an_outage() {
    let numbers: Vec<u32> = (0..100).collect();
    let mut queue = queue(&numbers);
    let (mut now, mut arrived) = (at(0), Vec::new());
    while let next @ (Next::Send(_) | Next::WaitUntil(_)) = queue.next(now) {
        match next {
            Next::WaitUntil(time) => now = time,
            Next::Send(_) if now < at(60) => assert_eq!(queue.failed(DOWN, MAX_AGE, now), NONE),
            Next::Send(_) => arrived.extend(queue.delivered()),
            Next::Idle => {}
        }
    }
    assert_eq!(arrived, numbers);
    assert_eq!(queue.bytes(), 0);
    assert!(now < at(130), "{now}");
}

#[test]
fn waits_double_up_to_the_maximum() {
    let mut queue = queue(&[1]);
    let mut now = at(0);
    let mut waits = Vec::new();
    for _ in 0..12 {
        assert_eq!(queue.failed(DOWN, Duration::MAX, now), NONE);
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
    let mut queue = queue(&[1]);
    for (asked, waited) in [(30, 30), (1, 4), (1_000_000, 600)] {
        let failure = Failure::of_status(429, Some(Duration::from_secs(asked)));
        assert_eq!(queue.failed(failure, MAX_AGE, at(0)), NONE);
        assert_eq!(queue.next(at(0)), Next::WaitUntil(at(waited)));
    }
}

#[test]
fn refused_message_does_not_hold_up_others() {
    let mut queue = queue(&[1, 2]);
    let refused = queue.failed(Failure::of_status(400, None), MAX_AGE, at(0));
    assert_eq!(refused, [1]);
    assert_eq!(queue.next(at(0)), Next::Send(&2));
}

#[test]
fn outage_ends_without_old_messages() {
    let mut queue = queue(&[1, 2]);
    queue.push(3, 1, at(500));
    assert_eq!(queue.next(at(900)), Next::Send(&1));
    assert_eq!(queue.failed(DOWN, MAX_AGE, at(900)), [1, 2]);
    // The service is still down for the third message.
    assert_eq!(queue.next(at(900)), Next::WaitUntil(at(902)));
    assert_eq!(queue.failed(DOWN, MAX_AGE, at(902)), NONE);
    assert_eq!((queue.len(), queue.bytes()), (1, 1));
}

/// The reference makes these attempts within its timeout of 15 seconds.
#[test]
fn last_attempt_is_within_the_maximum_age() {
    for (max_age, expected) in [
        (15, &[0, 2, 6, 14][..]),
        (10, &[0, 2, 6, 10]),
        (600, &[0, 2, 6, 14, 30, 62, 126, 254, 510, 600]),
        (1, &[0]),
        (0, &[0]),
    ] {
        let mut queue = queue(&[1]);
        let (mut now, mut attempts) = (at(0), Vec::new());
        while !queue.is_empty() {
            attempts.push(now.as_second());
            let given_up = queue.failed(DOWN, Duration::from_secs(max_age), now);
            match queue.next(now) {
                Next::WaitUntil(time) => now = time,
                _ => assert_eq!(given_up, [1]),
            }
        }
        assert_eq!(attempts, expected, "{max_age}");
    }
}

#[test]
fn full_queue_gives_up_the_oldest() {
    let mut queue = Queue::with_capacity(2);
    assert_eq!(queue.push(1, 1, at(0)), NONE);
    assert_eq!(queue.push(2, 1, at(0)), NONE);
    assert_eq!(queue.push(3, 1, at(0)), [1]);
    assert_eq!(queue.next(at(0)), Next::Send(&2));
    // Large messages make room for each other, but never for none.
    assert_eq!(queue.push(4, MAX_BYTES + 1, at(0)), [2, 3]);
    assert_eq!(queue.push(5, 1, at(0)), [4]);
    assert_eq!((queue.len(), queue.bytes()), (1, 1));
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
