//! What the commands share that generate maps of one family: seeds, checks of the output, and the loop over seeds.

use crate::failure::{Failure, reject};
use crate::format::OutputFormat;
use crate::number::at_least_one;
use crate::output::Output;
use crate::picture::{Canvas, Drawable, LookArgs, scaled};
use crate::{seed, steps};
use clap::Args;
use wayforge::Seed;
use wayforge_draw::{DrawError, Frame, Theme};

/// The seeds of the maps.
#[derive(Args)]
pub(crate) struct SeedArgs {
    /// The seed, a number or any text; random if left out, and then printed
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    pub(crate) seed: Option<Seed>,
    /// Number of consecutive seeds, from the given one; 1 or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    count: u64,
}

/// Maps that are about to be generated and written.
pub(crate) struct Maps<'a> {
    look: &'a LookArgs,
    canvas: Canvas,
    output: Output,
    seed: Seed,
    count: u64,
}

impl<'a> Maps<'a> {
    /// Opens the output, or rejects what it cannot show. `listed` names the formats that can contain many maps. A random
    /// seed is printed on standard error unless ASCII output shows it (`shows_seed`).
    pub(crate) fn open(
        look: &'a LookArgs,
        canvas: Canvas,
        seeds: &SeedArgs,
        listed: &str,
        shows_seed: bool,
    ) -> Result<Maps<'a>, Failure> {
        let (format, count) = (canvas.format, seeds.count);
        if count != 1 && (look.steps || format.is_picture()) {
            return reject(format!("--count {count}: a picture holds one map; use --format {listed}"));
        }
        let output = Output::open(look.output())?;
        if matches!(format, OutputFormat::Png | OutputFormat::Apng) && output.is_terminal() {
            return reject("--format png: a terminal cannot show it; use -o FILE.png");
        }
        if look.steps && format != OutputFormat::Ascii {
            return reject("--steps: steps are shown as ascii; leave --format out, or use apng");
        }
        let seed = seeds.seed.clone().map_or_else(seed::random, Ok)?;
        if seeds.seed.is_none() && !(shows_seed && format == OutputFormat::Ascii) {
            eprintln!("seed {seed}");
        }
        Ok(Maps { look, canvas, output, seed, count })
    }

    /// The first seed.
    pub(crate) fn seed(&self) -> Seed {
        self.seed.clone()
    }

    /// True if the generation of a map is shown, not the map alone.
    pub(crate) fn is_animated(&self) -> bool {
        self.look.steps || self.canvas.format == OutputFormat::Apng
    }

    /// Writes the bytes that `next` returns for each seed.
    pub(crate) fn write(
        mut self,
        mut next: impl FnMut(Seed) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        for n in 0..self.count {
            let bytes = next(self.seed.plus(n))?;
            if n > 0 && self.canvas.format == OutputFormat::Ascii {
                self.output.write(b"\n")?;
            }
            self.output.write(&bytes)?;
        }
        self.output.finish()
    }

    /// Shows the steps of a map's generation, or writes them as an animation.
    pub(crate) fn animate<S: Drawable, I>(
        mut self,
        shots: &I,
        film: impl FnOnce(Theme, u32) -> Result<Vec<u8>, DrawError>,
    ) -> Result<(), Failure>
    where
        I: Iterator<Item = Frame<S>> + ExactSizeIterator + Clone,
    {
        let Canvas { paint, theme, scale, .. } = self.canvas;
        if self.look.steps {
            return steps::show(shots, |scene: &S| scene.ascii(paint), self.output);
        }
        self.output.write(&scaled(film(theme, scale), scale)?)?;
        self.output.finish()
    }
}
