//! Is there still a way? Answered for one more hedge, and for every field at once.
//!
//! Nearly every hedge is harmless to its surroundings, which eight bits tell.
//! Where they do not, the open fields are flooded, a row in a few instructions.

use crate::board::{Cell, ROWS, Rows};

/// Whether a hedge on the open field `cell` leaves no way over open fields from `from` to `to`.
///
/// There is one without it, and `cell` is neither end.
pub(crate) fn blocks(open: &Rows, from: Cell, to: Cell, cell: Cell) -> bool {
    if !parts_neighbours(open, cell) {
        return false;
    }
    let mut open = *open;
    open[cell.row()] &= !cell.bit();
    !connects(&open, from, to)
}

/// The fields that no way over open fields from `from` to `to` can do without, both ends left out.
///
/// Walks a shortest way. Before each of its fields, all has been searched that
/// can be reached from the fields before it without setting foot on the way
/// itself: if that search has come no farther along the way, the field is needed.
pub(crate) fn needed(open: &Rows, from: Cell, to: Cell) -> Rows {
    let mut needed = [0; ROWS];
    let mut way = [0; N_FIELDS];
    // 0 off the way, else 1 + place on it.
    let mut places = [0u16; N_FIELDS];
    let way = match shortest(open, from, to, &mut way) {
        Some(length) => &way[..length],
        None => return needed,
    };
    for (place, field) in way.iter().enumerate() {
        places[usize::from(*field)] = 1 + place as u16;
    }
    let mut seen = [0; ROWS];
    let mut stack = [0; N_FIELDS];
    let mut farthest = 0;
    for (place, field) in way.iter().enumerate().take(way.len().saturating_sub(1)) {
        if place > 0 && farthest == place {
            let (row, bit) = row_and_bit(*field);
            needed[row] |= bit;
        }
        stack[0] = *field;
        let mut height = 1;
        while height > 0 {
            height -= 1;
            for next in neighbours(stack[height]) {
                let (row, bit) = row_and_bit(next);
                if open[row] & bit == 0 {
                    continue;
                }
                match usize::from(places[usize::from(next)]) {
                    0 if seen[row] & bit == 0 => {
                        seen[row] |= bit;
                        stack[height] = next;
                        height += 1;
                    }
                    0 => (),
                    place => farthest = farthest.max(place - 1),
                }
            }
        }
    }
    needed
}

/// Bits of a field's number that are its column; the rest are its row.
const COLUMN_BITS: u32 = 5;

/// Fields that can be numbered: whole rows of 32.
const N_FIELDS: usize = ROWS << COLUMN_BITS;

fn row_and_bit(field: u16) -> (usize, u32) {
    (usize::from(field >> COLUMN_BITS), 1 << (field & ((1 << COLUMN_BITS) - 1)))
}

/// The four fields around one that is not in the ring.
fn neighbours(field: u16) -> [u16; 4] {
    [field - (1 << COLUMN_BITS), field + 1, field + (1 << COLUMN_BITS), field - 1]
}

fn field_of(cell: Cell) -> u16 {
    ((cell.y() << COLUMN_BITS) | cell.x()) as u16
}

/// Writes a shortest way from `from` to `to` into `way`, both included, and returns its length.
fn shortest(open: &Rows, from: Cell, to: Cell, way: &mut [u16; N_FIELDS]) -> Option<usize> {
    let (from, to) = (field_of(from), field_of(to));
    // Searched from the far end, so that the trail back is the way forth. 0 is
    // a field of the ring, which nobody comes from.
    let mut came_from = [0; N_FIELDS];
    let mut queue = [0; N_FIELDS];
    (came_from[usize::from(to)], queue[0]) = (to, to);
    let (mut head, mut tail) = (0, 1);
    while head < tail && came_from[usize::from(from)] == 0 {
        let field = queue[head];
        head += 1;
        for next in neighbours(field) {
            let (row, bit) = row_and_bit(next);
            if open[row] & bit != 0 && came_from[usize::from(next)] == 0 {
                came_from[usize::from(next)] = field;
                queue[tail] = next;
                tail += 1;
            }
        }
    }
    if came_from[usize::from(from)] == 0 {
        return None;
    }
    let (mut field, mut length) = (from, 0);
    loop {
        way[length] = field;
        length += 1;
        if field == to {
            return Some(length);
        }
        field = came_from[usize::from(field)];
    }
}

/// Whether a way over open fields leads from `from` to `to`, both open.
pub(crate) fn connects(open: &Rows, from: Cell, to: Cell) -> bool {
    let mut reached = [0; ROWS];
    reached[from.row()] = spread(from.bit(), open[from.row()]);
    // Rows above and below are swept by turns until a sweep finds nothing new.
    // The way mostly leads up, so that comes first.
    loop {
        let mut grown = false;
        for y in (1..ROWS - 1).rev() {
            grown |= grow(&mut reached, open, y);
        }
        if reached[to.row()] & to.bit() != 0 {
            return true;
        }
        for y in 1..ROWS - 1 {
            grown |= grow(&mut reached, open, y);
        }
        if reached[to.row()] & to.bit() != 0 {
            return true;
        }
        if !grown {
            return false;
        }
    }
}

/// Takes into row `y` what is reached from the rows around it. Whether that was anything new.
#[inline]
fn grow(reached: &mut Rows, open: &Rows, y: usize) -> bool {
    let entered = (reached[y - 1] | reached[y + 1]) & open[y] & !reached[y];
    if entered == 0 {
        return false;
    }
    reached[y] |= spread(entered, open[y]);
    true
}

/// The runs of set bits in `open` that a bit of `seeds`, itself open, stands in.
///
/// A carry runs up from each seed to the end of its run and turns every bit it
/// passes; the other way goes through the looking-glass.
#[inline]
fn spread(seeds: u32, open: u32) -> u32 {
    let up = |seeds: u32, open: u32| (open ^ open.wrapping_add(seeds)) & open | seeds;
    let (sdees, nepo) = (seeds.reverse_bits(), open.reverse_bits());
    up(seeds, open) | up(sdees, nepo).reverse_bits()
}

/// Whether the open fields beside `cell` are not all joined to each other around it.
///
/// If they are, whoever came through `cell` can go round it.
fn parts_neighbours(open: &Rows, cell: Cell) -> bool {
    let x = cell.x() - 1;
    let three = |y: usize| (open[y] >> x) & 0b111;
    let around = three(cell.row() - 1) | three(cell.row()) << 3 | three(cell.row() + 1) << 6;
    PARTING[around as usize / 64] >> (around % 64) & 1 != 0
}

/// Bit i: a hedge amid the nine fields i parts its neighbours. Bits of i are
/// the fields, open if set, from the upper left on row by row.
const PARTING: [u64; 8] = {
    let mut parting = [0; 8];
    let mut around = 0;
    while around < 512 {
        if parts(around) {
            parting[around / 64] |= 1 << (around % 64);
        }
        around += 1;
    }
    parting
};

const fn parts(around: usize) -> bool {
    // The eight around the middle, clockwise; those beside it have odd places.
    const RING: [usize; 8] = [0, 1, 2, 5, 8, 7, 6, 3];
    let mut n_gaps = 0;
    let mut n_open = 0;
    let mut place = 1;
    while place < 8 {
        let beside = around >> RING[place] & 1 != 0;
        let corner = around >> RING[(place + 1) % 8] & 1 != 0;
        let next = around >> RING[(place + 2) % 8] & 1 != 0;
        if beside {
            n_open += 1;
            if !(corner && next) {
                n_gaps += 1;
            }
        }
        place += 2;
    }
    // Each open one is joined to the next or there is a gap. One gap is where
    // the chain starts; none is the full circle.
    n_open > 1 && n_gaps > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_flooded_run_by_run() {
        let table = [
            (0b0000_0001, 0b0000_0001, 0b0000_0001),
            (0b0001_0000, 0b0111_1100, 0b0111_1100),
            (0b0100_0000, 0b0111_1100, 0b0111_1100),
            (0b0000_0100, 0b0111_1100, 0b0111_1100),
            (0b0010_0100, 0b1110_1110, 0b1110_1110),
            (0b0000_0100, 0b1110_1110, 0b0000_1110),
            (0b0101_0000, 0b0111_1011, 0b0111_1000),
            (0, 0b0111_1100, 0),
            (1 << 31, u32::MAX, u32::MAX),
        ];
        for (seeds, open, runs) in table {
            assert_eq!(spread(seeds, open), runs, "{seeds:b} in {open:b}");
        }
    }

    #[test]
    fn a_hedge_parts_its_neighbours_only_where_two_are_not_joined_around_it() {
        let table = [
            ("####.####", false),
            ("#.##.####", false),
            ("#.#.#.#.#", true),
            (".........", false),
            ("..##...##", true),
            ("...#.....", false),
            ("#.##.##.#", true),
            ("..#..####", false),
            ("#.#..####", true),
            ("...#.#...", true),
            (".#.......", false),
            (".#.....#.", true),
        ];
        for (nine, verdict) in table {
            let bit = |(place, it): (usize, char)| usize::from(it == '.' || place == 4) << place;
            let around: usize = nine.chars().enumerate().map(bit).sum();
            assert_eq!(parts(around), verdict, "{nine}");
        }
    }
}
