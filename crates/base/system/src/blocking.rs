//! Computations and file operations beside the runtime's threads.

/// Runs work on a blocking thread, where it does not hold up other tasks. A panic of the work goes
/// on in the caller.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
