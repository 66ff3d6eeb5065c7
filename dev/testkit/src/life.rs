//! A controller in the test's process that can end without grace.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::runtime::{Builder, Runtime};

use crate::FaultProxy;

type Tasks = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A controller whose tasks run on a runtime of its own. A kill ends them where they are. Clones
/// are of the same controller.
#[derive(Clone)]
pub struct Life(Arc<Inner>);

struct Inner {
    tasks: Box<dyn Fn() -> Tasks + Send + Sync>,
    runtime: Mutex<Option<Runtime>>,
}

impl fmt::Debug for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Life")
    }
}

impl Life {
    /// Starts a controller. Each start runs these tasks.
    pub fn start<T: Future<Output = ()> + Send + 'static>(
        tasks: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        let life = Self(Arc::new(Inner {
            tasks: Box::new(move || Box::pin(tasks())),
            runtime: Mutex::default(),
        }));
        life.restart();
        life
    }

    /// Kills the controller, and starts its successor.
    ///
    /// # Panics
    ///
    /// If the system cannot create a thread.
    pub fn restart(&self) {
        self.kill();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.spawn((self.0.tasks)());
        *self.0.runtime() = Some(runtime);
    }

    /// Kills the controller.
    pub fn kill(&self) {
        if let Some(runtime) = self.0.runtime().take() {
            runtime.shutdown_background();
        }
    }

    /// Restarts the controller at each kill of a proxy.
    pub fn restart_at_kills(&self, proxy: &FaultProxy) {
        let life = self.clone();
        proxy.on_kill(move || life.restart());
    }
}

impl Inner {
    fn runtime(&self) -> std::sync::MutexGuard<'_, Option<Runtime>> {
        self.runtime.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime().take() {
            runtime.shutdown_background();
        }
    }
}
