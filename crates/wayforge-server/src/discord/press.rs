//! What a button stands for: its `custom_id` holds the action and the revision of the map that it was shown with.

use std::fmt;
use std::str::FromStr;
use wayforge::run::Move;
use wayforge_store::Revision;

/// What a button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Press {
    Move(Revision, Move),
    Undo(Revision),
    Reset(Revision),
    Reseed(Revision),
    /// Says what the routes meet; it changes nothing and needs no revision.
    Routes,
}

/// Names this writing: buttons live as long as their message, and later versions must know what they meant.
const VERSION: &str = "wf1";

impl fmt::Display for Press {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Press::Move(seen, step) => write!(f, "{VERSION} move {seen} {step}"),
            Press::Undo(seen) => write!(f, "{VERSION} undo {seen}"),
            Press::Reset(seen) => write!(f, "{VERSION} reset {seen}"),
            Press::Reseed(seen) => write!(f, "{VERSION} reseed {seen}"),
            Press::Routes => write!(f, "{VERSION} routes"),
        }
    }
}

impl FromStr for Press {
    type Err = ();

    fn from_str(text: &str) -> Result<Press, ()> {
        let parts: Vec<&str> = text.split(' ').collect();
        let seen = |text: &str| text.parse().map(Revision).map_err(|_| ());
        let press = match parts[..] {
            [VERSION, "move", revision, step] => Press::Move(seen(revision)?, step.parse().map_err(|_| ())?),
            [VERSION, "undo", revision] => Press::Undo(seen(revision)?),
            [VERSION, "reset", revision] => Press::Reset(seen(revision)?),
            [VERSION, "reseed", revision] => Press::Reseed(seen(revision)?),
            [VERSION, "routes"] => Press::Routes,
            _ => return Err(()),
        };
        // There is one way to write each: `+7` and `07` were not written by us.
        if press.to_string() == text { Ok(press) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presses_are_read_as_they_were_written() {
        let steps = ["0,0", "4095,63", "boss", "north", "west"];
        let moves = steps.map(|step| Press::Move(Revision(u64::MAX), step.parse().unwrap()));
        let seen = Revision(7);
        let others = [Press::Undo(seen), Press::Reset(seen), Press::Reseed(seen), Press::Routes];
        for press in moves.into_iter().chain(others) {
            let text = press.to_string();
            assert!(text.len() <= 100, "Discord takes no more: {text}");
            assert_eq!(text.parse(), Ok(press));
        }
        for bad in [
            "",
            "wf1",
            "wf2 undo 7",
            "wf1 undo",
            "wf1 undo 07",
            "wf1 undo +7",
            "wf1 undo -1",
            "wf1 move 7",
            "wf1 move 7 up",
            "wf1 undo 7 ",
            "wf1 routes 7",
        ] {
            assert_eq!(bad.parse::<Press>(), Err(()), "{bad:?}");
        }
    }
}
