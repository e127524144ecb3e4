//! `wayforge token`: who may use a service.

use crate::choice::{Choice, choice};
use crate::database::{DatabaseArgs, runtime};
use crate::failure::{Context, Failure, reject};
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
    Create {
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
    },
    /// List all tokens, revoked ones included
    List {
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Revoke a token, at once and for ever
    Revoke {
        /// The token's id, as `wayforge token list` shows it
        id: String,
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

const ACCESS: [Choice<Access>; 2] =
    [("read", "Look", Access::Read), ("write", "Look and change", Access::Write)];

/// Makes, lists or revokes.
pub(crate) fn run(args: TokenArgs) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let (What::Create { database, .. } | What::List { database } | What::Revoke { database, .. }) =
            &args.what;
        let store = database.open().await?;
        let done = match &args.what {
            What::Create { name, guild, access, .. } => create(&store, name, guild.as_deref(), *access).await,
            What::List { .. } => list(&store).await,
            What::Revoke { id, .. } => revoke(&store, id).await,
        };
        store.close().await;
        output::write(None, done?)
    })
}

/// The secret on standard output, so that it can go straight to where it is needed; the rest beside it.
async fn create(store: &Store, name: &str, guild: Option<&str>, access: Access) -> Result<String, Failure> {
    let guild = guild.map(|guild| Id::checked("guild", guild)).transpose();
    let guild = guild.map_err(|error| Failure::Input(format!("--{error}")))?;
    let made = store.create_token(name, guild.as_ref(), access).await;
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
        Ok(false) => {
            reject(format!("token {id}: no such token that is still good; `wayforge token list` shows all"))
        }
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
