//! Courses: those we ship, those that are drawn, the official files, and files that are broken.

mod common;

use std::{collections::BTreeSet, fs, path::PathBuf};

use common::{config, course};
use game::{Filled, Game, Illegal, Place};
use jockey::{
    COURSE_BYTES_MAX, Course, Jockey, OFFICIAL_COURSE, Offence, Order, Setup, Vector, generate,
    inspect, step_limit_of, think_ms_of, vision_needed,
};
use serde_json::{Value, json};

/// Files of the official sample set.
fn official() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = std::env::var_os("AGON_COURSES_DIR").map_or_else(|| config("courses"), Into::into);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "crs"));
    files.sort();
    files.into_iter().map(|it| (it.clone(), fs::read(it).unwrap())).collect()
}

#[test]
fn official_courses_are_good_and_come_back_value_for_value() {
    let files = official();
    assert!(files.len() >= 50, "{} files", files.len());
    for (path, bytes) in files {
        let name = path.display();
        let setup = (OFFICIAL_COURSE.read)(&bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(inspect(&setup), Ok(()), "{name}");
        let written = (OFFICIAL_COURSE.write)(&setup).unwrap();
        let value = |it: &[u8]| serde_json::from_slice::<Value>(it).unwrap();
        assert_eq!(value(&written), value(&bytes), "{name}");
        // The set-up survives its own format too.
        let text = serde_json::to_string(&setup).unwrap();
        assert_eq!(serde_json::from_str::<Setup>(&text).unwrap(), setup, "{name}");
    }
}

#[test]
fn the_official_formulas_give_the_limits_of_the_official_courses() {
    for (path, bytes) in official() {
        // The one that is no part of the numbered series was made by hand.
        if path.file_stem().is_some_and(|it| it == "sample") {
            continue;
        }
        let setup = (OFFICIAL_COURSE.read)(&bytes).unwrap();
        let course = Course::new(&setup).unwrap();
        assert_eq!(step_limit_of(&course), setup.step_limit, "{}", path.display());
        assert_eq!(think_ms_of(setup.step_limit), setup.think_ms, "{}", path.display());
        assert_eq!([setup.x0, setup.x1], [setup.width / 3, setup.width * 2 / 3]);
    }
}

#[test]
fn drawn_courses_are_good_whatever_is_ordered() {
    let mut grounds = BTreeSet::new();
    for seed in 0..300 {
        let order = Order {
            seed,
            width: 5 + seed as u32 % 16,
            length: [5, 6, 30, 77, 100, 200][seed as usize % 6],
            vision: 5 + seed as u32 % 11,
            symmetric: [None, Some(true), Some(false)][seed as usize % 3],
        };
        let setup = generate(&order).unwrap_or_else(|why| panic!("{order:?}: {why}"));
        assert_eq!(inspect(&setup), Ok(()), "{order:?}");
        assert_eq!((setup.width, setup.length), (order.width, order.length));
        assert!((order.vision..=20).contains(&setup.vision), "{order:?}: {}", setup.vision);
        let course = Course::new(&setup).unwrap();
        assert_eq!(setup.step_limit, step_limit_of(&course));
        assert_eq!(setup.think_ms, 200 * setup.step_limit + 1_000);
        if order.symmetric == Some(true) {
            let alike = |it: &String| it.chars().eq(it.chars().rev());
            assert!(setup.rows.iter().all(alike), "{order:?}");
        }
        assert_eq!(generate(&order), Ok(setup.clone()), "the same order is another course");
        grounds.extend(setup.rows.iter().flat_map(|it| it.bytes()));
    }
    assert_eq!(grounds, BTreeSet::from(*b"012"));
    let bad = Order { seed: 0, width: 4, length: 50, vision: 5, symmetric: None };
    let Err(Illegal(why)) = generate(&bad) else { panic!("{bad:?} was drawn") };
    assert_eq!(why, "width: found 4, allowed is a whole number from 5 to 20");
}

#[test]
fn an_untouched_form_draws_a_course() {
    let setup = Jockey::set_up(&Filled::untouched(Jockey::FIELDS)).unwrap();
    assert_eq!((setup.width, setup.length), (15, 100));
    let picture = Jockey::draw(&setup).unwrap();
    assert_eq!(picture.lines().count(), 101);
    assert_eq!(picture.lines().last(), Some("     0    1"));
}

#[test]
fn a_course_that_leads_back_too_far_is_refused_with_the_cell() {
    // The way out of the cup leads back from row 4 to row 1.
    let cup = ["00000", "01110", "01010", "01010", "01010", "00000"];
    let with_vision = |vision| Setup { vision, ..course(&cup) };
    assert_eq!(vision_needed(&Course::new(&with_vision(1)).unwrap()), Ok(4));
    assert_eq!(inspect(&with_vision(4)), Ok(()));
    let offence = inspect(&with_vision(3)).unwrap_err();
    let Offence::GoesBack { cell, to_row: 0, needs: 4, vision: 3 } = offence else {
        panic!("{offence:?}")
    };
    assert_eq!(cell, Vector::new(2, 3));
    assert_eq!(
        offence.to_string(),
        "rows: found cell 2 3 (column, row), from where every way to the goal goes back to row 0; \
         with a vision of 3 allowed is back to row 1. The course needs a vision of 4"
    );
}

#[test]
fn a_flaw_is_told_with_its_place() {
    let field = |name: &str| Some(Place::Field(name.into()));
    let cup = course(&["00000", "01110", "01010", "01010", "01010", "00000"]);
    let wall = course(&["000", "111", "000"]);
    let table = [
        (Setup { vision: 3, ..cup }, Some(Place::Cell(2, 3))),
        (wall.clone(), Some(Place::Cell(0, 0))),
        (
            Setup { x1: 1, rows: vec!["010".into(), "000".into(), "000".into()], ..wall.clone() },
            field("x1"),
        ),
        (Setup { x1: wall.x0, ..wall.clone() }, field("x1")),
        (Setup { step_limit: 0, ..wall.clone() }, field("step_limit")),
        (Setup { rows: Vec::new(), ..wall }, field("rows")),
    ];
    for (setup, at) in table {
        let flaw = Jockey::inspect(&setup).unwrap_err();
        assert_eq!(flaw.at, at, "{flaw}");
    }
}

#[test]
fn a_closed_course_is_refused_with_the_foremost_cell() {
    let wall = course(&["000", "111", "020", "000"]);
    let offence = inspect(&wall).unwrap_err();
    assert_eq!(offence, Offence::Closed { cell: Vector::new(0, 1) });
    assert!(offence.to_string().contains("no way from the start to the goal"), "{offence}");
    assert_eq!(inspect(&course(&["010", "000"])), Ok(()));
}

#[test]
fn broken_course_files_are_refused_with_field_value_and_what_is_allowed() {
    let good = json!({
        "filetype": "race course 2018", "width": 3, "length": 2, "vision": 5, "stepLimit": 10,
        "thinkTime": 3, "x0": 0, "x1": 2, "squares": [0, 1, 0, 2, 2, 0],
    });
    let with = |name: &str, value: Value| {
        let mut it = good.clone();
        it[name] = value;
        it.to_string()
    };
    let without = |name: &str| {
        let mut it = good.clone();
        it.as_object_mut().unwrap().remove(name);
        it.to_string()
    };
    assert!((OFFICIAL_COURSE.read)(good.to_string().as_bytes()).is_ok());
    let table = [
        (String::new(), "file: found what is not JSON"),
        ("{".into(), "file: found what is not JSON (EOF"),
        ("[]".into(), "file: found a list of 0, allowed is an object"),
        ("7".into(), "file: found 7, allowed is an object"),
        (" ".repeat(COURSE_BYTES_MAX + 1), "file: found 1048577 bytes, allowed are 1048576"),
        (without("filetype"), "filetype: found nothing, allowed is \"race course 2018\""),
        (with("filetype", json!("race log")), "filetype: found \"race log\", allowed is"),
        (with("filetype", json!(2018)), "filetype: found 2018, allowed is"),
        (without("width"), "width: found nothing, the field is needed"),
        (with("width", json!(1)), "width: found 1, allowed is a whole number from 2 to 100"),
        (with("width", json!(101)), "width: found 101, allowed is"),
        (with("width", json!("3")), "width: found \"3\", allowed is"),
        (with("width", json!(3.5)), "width: found 3.5, allowed is"),
        (with("width", json!(-3)), "width: found -3, allowed is"),
        (with("width", json!(null)), "width: found null, allowed is"),
        (without("length"), "length: found nothing"),
        (with("length", json!(0)), "length: found 0, allowed is a whole number from 1 to 1000"),
        (with("length", json!(1001)), "length: found 1001"),
        (with("vision", json!(0)), "vision: found 0, allowed is a whole number from 1 to 1000"),
        (with("vision", json!([])), "vision: found a list of 0, allowed is"),
        (with("stepLimit", json!(0)), "stepLimit: found 0, allowed is"),
        (
            with("stepLimit", json!(10_001)),
            "stepLimit: found 10001, allowed is a whole number from 1 to 10000",
        ),
        (with("thinkTime", json!(0)), "thinkTime: found 0, allowed are seconds from 0.001 to 3600"),
        (with("thinkTime", json!(3601)), "thinkTime: found 3601"),
        (with("thinkTime", json!(0.0005)), "thinkTime: found 0.0005"),
        (with("thinkTime", json!("3")), "thinkTime: found \"3\""),
        (with("x0", json!(3)), "x0: found 3, allowed is a whole number from 0 to 2"),
        (with("x0", json!(1)), "x0: found 1, where row 0 has an obstacle"),
        (with("x1", json!(-1)), "x1: found -1"),
        (with("x1", json!(0)), "x1: found 0, which x0 is; allowed is another column"),
        (without("squares"), "squares: found nothing"),
        (with("squares", json!("010220")), "squares: found \"010220\", allowed is a list"),
        (
            with("squares", json!([0, 1, 0, 2, 2])),
            "squares: found 5 cells, allowed are 6, width times length",
        ),
        (
            with("squares", json!([0, 1, 0, 2, 3, 0])),
            "squares: found 3 in column 1 of row 1, allowed is 0 (flat)",
        ),
        (with("squares", json!([0, 1, 0, 2, -1, 0])), "squares: found -1 in column 1 of row 1"),
        (with("squares", json!([0, 1, 0, 2, "0", 0])), "squares: found \"0\" in column 1 of row 1"),
        (with("squares", json!([0, 1, 0, 2, [2], 0])), "squares: found a list of 1 in column 1"),
        (with("colour", json!(1)), "colour: found such a field, allowed are filetype, width"),
    ];
    assert!(table.len() >= 30);
    for (text, why) in table {
        let Err(Illegal(found)) = (OFFICIAL_COURSE.read)(text.as_bytes()) else {
            panic!("{text} was read")
        };
        assert!(found.starts_with(why), "{}: {found}", text.chars().take(200).collect::<String>());
    }
}

#[test]
fn thinking_time_in_parts_of_a_second_is_kept_to_the_millisecond() {
    for (think_ms, written) in [(1, "0.001"), (1_000, "1"), (1_250, "1.25"), (3_600_000, "3600")] {
        let setup = Setup { think_ms, ..course(&["00", "00"]) };
        let file = (OFFICIAL_COURSE.write)(&setup).unwrap();
        let text = String::from_utf8(file.clone()).unwrap();
        assert!(text.contains(&format!("\"thinkTime\":{written},")), "{text}");
        assert_eq!((OFFICIAL_COURSE.read)(&file), Ok(setup));
    }
}

#[test]
fn a_set_up_says_which_part_is_wrong_what_was_found_and_what_is_allowed() {
    let good = serde_json::to_value(course(&["010", "000"])).unwrap();
    let with = |name: &str, value: Value| {
        let mut it = good.clone();
        it[name] = value;
        it
    };
    let table = [
        (with("width", json!(1)), "integer `1`, expected width to be a whole number from 2 to 100"),
        (with("length", json!(-1)), "integer `-1`, expected length to be"),
        (with("vision", json!("9")), "string \"9\", expected vision to be"),
        (with("step_limit", json!(0)), "integer `0`, expected step_limit to be"),
        (
            with("think_ms", json!(3_600_001)),
            "expected think_ms to be a whole number from 1 to 3600000",
        ),
        (with("x0", json!(null)), "null, expected x0 to be"),
        (with("rows", json!("000")), "string \"000\", expected rows to be 1 to 1000 texts"),
        (with("rows", json!([1])), "integer `1`, expected each of rows to be a text"),
        (with("rows", json!(vec![""; 1001])), "invalid length 1001, expected rows"),
        (with("colour", json!(1)), "unknown field `colour`"),
    ];
    for (json, why) in table {
        let error = serde_json::from_value::<Setup>(json.clone()).expect_err("broken").to_string();
        assert!(error.contains(why), "{json}: {error}");
    }
    let ours = course(&["010", "000"]);
    let rows = |rows: &[&str]| rows.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let table = [
        (Setup { width: 101, ..ours.clone() }, "width: found 101, allowed is"),
        (Setup { length: 3, ..ours.clone() }, "rows: found 2 of them, allowed is 3, the length"),
        (Setup { x0: 3, ..ours.clone() }, "x0: found 3, allowed is a whole number from 0 to 2"),
        (Setup { x1: 0, ..ours.clone() }, "x1: found 0, which x0 is"),
        (
            Setup { rows: rows(&["000", "00"]), ..ours.clone() },
            "rows: found 2 cells in row 1, allowed is 3",
        ),
        (
            Setup { rows: rows(&["000", "0é0"]), ..ours.clone() },
            "rows: found `\\u{e9}` in column 1 of row 1",
        ),
        (
            Setup { rows: rows(&["010", "000"]), ..ours.clone() },
            "x1: found 1, where row 0 has an obstacle",
        ),
    ];
    for (setup, why) in table {
        let Err(Illegal(error)) = Course::new(&setup) else { panic!("{setup:?} passed") };
        assert!(error.starts_with(why), "{error}");
    }
}
