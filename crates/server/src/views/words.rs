//! Words for what went wrong and what things are for.

use game::{End, Fault};
use store::Purpose;

/// What happened, in a sentence for the owner.
pub(crate) fn fault_words(fault: &Fault) -> String {
    format!("{}.", capital(&fault.to_string()))
}

/// What to look at first, and the heading under which the like of it is gathered.
pub(crate) fn fault_cause(fault: &Fault) -> (String, &'static str) {
    match fault {
        Fault::Late => (
            "Too slow in one turn".into(),
            "Look at the slowest turn of the match. Output that is never flushed looks the same: the answer is there, but stays in the program's buffer.",
        ),
        Fault::LateTotal => (
            "Out of thinking time for the match".into(),
            "All turns together took longer than a match allows.",
        ),
        Fault::Gone(End::Exited(0)) => (
            "Ended by itself".into(),
            "The program ended, with exit code 0, while the match went on. It may have reached the end of its main function, or of its input loop.",
        ),
        Fault::Gone(End::Exited(code)) => (
            format!("Ended with exit code {code}"),
            "The last lines of its standard error usually say why: an exception that nothing caught, most often.",
        ),
        Fault::Gone(End::Signalled(31)) => (
            "Forbidden system call".into(),
            "Bots may not start a network connection, trace other programs or change the machine. A library may have tried on the bot's behalf.",
        ),
        Fault::Gone(end @ End::Signalled(_)) => (
            capital(&end.to_string()),
            "Most often an index outside an array, or a recursion that is too deep.",
        ),
        Fault::Gone(End::OutOfMemory) => (
            "Out of memory".into(),
            "The program and all it started together held more than a bot may.",
        ),
        Fault::Gone(End::ClosedOutput) => (
            "Closed its output".into(),
            "The program still runs, but nothing can be heard from it any more.",
        ),
        Fault::Gone(End::Unread) => {
            ("Left its input unread".into(), "The program asks, and does not read the answers.")
        }
        Fault::Gone(End::NotStarted) => {
            ("Could not be started".into(), "The build made a file that is no program.")
        }
        Fault::Garbled(why) => (
            format!("Against the protocol: {why}"),
            "The game's page has the protocol, with a worked example.",
        ),
    }
}

/// Why a match is played.
pub(crate) fn purpose_words(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Validation => "first match",
        Purpose::Ladder => "ladder",
        Purpose::Friendly => "friendly",
    }
}

/// The same text as a sentence: begun with a capital, ended with a full stop.
pub(crate) fn sentence(text: impl AsRef<str>) -> String {
    let text = capital(text.as_ref().trim());
    if text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}

/// The same text, begun with a capital.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|it| it.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
