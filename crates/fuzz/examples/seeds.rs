//! Writes what each target is used to read into folders of their names: for `/fuzz/run`.

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).ok_or_else(|| io::Error::other("which folder?"))?;
    for target in fuzz::TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder)?;
        for (n, bytes) in (target.seeds)().into_iter().enumerate() {
            fs::write(folder.join(format!("seed-{n}")), bytes)?;
        }
    }
    Ok(())
}
