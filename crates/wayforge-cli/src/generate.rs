//! Shared parts of the commands that generate maps: seeds, output checks and the loop over seeds.

use crate::failure::{Failure, reject};
use crate::format::FormatArg;
use crate::number::within;
use crate::output::Output;
use crate::picture::{Canvas, OutputArgs, check_scale};
use crate::{seed, steps};
use clap::Args;
use wayforge::Seed;
use wayforge_draw::{AnyScene, Frames, PngScene, Replay, animation};

/// Seed options.
#[derive(Args)]
pub(crate) struct SeedArgs {
    /// Seed, a number or any text [default: random, printed]
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    pub(crate) seed: Option<Seed>,
    /// Number of maps, from consecutive seeds, 1 or more
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1..))]
    count: u64,
}

/// A checked request to generate maps, with its open output.
pub(crate) struct Maps<'a> {
    args: &'a OutputArgs,
    canvas: Canvas,
    output: Output,
    seed: Seed,
    count: u64,
}

impl<'a> Maps<'a> {
    /// Opens the output and chooses a random seed if none is given.
    ///
    /// `multi_map_formats` names the formats for several maps in the error message. A random seed
    /// is printed on standard error unless ASCII output shows it (`shows_seed`).
    ///
    /// # Errors
    /// If the format cannot show the requested maps.
    pub(crate) fn open(
        args: &'a OutputArgs,
        canvas: Canvas,
        seeds: &SeedArgs,
        multi_map_formats: &str,
        shows_seed: bool,
    ) -> Result<Maps<'a>, Failure> {
        let (format, count) = (canvas.format, seeds.count);
        if count != 1 && (args.steps || format.is_picture()) {
            return reject(format!(
                "--count {count}: pictures and --steps show one map; leave out --count, or use \
                 --format {multi_map_formats}"
            ));
        }
        let output = Output::open(args.output())?;
        for (picture, name) in [(FormatArg::Png, "png"), (FormatArg::Apng, "apng")] {
            if format == picture && output.is_terminal() {
                return reject(format!(
                    "--format {name}: a terminal cannot show PNG; use -o FILE.{name}"
                ));
            }
        }
        if args.steps && format != FormatArg::Ascii {
            return reject("--steps: only ASCII shows steps; leave out --format, or use apng");
        }
        let seed = seeds.seed.clone().map_or_else(seed::random, Ok)?;
        if seeds.seed.is_none() && !(shows_seed && format == FormatArg::Ascii) {
            eprintln!("seed {seed}");
        }
        Ok(Maps { args, canvas, output, seed, count })
    }

    /// Returns the first seed.
    pub(crate) fn seed(&self) -> Seed {
        self.seed.clone()
    }

    /// Returns true if the output shows the steps of the generation.
    pub(crate) fn is_animated(&self) -> bool {
        self.args.steps || self.canvas.format == FormatArg::Apng
    }

    /// Writes the bytes that `generate` returns for each seed.
    pub(crate) fn write(
        mut self,
        mut generate: impl FnMut(Seed) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        for n in 0..self.count {
            let bytes = generate(self.seed.offset(n))?;
            if n > 0 && self.canvas.format == FormatArg::Ascii {
                self.output.write(b"\n")?;
            }
            self.output.write(&bytes)?;
        }
        self.output.finish()
    }

    /// Shows the frames of a generation step by step, or writes them as an animation.
    pub(crate) fn animate<R>(mut self, frames: Frames<R>) -> Result<(), Failure>
    where
        R: Replay<Scene: Into<AnyScene> + PngScene> + Clone,
    {
        let Canvas { ascii_style, theme, scale, .. } = self.canvas;
        if self.args.steps {
            return steps::show(&frames, |scene| scene.into().ascii(ascii_style), self.output);
        }
        self.output.write(&check_scale(animation(frames, theme, scale), scale)?)?;
        self.output.finish()
    }
}
