//! One fight: four planes, and what a round does to them, in the order of the rules.

use crate::{
    action::Move,
    arena::{Cell, Plane},
    direction::Direction,
};

/// Planes in a fight: two of player 1, then two of player 2.
const N_PLANES: usize = 4;
const PLANES: [usize; N_PLANES] = [0, 1, 2, 3];

/// Where the two sets of rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Bullets go through planes, up to the wall; else they end at the nearest.
    pub bullets_pierce: bool,
    /// A plane that asks for a turn it may not make still shoots; else it does not.
    pub illegal_turns_shoot: bool,
    /// Of letters that contradict each other the first of NS, WE, DU counts; else the turn is illegal.
    pub first_letter_wins: bool,
}

/// A fight under way.
#[derive(Clone, Debug)]
pub struct Fight {
    size: i8,
    switches: Switches,
    planes: [Plane; N_PLANES],
}

/// What a round did to each plane that flew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round(pub [Option<Flight>; N_PLANES]);

/// What a plane did in a round, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The plane after the round. One that flew into a wall is just outside the arena.
    pub plane: Plane,
    /// It asked for a turn that it may not make, and went straight on.
    pub refused: bool,
    /// What it died of, if it did.
    pub death: Option<Death>,
    /// The bullet it fired.
    pub shot: Option<Shot>,
}

/// What a plane dies of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// It flew into a wall.
    Wall,
    /// It came to the cell of another plane.
    Crash,
    /// It was shot down.
    Shot,
}

/// A bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// The last cell it reached; that of the plane itself where a wall is next.
    pub to: Cell,
    /// Which planes it hit.
    pub hit: [bool; N_PLANES],
}

impl Fight {
    /// The start of a fight in an arena of `size` cells an edge.
    pub fn new(size: u32, switches: Switches) -> Fight {
        let size = size as i8;
        let (west, east, last) = (size / 2 - 2, size / 2 + 1, size - 1);
        let one = |y| Plane::new(Cell::new(0, y, 0), Direction::SOUTH);
        let two = |y| Plane::new(Cell::new(last, y, last), Direction::NORTH);
        Fight::with_planes(size as u32, switches, [one(west), one(east), two(east), two(west)])
    }

    /// A fight that is under way. Planes that are alive must be inside, each in a cell of its own.
    pub fn with_planes(size: u32, switches: Switches, planes: [Plane; N_PLANES]) -> Fight {
        Fight { size: size as i8, switches, planes }
    }

    /// The planes: two of player 1, then two of player 2.
    pub fn planes(&self) -> &[Plane; N_PLANES] {
        &self.planes
    }

    /// How many planes each player has left.
    pub fn left(&self) -> [u8; 2] {
        let count = |planes: &[Plane]| planes.iter().filter(|it| it.alive).count() as u8;
        [count(&self.planes[..2]), count(&self.planes[2..])]
    }

    /// Plays a round. Where there is no move, the plane goes straight on and does not shoot.
    pub fn play(&mut self, moves: [Option<Move>; N_PLANES]) -> Round {
        let mut round = Round::default();
        let armed = self.fly(moves, &mut round);
        self.collide(&mut round);
        self.shoot(armed, &mut round);
        for (flight, plane) in round.0.iter_mut().zip(&self.planes) {
            if let Some(flight) = flight {
                flight.plane = *plane;
            }
        }
        round
    }

    /// Moves each plane, and says which of them are to shoot.
    fn fly(&mut self, moves: [Option<Move>; N_PLANES], round: &mut Round) -> [bool; N_PLANES] {
        let Switches { first_letter_wins, illegal_turns_shoot, .. } = self.switches;
        let mut armed = [false; N_PLANES];
        for no in PLANES {
            let plane = &mut self.planes[no];
            if !plane.alive {
                continue;
            }
            let mut refused = false;
            let mut to = plane.heading;
            if let Some(it) = moves[no] {
                let asked = it.letters.direction(first_letter_wins);
                match asked.filter(|it| plane.heading.allows(*it)) {
                    Some(asked) => to = asked,
                    None => refused = true,
                }
                armed[no] = it.shoots && (!refused || illegal_turns_shoot);
                if it.turns {
                    plane.heading = to;
                }
            }
            plane.at = plane.at.next(to);
            round.0[no] = Some(Flight { plane: *plane, refused, death: None, shot: None });
        }
        armed
    }

    /// Ends planes that have left the arena, then all that share a cell.
    fn collide(&mut self, round: &mut Round) {
        for no in PLANES {
            if self.planes[no].alive && !self.planes[no].at.is_inside(self.size) {
                self.end(no, Death::Wall, round);
            }
        }
        let flying = self.planes;
        let meets = |one: usize, other: usize| {
            one != other && flying[other].alive && flying[one].at == flying[other].at
        };
        for no in PLANES {
            if flying[no].alive && PLANES.iter().any(|other| meets(no, *other)) {
                self.end(no, Death::Crash, round);
            }
        }
    }

    /// All bullets at once, then the guns cool down.
    fn shoot(&mut self, armed: [bool; N_PLANES], round: &mut Round) {
        let flying = self.planes;
        for no in PLANES {
            let Plane { alive, cooldown, .. } = flying[no];
            let fires = alive && armed[no] && cooldown == 0;
            self.planes[no].cooldown = if fires { 1 } else { cooldown.saturating_sub(1) };
            if !fires {
                continue;
            }
            let shot = self.bullet(no, &flying);
            if let Some(flight) = &mut round.0[no] {
                flight.shot = Some(shot);
            }
            for hit in PLANES.into_iter().filter(|it| shot.hit[*it]) {
                self.end(hit, Death::Shot, round);
            }
        }
    }

    fn bullet(&self, no: usize, flying: &[Plane; N_PLANES]) -> Shot {
        let Plane { at, heading, .. } = flying[no];
        let mut reach = at.cells_ahead(heading, self.size);
        let distance = |other: usize| {
            let other = &flying[other];
            other.alive.then(|| at.distance_to(other.at, heading)).flatten()
        };
        let distances = PLANES.map(distance);
        if !self.switches.bullets_pierce {
            reach = distances.iter().flatten().fold(reach, |nearest, it| nearest.min(*it));
        }
        let hit = distances.map(|it| it.is_some_and(|it| it <= reach));
        Shot { to: at.ahead(heading, reach), hit }
    }

    fn end(&mut self, no: usize, death: Death, round: &mut Round) {
        self.planes[no].alive = false;
        if let Some(flight) = &mut round.0[no] {
            flight.death = Some(death);
        }
    }
}
