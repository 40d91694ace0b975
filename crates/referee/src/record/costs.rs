//! What the answers of a match cost, as it is stored: by column and in few characters, because in
//! a long match they take more room than all else.
//!
//! What the clock is charged follows from the rest, and is written down where it does not. Records
//! of before, with a row of plain numbers for each ply, are read as well.

use std::{fmt, time::Duration};

use game::{PerSeat, Seat};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, value},
};

use super::Spent;

type Rows = Vec<PerSeat<Option<Spent>>>;

pub(super) fn serialize<S: Serializer>(rows: &Rows, to: S) -> Result<S::Ok, S::Error> {
    Columns::of(rows).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rows, D::Error> {
    from.deserialize_any(RowsOrColumns)
}

/// Microseconds, by seat: a text of numbers for each, as [`write`] makes it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    /// By ply; none where the seat was not asked.
    wall: Vec<String>,
    /// By ply, those left out at which the seat was not asked.
    cpu: Vec<String>,
    /// The same.
    stall: Vec<String>,
    /// Ply, seat and what was charged, where it does not follow.
    charged: Vec<(usize, u8, u64)>,
}

impl Columns {
    fn of(rows: &Rows) -> Columns {
        let n_seats = rows.first().map_or(0, PerSeat::n_seats);
        let empty = || vec![String::new(); n_seats];
        let (wall, cpu, stall, charged) = (empty(), empty(), empty(), Vec::new());
        let mut columns = Columns { wall, cpu, stall, charged };
        for (ply_no, row) in rows.iter().enumerate() {
            for no in 0..n_seats {
                let seat = Seat(no as u8);
                let Some(spent) = row.get(seat).copied().flatten() else {
                    columns.wall[no].push(NONE);
                    continue;
                };
                let [charged, wall, cpu, stall] = spent.into();
                write(wall, &mut columns.wall[no]);
                write(cpu, &mut columns.cpu[no]);
                write(stall, &mut columns.stall[no]);
                if charged != follows(wall, cpu, stall) {
                    columns.charged.push((ply_no, seat.0, charged));
                }
            }
        }
        columns
    }

    fn rows(self) -> Result<Rows, &'static str> {
        let read_all = |it: &Vec<String>| it.iter().map(|it| read(it)).collect::<Result<_, _>>();
        let wall: Vec<Vec<Option<u64>>> = read_all(&self.wall)?;
        let cpu: Vec<Vec<Option<u64>>> = read_all(&self.cpu)?;
        let stall: Vec<Vec<Option<u64>>> = read_all(&self.stall)?;
        let (n_seats, n_plies) = (wall.len(), wall.first().map_or(0, Vec::len));
        let is_alike = wall.iter().all(|it| it.len() == n_plies);
        if !is_alike || cpu.len() != n_seats || stall.len() != n_seats {
            return Err("each seat has as many plies, and all three lists");
        }
        let none = PerSeat::new(n_seats, |_| None);
        let mut rows = vec![none; n_plies];
        let columns = wall.into_iter().zip(cpu).zip(stall);
        for (no, ((wall, cpu), stall)) in columns.enumerate() {
            let (mut cpu, mut stall) = (cpu.into_iter(), stall.into_iter());
            for (row, wall) in rows.iter_mut().zip(wall) {
                let Some(wall) = wall else { continue };
                let (Some(Some(cpu)), Some(Some(stall))) = (cpu.next(), stall.next()) else {
                    return Err("each answer has three numbers");
                };
                let charged = follows(wall, cpu, stall);
                row[Seat(no as u8)] = Some(Spent::from([charged, wall, cpu, stall]));
            }
            if cpu.next().is_some() || stall.next().is_some() {
                return Err("numbers belong to answers");
            }
        }
        for (ply_no, seat, charged) in self.charged {
            let row: Option<&mut PerSeat<Option<Spent>>> = rows.get_mut(ply_no);
            let row = row.filter(|it| it.get(Seat(seat)).is_some_and(Option::is_some));
            let Some(Some(spent)) = row.map(|it| &mut it[Seat(seat)]) else {
                return Err("what is charged is charged for an answer");
            };
            spent.charged = Duration::from_micros(charged);
        }
        Ok(rows)
    }
}

/// What is charged, in whole microseconds; see [`Spent::charge`].
fn follows(wall: u64, cpu: u64, stall: u64) -> u64 {
    wall.saturating_sub(stall).max(cpu)
}

/// Digits of 32, the least one first; with 32 added where more follow. Small numbers, and most are,
/// take two or three characters.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const MORE: u64 = 32;
/// Stands for no number.
const NONE: char = '-';

fn write(mut number: u64, to: &mut String) {
    while number >= MORE {
        to.push(DIGITS[(number % MORE + MORE) as usize].into());
        number /= MORE;
    }
    to.push(DIGITS[number as usize].into());
}

fn read(text: &str) -> Result<Vec<Option<u64>>, &'static str> {
    const WRONG: &str = "numbers are written in digits of 32, and fit 64 bits";
    let (mut numbers, mut number, mut place) = (Vec::new(), 0_u64, Some(1_u64));
    for letter in text.chars() {
        if letter == NONE && place == Some(1) {
            numbers.push(None);
            continue;
        }
        let digit = DIGITS.iter().position(|it| char::from(*it) == letter).ok_or(WRONG)? as u64;
        let part = place.and_then(|it| it.checked_mul(digit % MORE)).ok_or(WRONG)?;
        number = number.checked_add(part).ok_or(WRONG)?;
        place = place.and_then(|it| it.checked_mul(MORE));
        if digit < MORE {
            numbers.push(Some(number));
            (number, place) = (0, Some(1));
        }
    }
    if place == Some(1) { Ok(numbers) } else { Err(WRONG) }
}

struct RowsOrColumns;

impl<'de> de::Visitor<'de> for RowsOrColumns {
    type Value = Rows;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("spent to be a list of rows, or an object of columns")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, from: A) -> Result<Rows, A::Error> {
        Deserialize::deserialize(value::SeqAccessDeserializer::new(from))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, from: A) -> Result<Rows, A::Error> {
        let columns = Columns::deserialize(value::MapAccessDeserializer::new(from))?;
        columns.rows().map_err(|why| de::Error::custom(format!("spent: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Kept(#[serde(with = "super")] Rows);

    fn rows() -> Rows {
        let spent = |it: [u64; 4]| Some(Spent::from(it));
        vec![
            vec![spent([30, 30, 20, 0]), None].into(),
            // Charged by the processor, less a stall, and a microsecond more than follows.
            vec![spent([25, 7, 25, 0]), spent([60, 100, 10, 40])].into(),
            vec![None, spent([61, 100, 10, 40])].into(),
            vec![None, None].into(),
        ]
    }

    #[test]
    fn costs_are_stored_by_column_and_come_back() {
        let text = serde_json::to_string(&Kept(rows())).unwrap();
        let columns = r#"{"wall":["eH--","-kDkD-"],"cpu":["UZ","KK"],"stall":["AA","oBoB"],"charged":[[2,1,61]]}"#;
        assert_eq!(text, columns);
        assert_eq!(serde_json::from_str::<Kept>(&text).unwrap().0, rows());
        let empty = serde_json::to_string(&Kept(Vec::new())).unwrap();
        assert_eq!(empty, r#"{"wall":[],"cpu":[],"stall":[],"charged":[]}"#);
    }

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let table = [
            (0, "A"),
            (31, "f"),
            (32, "gB"),
            (1023, "/f"),
            (1024, "ggB"),
            (u64::MAX, "////////////P"),
        ];
        for (number, written) in table {
            let mut text = String::new();
            write(number, &mut text);
            assert_eq!(text, written);
            assert_eq!(read(written), Ok(vec![Some(number)]));
        }
    }

    #[test]
    fn rows_of_before_are_read() {
        let text = serde_json::to_string(&rows()).unwrap();
        assert!(text.starts_with("[[[30,30,20,0],null],"), "{text}");
        assert_eq!(serde_json::from_str::<Kept>(&text).unwrap().0, rows());
    }

    #[test]
    fn damaged_columns_are_named() {
        let whole = serde_json::to_value(Kept(rows())).unwrap();
        let table = [
            ("wall", r#"["B"]"#, "each seat has as many plies, and all three lists"),
            ("wall", r#"["B","BC"]"#, "each seat has as many plies"),
            ("cpu", r#"["U"]"#, "each seat has as many plies, and all three lists"),
            ("cpu", r#"["U","KK"]"#, "each answer has three numbers"),
            ("cpu", r#"["U-","KK"]"#, "each answer has three numbers"),
            ("stall", r#"["AA","BBB"]"#, "numbers belong to answers"),
            ("stall", r#"["AA","Bg"]"#, "numbers are written in digits of 32"),
            ("stall", r#"["AA","B="]"#, "numbers are written in digits of 32"),
            ("stall", r#"["AA","Bg-A"]"#, "numbers are written in digits of 32"),
            ("stall", r#"["AA","B//////////////"]"#, "and fit 64 bits"),
            ("charged", "[[0,1,5]]", "what is charged is charged for an answer"),
            ("charged", "[[0,7,5]]", "what is charged is charged for an answer"),
            ("charged", "[[9,0,5]]", "what is charged is charged for an answer"),
            ("more", "[]", "unknown field `more`"),
        ];
        for (key, value, why) in table {
            let mut damaged = whole.clone();
            damaged[key] = serde_json::from_str(value).unwrap();
            let error = serde_json::from_value::<Kept>(damaged).unwrap_err().to_string();
            assert!(error.contains(why), "{key} {value}: {error}");
        }
        let error = serde_json::from_str::<Kept>("7").unwrap_err().to_string();
        assert!(error.contains("expected spent to be a list of rows"), "{error}");
    }
}
