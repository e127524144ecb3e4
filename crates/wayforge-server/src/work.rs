//! Work that takes longer than a moment: on threads of its own, so many at once, and so many waiting.

use crate::observe::Counted;
use crate::problem::{Kind, Problem};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use wayforge_api::handlers::Brush;

/// The places where maps are made and drawn.
pub(crate) struct Workers {
    places: Arc<Semaphore>,
    all: usize,
    waiting: AtomicUsize,
    most_waiting: usize,
    /// Brushes that nobody draws with just now; never more than there are places.
    brushes: Arc<Mutex<Vec<Brush>>>,
}

/// The most brushes that are warmed up before they are needed: a painter keeps some megabytes.
const MAX_WARM: usize = 16;

impl Workers {
    pub(crate) fn new(concurrent: usize, most_waiting: usize) -> Workers {
        let all = concurrent.clamp(1, 1024);
        let (places, brushes) = (Arc::new(Semaphore::new(all)), Arc::default());
        Workers { places, all, waiting: AtomicUsize::new(0), most_waiting, brushes }
    }

    /// Makes brushes ready for the first requests.
    pub(crate) async fn warm(&self) {
        let warming: Vec<_> =
            (0..self.all.min(MAX_WARM)).map(|_| tokio::task::spawn_blocking(|| Brush::warm().ok())).collect();
        for brush in warming {
            // A brush that could not be warmed is made when it is needed.
            if let (Ok(Some(brush)), Ok(mut idle)) = (brush.await, self.brushes.lock())
                && idle.len() < self.all
            {
                idle.push(brush);
            }
        }
    }

    /// Runs `work` that draws, as [`run`](Self::run) does.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Brush) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let brushes = Arc::clone(&self.brushes);
        self.run(move || {
            let idle = brushes.lock().map_or(None, |mut idle| idle.pop());
            let mut brush = idle.unwrap_or_default();
            let done = work(&mut brush);
            if let Ok(mut idle) = brushes.lock() {
                idle.push(brush);
            }
            done
        })
        .await
    }

    /// Runs `work` off the async threads. It keeps its place until it is done, even if nobody waits for it any more:
    /// work cannot be interrupted, so leaving early must not let more of it in.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                let _queued = Counted::below(self.most_waiting, &self.waiting).ok_or_else(|| {
                    let detail = "too many requests wait for a map; try again in a moment";
                    Problem::new(Kind::Busy, detail).header("retry-after", "1")
                })?;
                let place = Arc::clone(&self.places).acquire_owned().await;
                place.map_err(|_| Problem::new(Kind::Internal, "the server is closing"))?
            }
        };
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        match done.await {
            Ok(done) => done,
            Err(error) => {
                tracing::error!(%error, "work failed");
                Err(Problem::new(Kind::Internal, "the work on this request failed; this is our fault"))
            }
        }
    }

    /// How many are at work, and how many wait.
    pub(crate) fn load(&self) -> (usize, usize) {
        (self.all - self.places.available_permits().min(self.all), self.waiting.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::act;
    use wayforge_draw::{Scene, Theme};

    /// True if the first picture in every theme finds what it shares with others painted already.
    fn is_warm(brush: &mut Brush) -> Result<bool, Problem> {
        let before = format!("{:?}", brush.painter());
        let spec = act::Config::default().resolve()?;
        let scene = Scene::of_act(&act::generate(9.into(), &spec).unwrap());
        for theme in Theme::ALL {
            brush.painter().png(&scene, theme, 100)?;
        }
        Ok(before == format!("{:?}", brush.painter()))
    }

    #[tokio::test]
    async fn warm_brushes_have_painted_every_theme_and_are_bounded() {
        let workers = Workers::new(2, 1);
        assert!(!workers.draw(is_warm).await.unwrap());
        workers.brushes.lock().unwrap().clear();
        workers.warm().await;
        assert!(workers.draw(is_warm).await.unwrap(), "nothing is left to paint for the first picture");
        workers.warm().await;
        assert_eq!(workers.brushes.lock().unwrap().len(), 2, "never more than there are places");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn so_many_work_so_many_wait_and_the_rest_is_told() {
        let workers = Arc::new(Workers::new(1, 1));
        let (release, held) = std::sync::mpsc::channel::<()>();
        let spawn = |work: Box<dyn FnOnce() -> Result<u8, Problem> + Send>| {
            let workers = Arc::clone(&workers);
            tokio::spawn(async move { workers.run(work).await })
        };
        let first = spawn(Box::new(move || {
            let _ = held.recv();
            Ok(1)
        }));
        while workers.load() != (1, 0) {
            tokio::task::yield_now().await;
        }
        let second = spawn(Box::new(|| Ok(2)));
        while workers.load() != (1, 1) {
            tokio::task::yield_now().await;
        }
        assert_eq!(spawn(Box::new(|| Ok(3))).await.unwrap().unwrap_err().status(), 503);
        release.send(()).unwrap();
        assert_eq!((first.await.unwrap().unwrap(), second.await.unwrap().unwrap()), (1, 2));
        // A panic gives its place back.
        assert_eq!(spawn(Box::new(|| panic!("on purpose"))).await.unwrap().unwrap_err().status(), 500);
        assert_eq!(spawn(Box::new(|| Ok(4))).await.unwrap().unwrap(), 4);
        assert_eq!(workers.load(), (0, 0));
    }
}
