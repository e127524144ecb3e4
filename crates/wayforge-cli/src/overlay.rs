//! Applies command-line options on top of a configuration.

use crate::failure::{Context, Failure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the given options by field name.
pub(crate) fn given_options(options: &impl Serialize) -> Result<BTreeMap<String, Value>, Failure> {
    let mut fields: BTreeMap<String, Value> =
        serde_json::to_value(options).and_then(serde_json::from_value).rejected()?;
    fields.retain(|_, value| {
        !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty())
    });
    Ok(fields)
}

/// Replaces every field of a configuration whose option was given. Lists are appended.
pub(crate) fn overlay<C>(config: &mut C, options: &impl Serialize) -> Result<(), Failure>
where
    C: Serialize + DeserializeOwned,
{
    let mut fields = serde_json::to_value(&*config).rejected()?;
    for (name, value) in given_options(options)? {
        match (&mut fields[name], value) {
            (Value::Array(list), Value::Array(more)) => list.extend(more),
            (field, value) => *field = value,
        }
    }
    *config = serde_json::from_value(fields).rejected()?;
    Ok(())
}
