//! Seats at the board, who sits there, and things kept one per seat.

use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A place at the board, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sitter {
    /// A process.
    Bot,
    /// A human being at a browser.
    Person,
}

/// One `T` for each seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerSeat<T>(Vec<T>);

impl<T> PerSeat<T> {
    /// `f` of each of `n_seats` seats.
    pub fn new(n_seats: usize, mut f: impl FnMut(Seat) -> T) -> PerSeat<T> {
        PerSeat((0..n_seats).map(|it| f(Seat(it as u8))).collect())
    }

    /// Seats and what they hold, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Seat, &T)> {
        self.0.iter().enumerate().map(|(it, t)| (Seat(it as u8), t))
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (Seat, &mut T)> {
        self.0.iter_mut().enumerate().map(|(it, t)| (Seat(it as u8), t))
    }

    /// All seats, in order. Borrows nothing.
    pub fn seats(&self) -> impl ExactSizeIterator<Item = Seat> + use<T> {
        (0..self.0.len()).map(|it| Seat(it as u8))
    }

    /// How many seats there are.
    pub fn n_seats(&self) -> usize {
        self.0.len()
    }

    /// What `seat` holds, if there is such a seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(usize::from(seat.0))
    }

    /// `f` of what each seat holds.
    pub fn map<U>(&self, mut f: impl FnMut(Seat, &T) -> U) -> PerSeat<U> {
        PerSeat(self.iter().map(|(seat, it)| f(seat, it)).collect())
    }
}

impl<T> From<Vec<T>> for PerSeat<T> {
    fn from(per_seat: Vec<T>) -> PerSeat<T> {
        PerSeat(per_seat)
    }
}

/// # Panics
///
/// Where there is no such seat; [`PerSeat::get`] asks first.
impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[usize::from(seat.0)]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[usize::from(seat.0)]
    }
}
