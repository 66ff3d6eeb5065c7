//! Decodes answers beside the runtime's threads.
//!
//! A tenant chooses the size of its objects, and the server of a `kubeConfig`. A large answer takes
//! a thread for a second. A small one is decoded at once, because most are.

use serde::de::DeserializeOwned;
use serde_json::Value;
use sluice_system::blocking;
use tokio::sync::mpsc;

/// Bytes of an answer that a thread of the runtime decodes in a millisecond.
const MAX_INLINE_BYTES: usize = 64 << 10;
/// Objects of a list that are decoded ahead of their use.
const ITEMS_AHEAD: usize = 16;

/// Decodes an answer.
pub(crate) async fn decode<T>(text: String) -> Result<T, serde_json::Error>
where
    T: DeserializeOwned + Send + 'static,
{
    run(text.len(), move || serde_json::from_str(&text)).await
}

/// Runs work over an answer of some bytes.
pub(crate) async fn run<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    if bytes <= MAX_INLINE_BYTES {
        work()
    } else {
        blocking(work).await
    }
}

/// Decodes an answer in parts, and passes each one to `each` on this task.
///
/// `read` decodes the answer and calls its argument for each part.
pub(crate) async fn decode_each<T: Send + 'static>(
    text: String,
    read: impl FnOnce(&str, &mut dyn FnMut(Value)) -> T + Send + 'static,
    mut each: impl FnMut(Value),
) -> T {
    if text.len() <= MAX_INLINE_BYTES {
        return read(&text, &mut each);
    }
    let (sender, mut parts) = mpsc::channel(ITEMS_AHEAD);
    let reading = blocking(move || {
        read(&text, &mut |part| {
            // The receiver is gone when the caller is.
            drop(sender.blocking_send(part));
        })
    });
    let receiving = async {
        while let Some(part) = parts.recv().await {
            each(part);
        }
    };
    let (end, ()) = tokio::join!(reading, receiving);
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, each: &mut dyn FnMut(Value)) -> Result<(), serde_json::Error> {
        let items: Vec<Value> = serde_json::from_str(text)?;
        items.into_iter().for_each(each);
        Ok(())
    }

    async fn count(text: String) -> (Result<(), serde_json::Error>, usize) {
        let mut count = 0;
        let end = decode_each(text, read, |_| count += 1).await;
        (end, count)
    }

    #[tokio::test]
    async fn parts_of_small_and_large_answers_arrive() {
        for items in [3, 100_000] {
            let text = format!("[{}1]", "1,".repeat(items - 1));
            let (end, count) = count(text).await;
            end.unwrap();
            assert_eq!(count, items);
        }
        let (end, _) = count("[".repeat(100_000)).await;
        assert!(end.is_err());
    }

    #[tokio::test]
    async fn large_answer_is_decoded_as_a_small_one() {
        for bytes in [10, MAX_INLINE_BYTES] {
            let text = format!("\"{}\"", "a".repeat(bytes));
            let decoded: String = decode(text).await.unwrap();
            assert_eq!(decoded.len(), bytes);
        }
    }
}
