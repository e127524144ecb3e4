//! `wayforge discord`, and the Discord options of `wayforge serve`.

use crate::database::runtime;
use crate::failure::{Context, Failure, reject};
use crate::output;
use clap::{Args, Subcommand};
use wayforge_server::discord::{self, ApiAddress, Discord, PublicKey, Settings};

/// Options of `wayforge discord`.
#[derive(Args)]
pub(crate) struct DiscordArgs {
    #[command(subcommand)]
    command: DiscordCommand,
}

#[derive(Subcommand)]
enum DiscordCommand {
    /// Register the slash commands, replacing all commands of the application
    ///
    /// Reads the bot token from the environment variable DISCORD_BOT_TOKEN.
    Register {
        #[command(flatten)]
        application: ApplicationArgs,
        /// Register only in this guild, where commands appear at once [default: all guilds]
        #[arg(long, value_name = "ID", value_parser = parse_snowflake)]
        guild: Option<u64>,
        /// Print the command definitions without registering them
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Args)]
struct ApplicationArgs {
    /// Application ID, from the application's General Information page
    #[arg(
        long = "discord-application",
        alias = "application",
        value_name = "ID",
        value_parser = parse_snowflake,
        env = "DISCORD_APPLICATION_ID"
    )]
    application: Option<u64>,
    /// Base URL of the Discord API, for tests
    #[arg(long = "discord-api", alias = "api", value_name = "URL", env = "DISCORD_API")]
    api: Option<ApiAddress>,
}

/// Discord options of `wayforge serve`.
#[derive(Args)]
#[command(next_help_heading = "Discord")]
pub(crate) struct BotArgs {
    /// Public key of the application, from its General Information page; enables
    /// /discord/interactions
    #[arg(
        long,
        value_name = "HEX",
        value_parser = parse_public_key,
        env = "DISCORD_PUBLIC_KEY",
        requires = "application"
    )]
    discord_public_key: Option<PublicKey>,
    #[command(flatten)]
    application: ApplicationArgs,
}

/// Registers the slash commands, or prints them with `--dry-run`.
pub(crate) fn run(args: DiscordArgs) -> Result<(), Failure> {
    let DiscordCommand::Register { application, guild, dry_run } = args.command;
    let commands = match (dry_run, guild) {
        (true, None) => discord::command_definitions(),
        (true, Some(_)) => discord::guild_command_definitions(),
        (false, guild) => register(application, guild)?,
    };
    output::write(None, format!("{commands:#}\n"))
}

fn register(
    application: ApplicationArgs,
    guild: Option<u64>,
) -> Result<serde_json::Value, Failure> {
    let ApplicationArgs { application: Some(application), api } = application else {
        return reject(
            "--discord-application: missing; copy the ID from the application's General \
             Information page, or set DISCORD_APPLICATION_ID",
        );
    };
    // Not an option, because other users can see the command line of a process.
    let token = std::env::var("DISCORD_BOT_TOKEN").unwrap_or_default();
    if token.trim().is_empty() {
        return reject(
            "DISCORD_BOT_TOKEN: missing; set it to the token from the application's Bot page, \
             or use --dry-run",
        );
    }
    let sent = discord::register(api.unwrap_or_default(), application, guild, token.trim());
    runtime()?.block_on(sent).context("register")
}

impl BotArgs {
    /// Returns the bot if it is configured.
    pub(crate) fn bot(&self) -> Result<Option<Discord>, Failure> {
        let ApplicationArgs { application, api } = &self.application;
        let (Some(key), Some(application)) = (self.discord_public_key, *application) else {
            return Ok(None);
        };
        let mut settings = Settings::new(key, application);
        if let Some(api) = api {
            settings.api = api.clone();
        }
        Discord::new(settings).map(Some).context("Discord")
    }
}

fn parse_snowflake(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|id| *id > 0)
        .ok_or_else(|| "not an ID; copy the number from Discord".to_owned())
}

fn parse_public_key(text: &str) -> Result<PublicKey, wayforge::ConfigError> {
    text.trim().parse()
}
