//! `wayforge discord`: what Discord has to be told of a bot, and what a service has to be told of Discord.

use crate::database::runtime;
use crate::failure::{Context, Failure, reject};
use crate::output;
use clap::{Args, Subcommand};
use wayforge_server::discord::{self, ApiAddress, Discord, PublicKey, Settings};

/// The options of `wayforge discord`.
#[derive(Args)]
pub(crate) struct DiscordArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Write the definitions of the commands to Discord, in the place of all that the application had
    ///
    /// The token of the bot is read from the environment variable DISCORD_BOT_TOKEN.
    Register {
        #[command(flatten)]
        application: ApplicationArgs,
        /// Only in this guild, where they are there at once; everywhere if left out
        #[arg(long, value_name = "ID", value_parser = snowflake)]
        guild: Option<u64>,
        /// Print the definitions instead
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Args)]
struct ApplicationArgs {
    /// The application's id, from its General Information
    #[arg(
        long = "discord-application",
        alias = "application",
        value_name = "ID",
        value_parser = snowflake,
        env = "DISCORD_APPLICATION_ID"
    )]
    application: Option<u64>,
    /// Discord's API; only a test needs another one
    #[arg(long = "discord-api", alias = "api", value_name = "ADDRESS", value_parser = str::parse::<ApiAddress>, env = "DISCORD_API")]
    api: Option<ApiAddress>,
}

/// The options of `wayforge serve` about Discord.
#[derive(Args)]
#[command(next_help_heading = "Discord")]
pub(crate) struct BotArgs {
    /// Answer Discord's interactions at /discord/interactions; the application's public key, from its General Information
    #[arg(long, value_name = "HEX", value_parser = public_key, env = "DISCORD_PUBLIC_KEY", requires = "application")]
    discord_public_key: Option<PublicKey>,
    #[command(flatten)]
    application: ApplicationArgs,
}

/// Registers.
pub(crate) fn run(args: DiscordArgs) -> Result<(), Failure> {
    let What::Register { application, guild, dry_run } = args.what;
    let commands = match (dry_run, guild) {
        (true, None) => discord::commands(),
        (true, Some(_)) => discord::guild_commands(),
        (false, guild) => register(application, guild)?,
    };
    output::write(None, format!("{commands:#}\n"))
}

fn register(application: ApplicationArgs, guild: Option<u64>) -> Result<serde_json::Value, Failure> {
    let ApplicationArgs { application: Some(application), api } = application else {
        return reject(
            "--discord-application: missing; it stands in the application's General Information (or set DISCORD_APPLICATION_ID)",
        );
    };
    // Not an option: options can be seen by everybody on the machine.
    let token = std::env::var("DISCORD_BOT_TOKEN").unwrap_or_default();
    if token.trim().is_empty() {
        return reject(
            "DISCORD_BOT_TOKEN: missing; set it to the token from the application's Bot page, or use --dry-run",
        );
    }
    let sent = discord::register(api.unwrap_or_default(), application, guild, token.trim());
    runtime()?.block_on(sent).about("register")
}

impl BotArgs {
    /// The bot, if the service has one.
    pub(crate) fn bot(&self) -> Result<Option<Discord>, Failure> {
        let ApplicationArgs { application, api } = &self.application;
        let (Some(key), Some(application)) = (self.discord_public_key, *application) else { return Ok(None) };
        let mut settings = Settings::new(key, application);
        if let Some(api) = api {
            settings.api = api.clone();
        }
        Discord::new(settings).map(Some).about("--discord-api")
    }
}

fn snowflake(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|id| *id > 0)
        .ok_or_else(|| "not an id; copy the number that Discord shows".to_owned())
}

fn public_key(text: &str) -> Result<PublicKey, wayforge::ConfigError> {
    text.trim().parse()
}
