//! `wayforge token`: manages access tokens of the HTTP service.

use crate::choice::{Choice, choice};
use crate::database::{DatabaseArgs, runtime};
use crate::failure::{Context, Failure, reject};
use crate::output;
use clap::{Args, Subcommand};
use wayforge_store::{Access, Id, Store, Token};

/// Options of `wayforge token`.
#[derive(Args)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Create a token and print its secret, which is not stored
    Create {
        /// Name of the token
        name: String,
        /// Grant access to the maps of this guild
        #[arg(long, value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
        guild: Option<String>,
        /// Grant access to the maps of all guilds and of direct messages
        #[arg(long)]
        all: bool,
        /// Access level
        #[arg(long, default_value = "read", value_parser = choice(&ACCESS))]
        access: Access,
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// List all tokens, including revoked ones
    List {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Revoke a token permanently
    Revoke {
        /// ID of the token, as shown by `wayforge token list`
        id: String,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

const ACCESS: [Choice<Access>; 2] = [
    (Access::Read.name(), "Read maps", Access::Read),
    (Access::Write.name(), "Read and change maps", Access::Write),
];

/// Creates, lists or revokes tokens.
pub(crate) fn run(args: TokenArgs) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let (TokenCommand::Create { database, .. }
        | TokenCommand::List { database }
        | TokenCommand::Revoke { database, .. }) = &args.command;
        let store = database.open().await?;
        let result = match &args.command {
            TokenCommand::Create { name, guild, access, .. } => {
                create(&store, name, guild.as_deref(), *access).await
            }
            TokenCommand::List { .. } => list(&store).await,
            TokenCommand::Revoke { id, .. } => revoke(&store, id).await,
        };
        store.close().await;
        output::write(None, result?)
    })
}

/// Creates a token. Returns the secret for standard output and prints the description on standard
/// error, so that the secret can be piped.
async fn create(
    store: &Store,
    name: &str,
    guild: Option<&str>,
    access: Access,
) -> Result<String, Failure> {
    let guild = guild.map(|guild| Id::checked("guild", guild)).transpose();
    let guild = guild.map_err(|error| Failure::Input(format!("--{error}")))?;
    let created = store.create_token(name, guild.as_ref(), access).await;
    let (token, secret) = created.context("token")?;
    eprintln!("{}", describe(&token));
    Ok(format!("{}\n", secret.reveal()))
}

async fn list(store: &Store) -> Result<String, Failure> {
    let (mut text, mut after) = (String::new(), None);
    loop {
        let page = store.list_tokens(after.as_deref(), 1000).await;
        let page = page.context("token")?;
        text.extend(page.items.iter().map(|token| describe(token) + "\n"));
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(text),
        }
    }
}

async fn revoke(store: &Store, id: &str) -> Result<String, Failure> {
    match store.revoke_token(id).await {
        Ok(true) => Ok(format!("{id} revoked\n")),
        Ok(false) => reject(format!(
            "token {id}: not found or already revoked; `wayforge token list` shows all tokens"
        )),
        Err(error) => Err(Failure::new("token", error)),
    }
}

fn describe(token: &Token) -> String {
    let guild =
        token.guild.as_ref().map_or("all guilds".to_owned(), |guild| format!("guild {guild}"));
    let access = token.access.name();
    let state = match (token.revoked, token.used) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) => format!("used {at}"),
        (None, None) => "never used".to_owned(),
    };
    let Token { id, name, created, .. } = token;
    format!("{id}  {access:<5}  {guild}  {name}  created {created}  {state}")
}
