//! What courses are put together from: rocks, ponds, gates, walls to go around, moats, cups, and
//! fields of both.

use alloc::{vec, vec::Vec};

use super::Chance;
use crate::course::Ground::{self, Flat, Obstacle, Pond};

/// Rows of cells, the one nearest to the start first.
pub(super) type Section = Vec<Vec<Ground>>;

/// One section of some kind.
pub(super) fn section(width: usize, symmetric: Option<bool>, chance: &mut Chance) -> Section {
    let kinds = [rocks, ponds, gate, slalom, moat, cup, fields];
    let kind = kinds[chance.below(kinds.len() as u32) as usize];
    let mut section = kind(width, chance);
    if symmetric.unwrap_or_else(|| chance.happens(50)) {
        for row in &mut section {
            for x in 0..width / 2 {
                row[width - 1 - x] = row[x];
            }
        }
    }
    section
}

/// Single rocks on grass.
fn rocks(width: usize, chance: &mut Chance) -> Section {
    let density = chance.between(8, 22);
    let mut section = grass(width, chance.between(3, 7));
    for cell in section.iter_mut().flatten() {
        if chance.happens(density) {
            *cell = Obstacle;
        }
    }
    section
}

/// Ponds that have grown from a few cells.
fn ponds(width: usize, chance: &mut Chance) -> Section {
    let mut section = grass(width, chance.between(3, 8));
    for _ in 0..chance.between(1, 1 + width as u32 / 4) {
        let (mut x, mut y) = any_cell(&section, chance);
        for _ in 0..chance.between(4, 10 + width as u32) {
            section[y][x] = Pond;
            match chance.below(4) {
                0 => x = (x + 1).min(width - 1),
                1 => x = x.saturating_sub(1),
                2 => y = (y + 1).min(section.len() - 1),
                _ => y = y.saturating_sub(1),
            }
        }
    }
    section
}

/// A wall from side to side with one to three openings, dry or wet.
fn gate(width: usize, chance: &mut Chance) -> Section {
    let thickness = chance.between(1, 2) as usize;
    let mut wall = vec![Obstacle; width];
    for _ in 0..chance.between(1, 3) {
        let opening = chance.between(1, (width as u32 / 4).max(1)) as usize;
        let at = chance.below((width - opening + 1) as u32) as usize;
        let ground = if chance.happens(25) { Pond } else { Flat };
        wall[at..at + opening].fill(ground);
    }
    let mut section = vec![wall; thickness];
    section.extend(grass(width, 1));
    section
}

/// Walls from the sides by turns, to be gone around.
fn slalom(width: usize, chance: &mut Chance) -> Section {
    let mut section = Section::new();
    let mut from_left = chance.happens(50);
    for _ in 0..chance.between(2, 3) {
        let opening = chance.between(1, (width as u32 / 3).max(1)) as usize;
        let mut wall = vec![Obstacle; width];
        let open = if from_left { width - opening..width } else { 0..opening };
        wall[open].fill(Flat);
        section.push(wall);
        section.extend(grass(width, chance.between(1, 3)));
        from_left = !from_left;
    }
    section
}

/// Water from side to side, with dry places here and there.
fn moat(width: usize, chance: &mut Chance) -> Section {
    let dry = chance.between(0, 20);
    let mut section = vec![vec![Pond; width]; chance.between(1, 4) as usize];
    for cell in section.iter_mut().flatten() {
        if chance.happens(dry) {
            *cell = Flat;
        }
    }
    section
}

/// Dead ends that are open towards the start.
fn cup(width: usize, chance: &mut Chance) -> Section {
    let depth = chance.between(2, 6) as usize;
    let mut section = grass(width, depth as u32 + 1);
    let inner = chance.between(1, (width as u32 / 2).max(2) - 1) as usize;
    let at = chance.below((width - inner - 1).max(1) as u32) as usize;
    let (left, right) = (at, (at + inner + 1).min(width - 1));
    for row in &mut section[..depth] {
        (row[left], row[right]) = (Obstacle, Obstacle);
    }
    section[depth - 1][left..=right].fill(Obstacle);
    if chance.happens(40) {
        for row in &mut section[..depth - 1] {
            row[left + 1..right].fill(Pond);
        }
    }
    section.extend(grass(width, 1));
    section
}

/// Rectangles of rock and water.
fn fields(width: usize, chance: &mut Chance) -> Section {
    let mut section = grass(width, chance.between(4, 9));
    for _ in 0..chance.between(2, 3 + width as u32 / 6) {
        let (x, y) = any_cell(&section, chance);
        let right = (x + chance.between(1, 1 + width as u32 / 3) as usize).min(width);
        let far = (y + chance.between(1, 3) as usize).min(section.len());
        let ground = if chance.happens(45) { Obstacle } else { Pond };
        for row in &mut section[y..far] {
            row[x..right].fill(ground);
        }
    }
    section
}

fn grass(width: usize, n_rows: u32) -> Section {
    vec![vec![Flat; width]; n_rows as usize]
}

fn any_cell(section: &Section, chance: &mut Chance) -> (usize, usize) {
    let (width, n_rows) = (section[0].len() as u32, section.len() as u32);
    (chance.below(width) as usize, chance.below(n_rows) as usize)
}
