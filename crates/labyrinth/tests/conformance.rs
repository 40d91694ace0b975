//! The laws every game keeps, with the words of this one.

use conformance::Kit;
use game::Seat;
use labyrinth::{ADVENTURER, ARCHITECT, Labyrinth, Lines, Mode, Setup};
use serde_json::Value;

#[test]
fn labyrinth_keeps_the_laws_of_all_games() {
    let words: [&[u8]; 23] = [
        b"#END\n",
        b"#END\n",
        b"#END\n",
        b"#END x\n",
        b"PlaceObstacle 3 3\n",
        b"PlaceObstacle 2 4\n",
        b"PlaceObstacle 9 -9\n",
        b"PlaceObstacle x\n",
        b"MakeStep 0\n",
        b"MakeStep 3\n",
        b"MakeStep 99999999999\n",
        b"MakeStep\n",
        b"Clock\n",
        b"WithMap\n",
        b"MazeSize\n",
        b"AdventurerPosition now\n",
        b"MazeMap\n",
        b"FieldOfView\n",
        b"#PRINT a  b\r\n",
        b"hello\n",
        b"\xff\0\n",
        b"  ",
        b"\n",
    ];
    conformance::check::<Labyrinth, Lines>(&Kit {
        setups: vec![Setup::new(5, Mode::Map), Setup::new(6, Mode::NoMap)],
        words: words.to_vec(),
        leak,
    });
}

/// An adventurer without map must not learn of fields out of sight, nor of what the architect does.
fn leak(game: &Labyrinth, eye: Seat, frame: &Value) -> Option<String> {
    let (view, events) = (&frame["view"], frame["events"].as_array()?);
    if eye == ARCHITECT || view["mode"] == "map" || !view["end"].is_null() {
        return None;
    }
    let at = game.board().adventurer();
    let far = |x: i32, y: i32| x.abs_diff(at.x() as i32).max(y.abs_diff(at.y() as i32)) > 2;
    let fields = view["fields"].as_str().unwrap_or_default().as_bytes();
    let side = game.board().size() as usize;
    for (place, letter) in fields.iter().enumerate() {
        let (x, y) = (place % side + 1, place / side + 1);
        if far(x as i32, y as i32) && *letter != b'?' {
            return Some(format!("field {x} {y}, {at} being the adventurer's"));
        }
    }
    let of_architect = |it: &Value| it["event"] == "planted" || it["seat"] == ARCHITECT.0;
    let told = events.iter().find(|it| it["event"] != "late" && of_architect(it));
    let last = Some(&view["last"]).filter(|it| it["seat"] == ARCHITECT.0);
    let count = Some(&view["redundant"][0]).filter(|it| !it.is_null());
    let answer = Some(&frame["ply"][0]).filter(|it| !it.is_null());
    assert_eq!(eye, ADVENTURER);
    told.or(last).or(count).or(answer).map(Value::to_string)
}
