const fn spin() -> u64 {
    let mut n = 0u64;
    while n < u64::MAX {
        n += 1;
    }
    n
}
const ENDLESS: u64 = spin();
fn main() {
    println!("{ENDLESS}");
}
