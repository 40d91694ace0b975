//! What is told of a round robin, to people and to scripts; and what is refused.

use std::{collections::BTreeSet, fs};

use serde_json::{Value as Json, json};

use crate::kit::{Kit, PATIENT, files, shipped, text};

/// Straight ones meet the wall together, and whoever circles outlives them: whatever the machine
/// does, each match has one end.
#[test]
fn a_round_robin_of_several_languages_ends_in_a_table() {
    let kit = Kit::new();
    let records = kit.bots.path().join("records");
    let bots = ["straight.py", "straight.cpp", "circling.py"].map(shipped);
    let command = format!("python3 -u {}", shipped("circling.py"));
    let mut args = vec!["planes", "--fights", "4", "--at-once", "3"];
    args.extend(PATIENT);
    args.extend(["--record", records.to_str().unwrap(), "--round-robin"]);
    args.extend(bots.iter().map(String::as_str));
    args.push(&command);
    let output = kit.run(&args);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("without a jail") && said.lines().count() == 1, "{said}");
    let name: String = command.chars().rev().take(47).collect::<Vec<_>>().iter().rev().collect();
    let (name, wide) = (format!("…{name}"), 48);
    let expected = format!(
        "\
round robin
  rank  {bot:<wide$}  points  won  drawn  lost  fights won  fights lost  fights drawn
     1  {circling:<wide$}       5    2      1     0           8            0             4  among 2 tied: points 1, margin 0, shared
     1  {name:<wide$}       5    2      1     0           8            0             4  among 2 tied: points 1, margin 0, shared
     3  {one:<wide$}       1    0      1     2           0            8             4  among 2 tied: points 1, margin 0, shared
     3  {two:<wide$}       1    0      1     2           0            8             4  among 2 tied: points 1, margin 0, shared
",
        bot = "bot",
        circling = "circling.py",
        one = "straight.py",
        two = "straight.cpp",
    );
    let told = text(&output.stdout);
    assert!(told.starts_with(&expected), "{told}\nwanted:\n{expected}");
    let rest = &told[expected.len()..];
    assert_eq!(rest.lines().filter(|it| it.contains(" beat ")).count(), 4, "{told}");
    let drawn = rest.lines().find(|it| it.contains("drew with") && it.contains("straight.cpp"));
    assert!(drawn.is_some_and(|it| it.contains("straight.py") && it.ends_with("4 : 4")), "{told}");

    let kept = files(&records);
    assert_eq!(kept.len(), 6, "{kept:?}");
    assert!(kept.iter().any(|it| it.ends_with("straight.py-vs-circling.py.json.zst")
        || it.ends_with("circling.py-vs-straight.py.json.zst")));
    for file in &kept {
        let record = fs::read(records.join(file)).unwrap();
        let record = zstd::decode_all(&*record).unwrap();
        let replay = games::find("planes").unwrap().replay(&record, None).unwrap();
        assert_eq!(replay.setup["fights"], 4, "{file}");
    }
    kit.leaves_nothing();
}

#[test]
fn scripts_are_told_all_of_it_and_the_elite_meets_again() {
    let kit = Kit::new();
    let bots = ["straight.py", "circling.cpp", "beginner.js", "circling.cpp"].map(shipped);
    let mut args = vec!["planes", "--fights", "2", "--elite", "2", "--elite-set", "fights=3"];
    args.extend(PATIENT);
    args.push("--round-robin");
    args.extend(bots.iter().map(String::as_str));
    let found = kit.json(&args, 0);
    assert_eq!((&found["game"], &found["jail"]), (&json!("planes"), &json!(false)));
    assert!(found["at_once"].as_u64().is_some_and(|it| it >= 1), "{found:#}");
    let names: BTreeSet<&str> =
        found["bots"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.len() == 4 && names.contains("straight.py"), "{names:?}");
    assert!(names.iter().any(|it| it.ends_with("circling.cpp #2")), "{names:?}");
    for bot in found["bots"].as_array().unwrap() {
        assert_eq!((&bot["faults"], &bot["first_fault"]), (&json!(0), &Json::Null), "{bot}");
    }

    let [first, elite] = found["stages"].as_array().unwrap().as_slice() else {
        panic!("{found:#}")
    };
    assert_eq!((&first["setup"]["fights"], &elite["setup"]["fights"]), (&json!(2), &json!(3)));
    // What is said of the elite stage where nobody says, too.
    assert_eq!(first["setup"]["total_ms"], 3_600_000);
    let met = |stage: &Json| {
        let of = |it: &Json| it["bots"].as_array().unwrap().iter().map(Json::as_u64).collect();
        let mut all: Vec<Vec<_>> = stage["matches"].as_array().unwrap().iter().map(of).collect();
        all.iter_mut().for_each(|it| it.sort_unstable());
        all.sort_unstable();
        all
    };
    let pairs =
        |pairs: &[[u64; 2]]| pairs.iter().map(|it| it.map(Some).to_vec()).collect::<Vec<_>>();
    let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    assert_eq!(met(first), pairs(&all));
    let rows = first["tables"][0]["rows"].as_array().unwrap();
    let sum = |key: &str| -> u64 { rows.iter().map(|it| it[key].as_u64().unwrap()).sum() };
    assert_eq!((sum("won"), sum("drawn") % 2), (sum("lost"), 0));
    assert_eq!(sum("won") + sum("drawn") / 2, 6);
    let points: u64 = rows.iter().map(|it| it["points"][0].as_u64().unwrap()).sum();
    assert_eq!(points, 12, "{rows:#?}");
    for row in rows {
        let count = |key: &str| row["measures"][key][0].as_u64().unwrap();
        assert_eq!(count("fights_won") + count("fights_lost") + count("fights_drawn"), 6, "{row}");
    }
    // The straight one is last, and so in no elite; who is stands as that came to.
    let best: Vec<u64> = rows
        .iter()
        .filter(|it| it["rank"].as_u64().unwrap() <= 2)
        .map(|it| it["bot"].as_u64().unwrap())
        .collect();
    assert!(!best.contains(&0) && best.len() >= 2, "{rows:#?}");
    let ranked = |it: &Json| (it["rank"].as_u64().unwrap(), it["bot"].as_u64().unwrap());
    let in_the_end = found["rankings"][0]["ranking"].as_array().unwrap();
    let in_the_end: Vec<_> = in_the_end.iter().map(ranked).collect();
    let elite_rows = elite["tables"][0]["rows"].as_array().unwrap();
    let by_elite: Vec<_> = elite_rows.iter().map(ranked).collect();
    assert_eq!(by_elite.len(), best.len());
    assert_eq!(in_the_end[..best.len()], by_elite);
    assert_eq!(in_the_end.last(), Some(&(4, 0)));
    let seat = &first["matches"][0]["seats"][0];
    assert!(seat["answers"].as_u64().is_some_and(|it| it > 0), "{seat}");
    kit.leaves_nothing();
}

/// One bot plays one role, so that architects meet adventurers, and each have a table.
#[test]
fn where_roles_differ_all_of_one_meet_all_of_the_other() {
    let kit = Kit::new();
    let waits = kit.bot(
        "waits.py",
        "while True:\n    print('Clock', flush=True)\n    input()\n    print('#END', flush=True)\n",
    );
    let gone = kit.bot("gone.py", "raise SystemExit(3)\n");
    let bots = [("architect", &waits), ("adventurer", &waits), ("adventurer", &gone)];
    let bots = bots.map(|(role, path)| format!("{role}={path}"));
    let mut args = vec!["labyrinth", "--size", "5", "--set", "turn_ms=60000", "--round-robin"];
    args.extend(bots.iter().map(String::as_str));
    let found = kit.json(&args, 1);
    let [stage] = found["stages"].as_array().unwrap().as_slice() else { panic!("{found:#}") };
    let tables = stage["tables"].as_array().unwrap();
    let sizes = |it: &Json| (it["role"].clone(), it["rows"].as_array().unwrap().len());
    let roles: Vec<_> = tables.iter().map(sizes).collect();
    assert_eq!(roles, [(json!("architect"), 1), (json!("adventurer"), 2)]);
    // Nobody comes to the treasure: all points are the architect's.
    let rows = &tables[0]["rows"];
    assert_eq!((&rows[0]["points"], &rows[0]["won"]), (&json!([4, 1]), &json!(2)), "{rows:#}");
    assert_eq!(rows[0]["measures"]["points"], json!([200, 1]));
    let bot = &found["bots"][2];
    assert_eq!((&bot["role"], &bot["matches_with_faults"]), (&json!("adventurer"), &json!(1)));
    let why = bot["first_fault"]["why"].as_str().unwrap();
    assert!(why.contains("exit code 3") && bot["first_fault"]["against"] == 0, "{bot:#}");
}

#[test]
fn what_cannot_be_played_is_told_before_anything_is() {
    let kit = Kit::new();
    let good = shipped("straight.py");
    let broken = kit.bot("broken.c", "int main(void) { return x; }\n");
    let odd = kit.bot("odd.py", "def\n");
    let classless = kit.bot("Classless.java", "package Planes;\n");
    let full = kit.bot("full/file", "");
    let full = full.strip_suffix("/file").unwrap();
    let sixty_five = vec![good.as_str(); 65];
    let robin = "--round-robin";
    // What is typed, the exit code, and what is told.
    let table: &[(&[&str], i32, &[&str])] = &[
        (
            &["planes", robin, &good, &broken, &classless],
            1,
            &["broken.c: C does not compile", "undeclared", "Classless.java: "],
        ),
        (
            &["planes", "--jail", robin, &good, &broken, &odd, &classless],
            1,
            &["broken.c: ", "odd.py: the source does not pass", "Classless.java: "],
        ),
        (&["planes", robin, &good], 2, &["found 1, allowed are 2 to 64 bots"]),
        (&[&["planes", robin], &sixty_five[..]].concat(), 2, &["found 65, allowed are 2 to 64"]),
        (&["planes", robin, &good, "./none.py"], 2, &["./none.py", "there is no such file"]),
        (&["labyrinth", robin, &good, &good], 2, &["without its role", "architect=BOT"]),
        (&["planes", "--jail", robin, &good, "python3 -V"], 2, &["in a jail only source files"]),
        (&["planes", "--elite", "1", robin, &good, &good], 2, &["allowed are 2 to 4"]),
        (&["planes", "--elite", "5", robin, &good, &good], 2, &["allowed are 2 to 4"]),
        (&["planes", "--elite-set", "fights=9", robin, &good, &good], 2, &["--elite"]),
        (
            &["planes", "--elite", "2", "--elite-set", "fights=999", robin, &good, &good],
            2,
            &["the elite stage", "fights: found 999"],
        ),
        (&["planes", "--at-once", "0", robin, &good, &good], 2, &["--at-once"]),
        (&["planes", "--seat", &good, robin, &good, &good], 2, &["cannot be used with"]),
        (&["planes", "--record", full, robin, &good, &good], 2, &["a new or an empty folder"]),
        (&["planes", "--fights", "0", robin, &good, &good], 2, &["--fights: found 0"]),
    ];
    for (args, code, pieces) in table {
        let output = kit.run(args);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {said}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
        let missing = pieces.iter().find(|it| !said.contains(**it));
        assert!(missing.is_none(), "{args:?}: {missing:?} in {said}");
    }
    let found = kit.json(&["planes", robin, &good, &broken, &classless], 1);
    let bots = found["error"]["bots"].as_array().unwrap();
    let names: Vec<_> = bots.iter().map(|it| it["bot"].as_str().unwrap()).collect();
    assert_eq!(
        (found["error"]["kind"].as_str(), names),
        (Some("bot"), vec!["broken.c", "Classless.java"])
    );
    assert!(bots[0]["log"].as_str().unwrap().contains("undeclared"), "{bots:?}");
    kit.leaves_nothing();
}
