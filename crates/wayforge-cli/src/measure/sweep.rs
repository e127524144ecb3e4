//! `measure --sweep`: surveys a configuration at every value of one field.

use super::sweep_range::SweepRange;
use super::{MeasureJob, publish};
use crate::config_file::without_position;
use crate::failure::{Context, Failure};
use crate::number::counted;
use crate::seed_range::SeedProgress;
use serde_json::Value;
use wayforge::AnySpec;
use wayforge::GenerateError;
use wayforge_analysis::report::{Sweep, SweepPoint, sweep_page, sweep_tables};
use wayforge_analysis::search::SurveyPlan;

impl MeasureJob<'_> {
    /// Measures every value of a field and plots the metrics over it.
    pub(super) fn sweep(
        &self,
        range: &SweepRange,
        base: &AnySpec,
        config: &Value,
        name: &str,
    ) -> Result<(), Failure> {
        let args = self.args;
        let config = range.expand_default_list(base, config).context("--sweep")?;
        let mut specs = Vec::new();
        for value in range.values() {
            let json = range.set_field(&config, &value, base.family()).context("--sweep")?;
            let spec = AnySpec::from_json(base.family(), json.to_string().as_bytes());
            let to_failure = |error: GenerateError| {
                // The position would refer to the generated JSON, not to a file.
                let problem = without_position(error).to_string();
                let hint = if problem.ends_with("expected a string") {
                    "; for percentages write FROM%:TO%:STEP%"
                } else {
                    ""
                };
                Failure::new(
                    format!("--sweep {} = {value}", range.field()),
                    format!("{problem}{hint}"),
                )
            };
            specs.push((value.clone(), spec.map_err(to_failure)?));
        }
        let (folder, output) = self.open_outputs()?;
        let mut points = Vec::new();
        let seeds = args.range.seeds(args.count);
        let mut progress = SeedProgress::new(seeds.len().saturating_mul(specs.len() as u64), 0);
        let mut done = 0;
        for (value, spec) in specs {
            let plan = SurveyPlan { pairs: Vec::new(), occupancy: true, rows: false };
            let outcome = self.run_waves(&spec, seeds.clone(), plan, |survey| {
                let note = || format!("{} = {value}", range.field());
                progress.show(done + survey.seeds_done(), note);
                Ok(())
            })?;
            done += outcome.seeds;
            if !outcome.is_complete {
                progress.finish(done, "stopped; nothing is written");
                return Err(Failure::Check);
            }
            points.push(SweepPoint {
                value,
                results: outcome.results.without_occupancy(),
                times: outcome.times,
            });
        }
        let values = counted(points.len(), "value");
        progress.finish(done, &format!("{values} of {}", range.field()));
        let sweep = Sweep { field: range.field().to_owned(), points };
        let page = sweep_page(&sweep, base, name, args.theme);
        publish(folder.as_ref(), output, &page, &sweep_tables(&sweep), Vec::new())
    }
}
