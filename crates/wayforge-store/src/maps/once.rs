//! What may happen once only: remembered for a while, by all servers over one database.

use super::Maps;
use crate::backend::Backend;
use crate::error::Result;
use crate::time::Timestamp;
use std::time::Duration;
use wayforge::InputError;

/// The longest name that is remembered, in bytes.
const MAX_NAME: usize = 128;

impl<B: Backend> Maps<B> {
    pub(super) async fn take_once(&self, name: &str, keep: Duration) -> Result<bool> {
        if name.is_empty() || name.len() > MAX_NAME || name.contains('\0') {
            let remedy = format!("use 1 to {MAX_NAME} bytes");
            return Err(InputError::new("name", format!("{name:?}"), "not a name", remedy).into());
        }
        let now = Timestamp::now().0;
        let keep = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
        self.backend.once(name, now, now.saturating_add(keep)).await
    }
}
