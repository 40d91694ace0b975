//! What can be tried only on a kernel that nobody else uses, because it changes all of it.

use std::{thread, time::Duration};

use game::Seat;
use nix::{
    sys::time::TimeSpec,
    time::{ClockId, clock_gettime, clock_settime},
};

use crate::{
    Case,
    hostile::words,
    kit::{Ground, Kit, quick},
};

const DAY: Duration = Duration::from_secs(24 * 3600);

pub(crate) fn cases() -> Vec<Case> {
    let named = "a clock that jumps changes no verdict";
    vec![Case::plain(named, |kit: &mut Kit| jumps(kit)).on_own_kernel("clock")]
}

fn jumps(kit: &Kit) {
    let setup = quick();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let jumping = thread::spawn(move || {
        let start = clock_gettime(ClockId::CLOCK_REALTIME).expect("a clock");
        let mut forward = true;
        while stopped.recv_timeout(Duration::from_millis(15)).is_err() {
            let day = TimeSpec::from(DAY);
            let to = if forward { start + day } else { start - day };
            clock_settime(ClockId::CLOCK_REALTIME, to).expect("root may set it");
            forward = !forward;
        }
        clock_settime(ClockId::CLOCK_REALTIME, start).expect("root may set it");
    });
    let verdict = |bots| {
        let played = kit.play(Ground::Jailed, bots, &setup).expect("a match");
        [Seat(0), Seat(1)].map(|seat| words(played.seats[seat].fault.as_ref().map(|(_, it)| it)))
    };
    let verdicts = [
        verdict(["takes_its_time.c", "stays_put.c"]),
        verdict(["sleeps.c", "stays_put.c"]),
        verdict(["stays_put.c", "exits.c"]),
    ];
    stop.send(()).expect("it jumps");
    jumping.join().expect("it stops");
    assert_eq!(verdicts, [["none", "none"], ["late", "none"], ["none", "exited 3"]]);
}
