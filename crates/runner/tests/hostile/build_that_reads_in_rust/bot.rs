const SECRET: &str = include_str!("/etc/passwd");
const HOME: Option<&str> = option_env!("DATABASE_URL");
fn main() {
    println!("{SECRET} {HOME:?}");
}
