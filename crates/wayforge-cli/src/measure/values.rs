//! The same survey at every value of a field.

use super::range::Range;
use super::{Work, publish};
use crate::config_file::without_place;
use crate::failure::{Context, Failure};
use crate::sweep::Bar;
use serde_json::Value;
use wayforge::AnySpec;
use wayforge::GenerateError;
use wayforge_analysis::report::{Point, Sweep, sweep_page, sweep_tables};
use wayforge_analysis::search::Plan;

impl Work<'_> {
    /// Measures at every value and draws curves over them.
    pub(super) fn sweep(
        &self,
        range: &Range,
        base: &AnySpec,
        config: &Value,
        name: &str,
    ) -> Result<(), Failure> {
        let args = self.args;
        let config = range.written_out(base, config).about("--sweep")?;
        let mut subjects = Vec::new();
        for value in range.values() {
            let json = range.put(&config, &value, base.family()).about("--sweep")?;
            let subject = AnySpec::from_json(base.family(), json.to_string().as_bytes());
            let about = |error: GenerateError| {
                // A place in what was put together here is a place in no file.
                let what = without_place(&error);
                let percent =
                    if what.ends_with("expected a string") { "; perhaps FROM%:TO%:STEP%" } else { "" };
                Failure::about(format!("--sweep {} = {value}", range.field()), format!("{what}{percent}"))
            };
            subjects.push((value.clone(), subject.map_err(about)?));
        }
        let (folder, output) = self.places()?;
        let mut points = Vec::new();
        let span = args.sweep.span(args.count);
        let mut bar = Bar::new(span.len().saturating_mul(subjects.len() as u64), 0);
        let mut done = 0;
        for (value, subject) in subjects {
            let plan = Plan { pairs: Vec::new(), places: true, rows: false };
            let surveyed = self.run(&subject, span.clone(), plan, |survey| {
                bar.show(done + survey.seeds_done(), || format!("{} = {value}", range.field()));
                Ok(())
            })?;
            done += surveyed.seeds;
            if !surveyed.whole {
                bar.finish(done, "stopped; nothing is written");
                return Err(Failure::Check);
            }
            points.push(Point { value, found: surveyed.found.without_places(), times: surveyed.times });
        }
        let noun = if points.len() == 1 { "value" } else { "values" };
        bar.finish(done, &format!("{} {noun} of {}", points.len(), range.field()));
        let sweep = Sweep { field: range.field().to_owned(), points };
        let page = sweep_page(&sweep, base, name, args.theme);
        publish(folder.as_ref(), output, &page, &sweep_tables(&sweep), Vec::new())
    }
}
