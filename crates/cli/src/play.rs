//! `agon play`.

#[derive(clap::Args)]
pub struct Options {}

pub fn run(_: Options) -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
