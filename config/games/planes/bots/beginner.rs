// Flies straight on as long as there is a way out, and shoots whenever it can.
use std::io::stdin;

// Directions are numbers from 0 to 26: 9 * (x + 1) + 3 * (y + 1) + (z + 1), and 13 is none.
fn parts(d: i32) -> [i32; 3] {
    [d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1]
}

// They touch, and lie on one face of the cube of 27.
fn may_turn(a: i32, b: i32) -> bool {
    let (p, q) = (parts(a), parts(b));
    let touch = (0..3).all(|i| (p[i] - q[i]).abs() < 2);
    b != 13 && touch && (0..3).any(|i| p[i] == q[i] && p[i] != 0)
}

// The first turn after which a plane can fly so many rounds, this one counted.
fn way_out(size: i32, at: [i32; 3], heading: i32, order: &[i32], rounds: i32) -> Option<i32> {
    if rounds == 0 {
        return Some(heading);
    }
    let leads_out = |d: i32| {
        let to = [0, 1, 2].map(|i| at[i] + parts(d)[i]);
        let inside = to.iter().all(|it| (0..size).contains(it));
        inside && may_turn(heading, d) && way_out(size, to, d, order, rounds - 1).is_some()
    };
    [heading].iter().chain(order).copied().find(|d| leads_out(*d))
}

fn main() {
    // The argument after that is the rounds of a fight.
    let size = std::env::args().nth(1).map_or(14, |it| it.parse().unwrap());
    // The second plane tries turns the other way round, so that they part.
    let orders: [Vec<i32>; 2] = [(0..27).collect(), (0..27).rev().collect()];
    let mut lines = stdin().lines().map(|it| it.unwrap());
    while let Some(line) = lines.next() {
        if line != "NEW TURN" {
            continue;
        }
        let planes: Vec<String> = lines.by_ref().take(4).collect(); // own first, then the enemy's
        for (plane, order) in planes.iter().zip(&orders) {
            let words: Vec<&str> = plane.split(' ').collect();
            let at = [1, 2, 3].map(|i| words[i].parse().unwrap());
            let step = |it: char| [-9, 9, -3, 3, -1, 1]["NSWEDU".find(it).unwrap()];
            let heading = 13 + words[4].chars().map(step).sum::<i32>();
            let turn = if words[0] == "alive" { way_out(size, at, heading, order, 4) } else { None };
            let parts = parts(turn.unwrap_or(heading));
            let letter = |i: usize| &"NSWEDU"[2 * i + usize::from(parts[i] > 0)..][..usize::from(parts[i] != 0)];
            let cooldown: i32 = words[5].parse().unwrap();
            println!("{}{}{} 1 {}", letter(0), letter(1), letter(2), 1 - cooldown);
        }
    }
}
