//! What bots are called in tables and file names: as short as tells them apart.

use std::{collections::BTreeMap, path::Path};

use referee::AnyGame;

use super::BOTS_MAX;

/// Longest name of a bot; of what is longer the end is kept, which says more.
const NAME_CHARS_MAX: usize = 48;

/// One that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entrant {
    pub(super) name: String,
    /// A source, or a command.
    pub(super) program: String,
    /// Which seat it sits on where roles differ; 0 where they do not.
    pub(super) role: usize,
}

/// Those that were typed.
pub(super) fn entrants(game: &dyn AnyGame, typed: &[String]) -> Result<Vec<Entrant>, String> {
    let found = typed.len();
    if !(2..=BOTS_MAX).contains(&found) {
        return Err(format!("found {found}, allowed are 2 to {BOTS_MAX} bots"));
    }
    let roles = game.roles();
    let has_roles = roles.first() != roles.last();
    let mut all = Vec::new();
    for text in typed {
        let (role, program) = if has_roles { of_role(game, text)? } else { (0, text.as_str()) };
        all.push((role, program.to_owned()));
    }
    let missing = |role: &&usize| all.iter().all(|it| it.0 != **role);
    if let Some(role) = (0..roles.len()).collect::<Vec<_>>().iter().find(missing)
        && has_roles
    {
        return Err(format!("found nobody for the role {}, wanted is one or more", roles[*role]));
    }
    let programs: Vec<&str> = all.iter().map(|it| it.1.as_str()).collect();
    let names = names(&programs);
    let entrant = |(name, (role, program))| Entrant { name, program, role };
    Ok(names.into_iter().zip(all).map(entrant).collect())
}

/// `architect=a.py`.
fn of_role<'a>(game: &dyn AnyGame, text: &'a str) -> Result<(usize, &'a str), String> {
    let roles = game.roles();
    let named = text.split_once('=');
    let found = named.and_then(|it| Some((roles.iter().position(|role| *role == it.0)?, it.1)));
    found.ok_or_else(|| {
        let ways: Vec<_> = roles.iter().map(|it| format!("{it}=BOT")).collect();
        let ways = ways.join(" or ");
        format!("found {text:?} without its role; a bot plays one role of {}: {ways}", game.id())
    })
}

/// By the name of the file alone; with its folders where that is another's too; and with a number
/// where all of it is.
fn names(programs: &[&str]) -> Vec<String> {
    let file_name = |it: &str| match Path::new(it).file_name() {
        Some(name) if Path::new(it).is_file() => name.to_string_lossy().into_owned(),
        _ => it.to_owned(),
    };
    let short: Vec<String> = programs.iter().map(|it| fit(&file_name(it))).collect();
    let count = |names: &[String], name: &str| names.iter().filter(|it| *it == name).count();
    let longer = |(short_name, program): (&String, &&str)| match count(&short, short_name) {
        1 => short_name.clone(),
        _ => fit(program),
    };
    let names: Vec<String> = short.iter().zip(programs).map(longer).collect();
    let mut seen = BTreeMap::new();
    let numbered = |name: &String| {
        let n_seen = seen.entry(name.clone()).or_insert(0);
        *n_seen += 1;
        if count(&names, name) == 1 { name.clone() } else { format!("{name} #{n_seen}") }
    };
    names.iter().map(numbered).collect()
}

/// In one line that fits into a table.
fn fit(name: &str) -> String {
    let shown: String = match name.chars().any(char::is_control) {
        true => name.escape_debug().to_string(),
        false => name.to_owned(),
    };
    match shown.chars().count().checked_sub(NAME_CHARS_MAX) {
        None | Some(0) => shown,
        Some(n_more) => format!("…{}", shown.chars().skip(n_more + 1).collect::<String>()),
    }
}

/// The file of a match's record: in the order they are played, and by who met.
pub(super) fn record_file(stage: &str, no: usize, bots: [&str; 2]) -> String {
    let [one, two] = bots.map(|it| {
        let plain = |it: char| if it.is_alphanumeric() || "-_.".contains(it) { it } else { '_' };
        it.chars().map(plain).collect::<String>()
    });
    let stage = stage.replace(' ', "-");
    format!("{stage}-{:04}-{one}-vs-{two}.json.zst", no + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn bots_are_told_apart_by_no_more_than_it_takes() {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["a", "b"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        let file = |name: &str| {
            let path = dir.path().join(name);
            fs::write(&path, "").unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (one, two, other) = (file("a/bot.py"), file("b/bot.py"), file("a/other.py"));
        let long = "python3 ".repeat(20);
        let found = names(&[&one, &two, &other, &other, "./bot --fast", &long]);
        let other = fit(&other);
        let expected = [fit(&one), fit(&two), format!("{other} #1"), format!("{other} #2")];
        assert_eq!(found[..4], expected);
        assert_eq!(found[4], "./bot --fast");
        assert_eq!(found[5].chars().count(), NAME_CHARS_MAX);
        assert_eq!(names(&[&one, "./bot"])[0], "bot.py");
    }

    #[test]
    fn records_are_called_by_who_met() {
        let found = record_file("round robin", 0, ["a/b.py #1", "sh -c 'x'"]);
        assert_eq!(found, "round-robin-0001-a_b.py__1-vs-sh_-c__x_.json.zst");
    }

    #[test]
    fn who_may_enter_is_told() {
        let [labyrinth, planes] = ["labyrinth", "planes"].map(|it| games::find(it).unwrap());
        let many = vec!["x"; BOTS_MAX + 1];
        let table: &[(&dyn AnyGame, &[&str], &str)] = &[
            (planes, &["x"], "found 1, allowed are 2 to 64 bots"),
            (planes, &many, "found 65, allowed are 2 to 64 bots"),
            (labyrinth, &["x", "y"], "found \"x\" without its role; a bot plays one role of"),
            (labyrinth, &["gardener=x", "y"], "architect=BOT or adventurer=BOT"),
            (labyrinth, &["architect=x", "architect=y"], "found nobody for the role adventurer"),
        ];
        for (game, typed, why) in table {
            let typed: Vec<String> = typed.iter().map(|it| (*it).to_owned()).collect();
            let found = entrants(*game, &typed).unwrap_err();
            assert!(found.contains(why), "{typed:?}: {found}");
        }
        let typed = ["adventurer=a=b", "architect=c"].map(str::to_owned);
        let found = entrants(labyrinth, &typed).unwrap();
        assert_eq!((found[0].role, &*found[0].program), (1, "a=b"));
        assert_eq!((found[1].role, &*found[1].program), (0, "c"));
    }
}
