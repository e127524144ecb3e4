//! `wayforge token`: who may use a service.

use crate::choice::{Choice, choice};
use crate::database::{DatabaseArgs, runtime};
use crate::failure::{Context, Failure};
use crate::output;
use clap::{Args, Subcommand};
use wayforge_store::{Access, Id, Store, Token};

/// The options of `wayforge token`.
#[derive(Args)]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Make a token; its secret is printed once and kept nowhere
    Create(CreateArgs),
    /// List all tokens, revoked ones included
    List(ListArgs),
    /// Revoke a token, at once and for ever
    Revoke(RevokeArgs),
}

#[derive(Args)]
struct CreateArgs {
    /// What to call it
    name: String,
    /// The guild whose maps it opens
    #[arg(long, value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
    guild: Option<String>,
    /// It opens the maps of all guilds and of direct messages
    #[arg(long)]
    all: bool,
    /// What it may do
    #[arg(long, default_value = "read", value_parser = choice(&ACCESS))]
    access: Access,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
struct ListArgs {
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Args)]
struct RevokeArgs {
    /// The token's id, as `wayforge token list` shows it
    id: String,
    #[command(flatten)]
    database: DatabaseArgs,
}

const ACCESS: [Choice<Access>; 2] =
    [("read", "Look", Access::Read), ("write", "Look and change", Access::Write)];

/// Makes, lists or revokes.
pub(crate) fn run(args: TokenArgs) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let database = match &args.what {
            What::Create(args) => &args.database,
            What::List(args) => &args.database,
            What::Revoke(args) => &args.database,
        };
        let store = database.open().await?;
        let done = match &args.what {
            What::Create(args) => create(&store, args).await,
            What::List(_) => list(&store).await,
            What::Revoke(args) => revoke(&store, &args.id).await,
        };
        store.close().await;
        output::write(None, done?)
    })
}

/// The secret on standard output, so that it can go straight to where it is needed; the rest beside it.
async fn create(store: &Store, args: &CreateArgs) -> Result<String, Failure> {
    let guild = args.guild.as_deref().map(|guild| Id::checked("guild", guild)).transpose();
    let guild = guild.map_err(|error| Failure::Input(format!("--{error}")))?;
    let made = store.create_token(&args.name, guild.as_ref(), args.access).await;
    let (token, secret) = made.about("token")?;
    eprintln!("{}", line(&token));
    Ok(format!("{}\n", secret.reveal()))
}

async fn list(store: &Store) -> Result<String, Failure> {
    let (mut text, mut after) = (String::new(), None);
    loop {
        let page = store.list_tokens(after.as_deref(), 1000).await;
        let page = page.about("token")?;
        text.extend(page.items.iter().map(|token| line(token) + "\n"));
        match page.next {
            Some(next) => after = Some(next),
            None => return Ok(text),
        }
    }
}

async fn revoke(store: &Store, id: &str) -> Result<String, Failure> {
    match store.revoke_token(id).await {
        Ok(true) => Ok(format!("{id} revoked\n")),
        Ok(false) => Err(Failure::Input(format!(
            "token {id}: no such token that is still good; `wayforge token list` shows all"
        ))),
        Err(error) => Err(Failure::about("token", error)),
    }
}

fn line(token: &Token) -> String {
    let guild = token.guild.as_ref().map_or("all guilds".to_owned(), |guild| format!("guild {guild}"));
    let access = if token.access == Access::Read { "read" } else { "write" };
    let state = match (token.revoked, token.used) {
        (Some(at), _) => format!("revoked {at}"),
        (None, Some(at)) => format!("used {at}"),
        (None, None) => "never used".to_owned(),
    };
    format!("{}  {:<5}  {guild}  {}  made {}  {state}", token.id, access, token.name, token.created)
}
