// Walks: one cell a step, on a shortest way to the goal as far as it can see.
use std::io::stdin;

fn numbers() -> Vec<i32> {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    line.split_whitespace().map(|it| it.parse().unwrap()).collect()
}

fn around(x: i32, y: i32) -> [(i32, i32); 4] {
    [(x, y + 1), (x + 1, y), (x - 1, y), (x, y - 1)]
}

fn main() {
    let (_think, _limit, size, _vision) = (numbers(), numbers(), numbers(), numbers());
    let (width, length) = (size[0], size[1]);
    println!("0");
    while !numbers().is_empty() { // the number of the step; nothing when the judge has gone
        let (_left, me, other) = (numbers(), numbers(), numbers());
        let (x, y) = (me[0], me[1]);
        let mut cell: Vec<Vec<i32>> = (0..length).map(|_| numbers()).collect();
        if (0..length).contains(&other[1]) {
            cell[other[1] as usize][other[0] as usize] = 1; // around the opponent, not through it
        }
        // far[y][x]: how many cells it is to the goal.
        let mut far = vec![vec![i32::MAX; width as usize]; length as usize];
        far.push(vec![0; width as usize]);
        let mut queue: Vec<(i32, i32)> = (0..width).map(|c| (c, length)).collect();
        let mut next = 0;
        while next < queue.len() {
            let (c, r) = queue[next];
            next += 1;
            for (nc, nr) in around(c, r) {
                let inside = (0..width).contains(&nc) && (0..length).contains(&nr);
                if inside && cell[nr as usize][nc as usize] != 1 && far[nr as usize][nc as usize] == i32::MAX {
                    far[nr as usize][nc as usize] = far[r as usize][c as usize] + 1;
                    queue.push((nc, nr));
                }
            }
        }
        let of = |(c, r): (i32, i32)| if r < 0 || c < 0 || c >= width { i32::MAX } else { far[r as usize][c as usize] };
        let way = around(x, y).into_iter().find(|it| of(*it) < of((x, y)) || y < 0).unwrap_or((x, y));
        println!("{} {}", (way.0 - x - me[2]).clamp(-1, 1), (way.1 - y - me[3]).clamp(-1, 1));
    }
}
