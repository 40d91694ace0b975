//! One line of a bot, taken apart: what it asks, orders or says.

/// What a line means, whoever wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message<'a> {
    /// Nothing but blanks.
    Empty,
    /// A question, answered at once.
    Query {
        /// Which one.
        query: Query,
        /// Whether more followed on the line.
        extra: bool,
    },
    /// `MakeStep d`; `None` where its parameters are not one whole number.
    MakeStep(Option<i32>),
    /// `PlaceObstacle x y`; `None` where its parameters are not two whole numbers.
    PlaceObstacle(Option<(i32, i32)>),
    /// `#PRINT text`: a line for the log.
    Print(&'a [u8]),
    /// `#END`: the turn is over.
    End {
        /// Whether more followed on the line.
        extra: bool,
    },
    /// None of these.
    Unknown,
}

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// Which round is it?
    Clock,
    /// Does the adventurer have a map?
    WithMap,
    /// How long is a side, the ring included?
    MazeSize,
    /// Where is the adventurer?
    AdventurerPosition,
    /// How does the whole board look?
    MazeMap,
    /// How do the 25 fields around the adventurer look?
    FieldOfView,
}

impl Message<'_> {
    /// Takes apart a line, given without its end.
    pub(crate) fn parse(line: &[u8]) -> Message<'_> {
        let line = trim(line);
        let end = line.iter().position(|it| is_blank(*it)).unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        let query = |query| Message::Query { query, extra: !rest.is_empty() };
        match name {
            b"" => Message::Empty,
            b"Clock" => query(Query::Clock),
            b"WithMap" => query(Query::WithMap),
            b"MazeSize" => query(Query::MazeSize),
            b"AdventurerPosition" => query(Query::AdventurerPosition),
            b"MazeMap" => query(Query::MazeMap),
            b"FieldOfView" => query(Query::FieldOfView),
            b"MakeStep" => Message::MakeStep(whole_numbers(rest).map(|[direction]| direction)),
            b"PlaceObstacle" => Message::PlaceObstacle(whole_numbers(rest).map(|[x, y]| (x, y))),
            // One blank parts the text from the name, the others are its own.
            b"#PRINT" => Message::Print(rest.get(1..).unwrap_or_default()),
            b"#END" => Message::End { extra: !rest.is_empty() },
            _ => Message::Unknown,
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// `line` without blanks before it, and without blanks and carriage returns after it.
fn trim(line: &[u8]) -> &[u8] {
    let Some(start) = line.iter().position(|it| !is_blank(*it)) else { return &[] };
    let last = line.iter().rposition(|it| !is_blank(*it) && *it != b'\r');
    // Nothing but carriage returns after the blanks leaves nothing.
    last.map_or(&[], |last| line.get(start..=last).unwrap_or_default())
}

/// The words of `text`, if they are just `N` whole numbers.
fn whole_numbers<const N: usize>(text: &[u8]) -> Option<[i32; N]> {
    let mut words = text.split(|it| is_blank(*it)).filter(|it| !it.is_empty());
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = whole_number(words.next()?)?;
    }
    words.next().is_none().then_some(numbers)
}

/// A sign or none, then digits, as many as one likes. What does not fit is the
/// nearest that does, and just as far off every board.
fn whole_number(word: &[u8]) -> Option<i32> {
    let (sign, digits) = match word {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |number: i32, digit: &u8| {
        number.saturating_mul(10).saturating_add(sign * i32::from(digit - b'0'))
    };
    Some(digits.iter().fold(0, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_mean_what_the_protocol_says() {
        let query = |query, extra| Message::Query { query, extra };
        let table: &[(&[u8], Message)] = &[
            (b"", Message::Empty),
            (b" \t ", Message::Empty),
            (b"\r", Message::Empty),
            (b" \r \r", Message::Empty),
            (b"Clock", query(Query::Clock, false)),
            (b" \t Clock \t\r", query(Query::Clock, false)),
            (b"Clock now", query(Query::Clock, true)),
            (b"Clock\tnow", query(Query::Clock, true)),
            (b"clock", Message::Unknown),
            (b"Clocks", Message::Unknown),
            (b"\rClock", Message::Unknown),
            (b"Clock\rnow", Message::Unknown),
            (b"WithMap", query(Query::WithMap, false)),
            (b"MazeSize", query(Query::MazeSize, false)),
            (b"AdventurerPosition", query(Query::AdventurerPosition, false)),
            (b"MazeMap x", query(Query::MazeMap, true)),
            (b"FieldOfView", query(Query::FieldOfView, false)),
            (b"MakeStep 0", Message::MakeStep(Some(0))),
            (b"MakeStep   3  ", Message::MakeStep(Some(3))),
            (b"MakeStep +1", Message::MakeStep(Some(1))),
            (b"MakeStep 007", Message::MakeStep(Some(7))),
            (b"MakeStep -0", Message::MakeStep(Some(0))),
            (b"MakeStep -1", Message::MakeStep(Some(-1))),
            (b"MakeStep 99999999999999999999", Message::MakeStep(Some(i32::MAX))),
            (b"MakeStep -2147483648", Message::MakeStep(Some(i32::MIN))),
            (b"MakeStep -99999999999999999999", Message::MakeStep(Some(i32::MIN))),
            (b"MakeStep 4294967296", Message::MakeStep(Some(i32::MAX))),
            (b"MakeStep", Message::MakeStep(None)),
            (b"MakeStep ", Message::MakeStep(None)),
            (b"MakeStep 1 2", Message::MakeStep(None)),
            (b"MakeStep 1.5", Message::MakeStep(None)),
            (b"MakeStep +", Message::MakeStep(None)),
            (b"MakeStep +-1", Message::MakeStep(None)),
            (b"MakeStep 0x1", Message::MakeStep(None)),
            (b"MakeStep \xd9\xa1", Message::MakeStep(None)),
            (b"MakeStep1", Message::Unknown),
            (b"PlaceObstacle 3 4", Message::PlaceObstacle(Some((3, 4)))),
            (b"PlaceObstacle\t+3\t \t04", Message::PlaceObstacle(Some((3, 4)))),
            (b"PlaceObstacle 3", Message::PlaceObstacle(None)),
            (b"PlaceObstacle 3 4 5", Message::PlaceObstacle(None)),
            (b"PlaceObstacle 3,4", Message::PlaceObstacle(None)),
            (b"#PRINT", Message::Print(b"")),
            (b"#PRINT   ", Message::Print(b"")),
            (b"#PRINT a  b", Message::Print(b"a  b")),
            (b"  #PRINT  a\t b \t\r", Message::Print(b" a\t b")),
            (b"#PRINT\ta", Message::Print(b"a")),
            (b"#PRINT \xff\0", Message::Print(b"\xff\0")),
            (b"#PRINTa", Message::Unknown),
            (b"#print a", Message::Unknown),
            (b"#END", Message::End { extra: false }),
            (b" #END \r", Message::End { extra: false }),
            (b"#END x", Message::End { extra: true }),
            (b"#ENDx", Message::Unknown),
            (b"# END", Message::Unknown),
            (b"\0", Message::Unknown),
        ];
        for (line, message) in table {
            assert_eq!(Message::parse(line), *message, "{}", line.escape_ascii());
        }
    }
}
