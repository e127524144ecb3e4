//! Requests by their address, for those who have no router.

use crate::handlers::ask::{SeedAndConfig, not_made, read_look, read_object};
use crate::handlers::form::Form;
use crate::handlers::map::{generate, write_map};
use crate::handlers::problem::{Kind, Problem};
use crate::handlers::query::Query;
use crate::handlers::validate::{read_reproduce, validate};
use crate::handlers::ways::{self, read_theme};
use crate::handlers::{Brush, Limits, export, reroll, routes, scene};
use serde::Serialize;
use wayforge::Family;
use wayforge_formats::What;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What `Content-Type` says.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// Answers a `POST` of `body` to `path` as the service does, with the parameters in `query`.
///
/// * **Errors.** Whatever the service refuses, and addresses that keep something: there is nowhere to keep it.
pub fn answer(
    path: &str,
    query: &str,
    body: &[u8],
    limits: &Limits,
    brush: &mut Brush,
) -> Result<Told, Problem> {
    let query = Query::read(query);
    let route = path.strip_prefix("/v1/").ok_or_else(|| nowhere(path))?;
    if let Some((what, family)) = route.split_once('/') {
        query.finish()?;
        let family = Family::ALL.into_iter().find(|known| known.name() == family);
        return match (what, family) {
            ("scene", Some(family)) => json(&scene::scene(body, family, limits)?),
            ("reroll", Some(family @ (Family::Act | Family::Tower))) => {
                json(&reroll::reroll(body, family, limits)?)
            }
            _ => Err(nowhere(path)),
        };
    }
    match route.split_once('.') {
        None if route == "validate" => json(&validate(body, read_reproduce(query)?, limits)?),
        None => {
            query.finish()?;
            match route {
                "routes" => json(&routes::routes(body, limits)?),
                "water" => json(&ways::water(body, limits)?),
                "way" => json(&ways::way(body, limits)?),
                _ => Err(nowhere(path)),
            }
        }
        Some(("way", "apng")) => Ok(told(Form::Film, ways::film(body, read_theme(query)?, limits)?)),
        Some(("water", suffix)) => {
            let form = form_of(What::Water, suffix).ok_or_else(|| nowhere(path))?;
            Ok(told(form, ways::write_sea(body, form, read_theme(query)?, limits)?))
        }
        Some((family, suffix)) => {
            let family = Family::ALL.into_iter().find(|known| known.name() == family);
            let family = family.ok_or_else(|| nowhere(path))?;
            let form = form_of(What::Map(family), suffix).ok_or_else(|| nowhere(path))?;
            Ok(told(form, map(query, body, family, form, limits, brush)?))
        }
    }
}

/// A map in a form.
fn map(
    mut query: Query,
    body: &[u8],
    family: Family,
    form: Form,
    limits: &Limits,
    brush: &mut Brush,
) -> Result<Vec<u8>, Problem> {
    let look = read_look(&mut query, Some(family), export::usual_scale(family, form), limits)?;
    query.finish()?;
    let request: SeedAndConfig<'_> = read_object(body)?;
    let (config, _) = request.config.config(family, limits)?;
    let seed = request.seed.seed()?;
    write_map(generate(&config, seed.clone()).map_err(not_made)?, &seed, form, look, brush)
}

fn form_of(what: What, suffix: &str) -> Option<Form> {
    Form::of(what).into_iter().find(|form| form.suffix() == suffix)
}

fn told(form: Form, body: Vec<u8>) -> Told {
    Told { content_type: form.content_type(), body }
}

fn json(value: &impl Serialize) -> Result<Told, Problem> {
    let refuse = |error| Problem::new(Kind::Internal, format!("the answer cannot be written: {error}"));
    Ok(told(Form::Json, serde_json::to_vec(value).map_err(refuse)?))
}

fn nowhere(path: &str) -> Problem {
    let short: String = path.chars().take(80).collect();
    Problem::new(Kind::NotFound, format!("{short}: nobody answers this without a service")).value(short)
}
