//! Who sits where: each as often on either seat as can be, and by turns.

use super::{Player, Round};

/// Which seat one should have next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    /// None: it has not played yet.
    pub(super) seat: Option<u8>,
    pub(super) strength: Strength,
    /// Matches on the first seat less those on the second.
    surplus: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    None,
    /// It had both as often: the other than last.
    Mild,
    /// It had one once more.
    Strong,
    /// It had one twice more, or the last two times.
    Absolute,
}

impl Wish {
    pub(super) fn of(player: &Player) -> Wish {
        let n_second = player.seats.iter().filter(|it| **it == 1).count() as i32;
        let surplus = player.seats.len() as i32 - 2 * n_second;
        let by_surplus = u8::from(surplus > 0);
        let (seat, strength) = match (surplus.abs(), player.seats.as_slice()) {
            (_, []) => (None, Strength::None),
            (2.., _) => (Some(by_surplus), Strength::Absolute),
            (_, [.., one, two]) if one == two => (Some(1 - two), Strength::Absolute),
            (1, _) => (Some(by_surplus), Strength::Strong),
            (_, [.., last]) => (Some(1 - last), Strength::Mild),
        };
        Wish { seat, strength, surplus }
    }
}

impl Round<'_> {
    /// How much one of two gives up: none where both can have the seat they should have.
    pub(super) fn clash(&self, one: usize, two: usize) -> Strength {
        let [one, two] = [one, two].map(|it| self.wishes[it]);
        match one.seat.is_some() && one.seat == two.seat {
            true => one.strength.min(two.strength),
            false => Strength::None,
        }
    }

    /// The two of a pair, who sits on the first seat first; `pair` has the better one first.
    pub(super) fn seated(&self, pair: [usize; 2]) -> [usize; 2] {
        let [better, other] = pair;
        let seat_of_better = match pair.map(|it| self.wishes[it].seat) {
            // By turns down the list.
            [None, None] => (self.players[better].no % 2) as u8,
            [Some(seat), None] => seat,
            [None, Some(seat)] => 1 - seat,
            [Some(one), Some(two)] if one != two => one,
            [Some(seat), Some(_)] => self.seat_in_clash(better, other, seat),
        };
        if seat_of_better == 0 { [better, other] } else { [other, better] }
    }

    /// Both should have `seat`: who needs it more, then who did not have it when they last
    /// differed, then the better one.
    fn seat_in_clash(&self, better: usize, other: usize, seat: u8) -> u8 {
        let [one, two] = [better, other].map(|it| self.wishes[it]);
        let need = |it: Wish| (it.strength, it.surplus.abs());
        match need(one).cmp(&need(two)) {
            std::cmp::Ordering::Greater => return seat,
            std::cmp::Ordering::Less => return 1 - seat,
            std::cmp::Ordering::Equal => {}
        }
        let [one, two] = [better, other].map(|it| self.players[it].seats.iter().rev());
        match one.zip(two).find(|it| it.0 != it.1) {
            Some((had, _)) => 1 - had,
            None => seat,
        }
    }
}
