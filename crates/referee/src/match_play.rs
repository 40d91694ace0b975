//! The loop of a match: ask, hear, judge, play, until it is over.

use std::{collections::VecDeque, time::Duration};

use game::{
    Ahead, Answer, Dialect, End, Fault, Game, Illegal, Lifetime, PerSeat, Ply, Read, Remark,
    RemarkKind, Seat, Sitter, Talk, Turn,
};

use crate::{
    Effect, Frame, INBOX_BYTES_MAX, Input, Now, RECORD_BYTES_MAX, Record, ReplayError, Spent,
    UNREAD_BYTES_MAX, Void,
    chair::Chair,
    record::{advance, open},
};

/// Surplus that is counted out: of a flood, nobody can know how much comes before it is stopped.
const SURPLUS_TOLD_MAX: usize = 1000;

/// A match under way.
pub struct Referee<G: Game, D> {
    game: G,
    record: Record<G>,
    record_bytes: usize,
    chairs: PerSeat<Chair<G, D>>,
    effects: VecDeque<Effect>,
    /// Plies of before that are gone through once more, for the bots to hear.
    script: VecDeque<Frame<G::Action>>,
    over: bool,
}

impl<G: Game, D: Dialect<G>> Referee<G, D> {
    /// Opens a match. Its first effects wait to be polled.
    ///
    /// # Errors
    ///
    /// Where `setup` or the number of `sitters` is not the game's.
    pub fn new(setup: &G::Setup, sitters: PerSeat<Sitter>) -> Result<Referee<G, D>, Illegal> {
        let (found, wanted) = (sitters.n_seats(), G::ROLES.len());
        if found != wanted {
            let why = format!("{found} players were named; {} is for {wanted}", G::ID);
            return Err(Illegal(why.into()));
        }
        let mut events = Vec::new();
        let game = G::start(setup, &sitters, &mut events)?;
        let mut referee = Referee::bare(game, setup, sitters);
        referee.begin(&events);
        Ok(referee)
    }

    /// Opens a match that was played before as far as `frames` go, and was broken off.
    ///
    /// Every bot gets a new process, which is asked once more all that the lost one was asked,
    /// each question for as long as then. What was answered then counts, whatever is answered now:
    /// so the bot comes to know what it knew, and nothing that was played can be played otherwise.
    /// People are asked nothing twice.
    ///
    /// # Errors
    ///
    /// Where the plies are none of a match of this set-up.
    pub fn resume(
        setup: &G::Setup,
        sitters: PerSeat<Sitter>,
        mut frames: Vec<Frame<G::Action>>,
    ) -> Result<Referee<G, D>, ReplayError> {
        let mut events = Vec::new();
        let game = open::<G>(setup, &sitters, &mut events)?;
        let told_from = last_lives_begin::<G, D>(game.clone(), &frames)?;
        let script = frames.split_off(told_from);
        let mut referee = Referee::bare(game, setup, sitters);
        for frame in frames {
            events.clear();
            referee.pass(frame, &mut events);
        }
        referee.script = script.into();
        referee.begin(&events);
        Ok(referee)
    }

    fn bare(game: G, setup: &G::Setup, sitters: PerSeat<Sitter>) -> Referee<G, D> {
        let chairs = sitters.map(|_, &it| Chair::new(it));
        let record = Record {
            game: G::ID.into(),
            rules: G::RULES,
            setup: setup.clone(),
            sitters,
            plies: Vec::new(),
            spent: Vec::new(),
            remarks: Vec::new(),
        };
        let (effects, script) = (VecDeque::new(), VecDeque::new());
        Referee { game, record, record_bytes: 0, chairs, effects, script, over: false }
    }

    /// Seats the players, tells them what has just happened, and asks.
    fn begin(&mut self, events: &[G::Event]) {
        if matches!(self.game.turn(), Turn::Ask(_)) {
            self.seat_all_anew();
        }
        self.tell(events);
        self.ask(Duration::ZERO);
        self.settle(Duration::ZERO);
    }

    /// Takes in what happened at `now`, which must never run backwards.
    ///
    /// What does not fit - of a seat that is not there, is not asked, or has no
    /// process - is no longer of interest, and is let go.
    pub fn handle(&mut self, now: Now, input: Input<G::Action>) {
        if self.over {
            return;
        }
        match input {
            Input::Written { seat, n_bytes } => self.written(now, seat, n_bytes),
            Input::Output { seat, bytes, spent } => self.output(now, seat, &bytes, spent),
            Input::Rested { seat, bytes } => self.rested(seat, &bytes),
            Input::Ended { seat, end, spent } => self.ended(seat, end, spent),
            Input::Waited { seat, spent } => self.waited(now, seat, spent),
            Input::Act { seat, action } => self.act(now, seat, action),
            Input::Tick => (),
        }
        self.ring_people(now);
        self.settle(now);
    }

    /// The next thing to do, if any. Call until `None` after `new` and after every `handle`.
    pub fn poll(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }

    /// When to look at clocks: [`Input::Waited`] for each bot that is awake, or
    /// [`Input::Tick`] where there is none, if nothing happens before.
    pub fn poll_timeout(&self) -> Option<Now> {
        let open = |it: &Chair<G, D>| {
            it.question.as_ref().filter(|it| it.resting.is_none()).map(|it| it.deadline)
        };
        self.chairs.iter().filter_map(|(_, it)| open(it)).min().filter(|_| !self.over)
    }

    /// The time for the question that is open to a bot; more of it is a fault.
    pub fn left(&self, seat: Seat) -> Option<Duration> {
        let question = self.chairs.get(seat)?.question.as_ref()?;
        question.resting.is_none().then(|| question.shorter())
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What is to be stored.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// A ply of the record with all that belongs to it.
    pub fn frame(&self, ply_no: u32) -> Option<Frame<G::Action>> {
        let (ply, spent) = (
            self.record.plies.get(ply_no as usize)?.clone(),
            self.record.spent.get(ply_no as usize)?.clone(),
        );
        let remarks = &self.record.remarks;
        let from = remarks.partition_point(|it| it.ply < ply_no);
        let to = remarks.partition_point(|it| it.ply <= ply_no);
        Some(Frame { ply, spent, remarks: remarks[from..to].to_vec() })
    }

    fn written(&mut self, now: Now, seat: Seat, n_bytes: usize) {
        let Some(chair) = self.bot(seat) else { return };
        let before = chair.unwritten_bytes;
        chair.unwritten_bytes = before.saturating_sub(n_bytes);
        if before != 0 && chair.unwritten_bytes == 0 {
            chair.start_clock(now);
        }
    }

    fn output(&mut self, now: Now, seat: Seat, bytes: &[u8], spent: Spent) {
        let Some(chair) = self.bot(seat) else { return };
        chair.inbox.extend_from_slice(bytes);
        if chair.question.as_ref().is_none_or(|it| it.resting.is_some()) {
            return;
        }
        // Time first: an answer that came too late is late, however good.
        match chair.look_at_clock(now, spent) {
            Some(fault) => self.miss(seat, fault, spent),
            None => self.hear(seat, spent),
        }
    }

    fn waited(&mut self, now: Now, seat: Seat, spent: Spent) {
        let Some(chair) = self.bot(seat) else { return };
        if chair.question.as_ref().is_none_or(|it| it.resting.is_some()) {
            return;
        }
        if let Some(fault) = chair.look_at_clock(now, spent) {
            self.miss(seat, fault, spent);
        }
    }

    fn ended(&mut self, seat: Seat, end: End, spent: Spent) {
        let Some(chair) = self.bot(seat) else { return };
        if chair.question.as_ref().is_some_and(|it| it.resting.is_some()) {
            // The answer was whole before the end, and counts.
            chair.gone = Some(Fault::Gone(end));
            return;
        }
        self.dismiss(seat, Fault::Gone(end), spent);
    }

    fn act(&mut self, now: Now, seat: Seat, action: G::Action) {
        let Some(chair) = self.chairs.get(seat) else { return };
        if chair.sitter == Sitter::Bot || chair.question.is_none() {
            return;
        }
        let spent = chair.spent_by_person(now);
        if self.chairs[seat].look_at_clock(now, spent).is_some() {
            // `ring_people` comes next and closes the question.
            return;
        }
        match self.game.check(seat, &action) {
            Ok(()) => self.chairs[seat].close(Answer::Action(action), spent),
            Err(why) => self.effects.push_back(Effect::Refuse(seat, why)),
        }
    }

    fn ring_people(&mut self, now: Now) {
        for (_, chair) in self.chairs.iter_mut() {
            let due = chair.question.as_ref().is_some_and(|it| it.deadline <= now);
            if chair.sitter == Sitter::Person && due {
                let spent = chair.spent_by_person(now);
                chair.close(Answer::Fault(Fault::Late), spent);
            }
        }
    }

    /// Reads on in what `seat` said.
    fn hear(&mut self, seat: Seat, spent: Spent) {
        let mut talk = Talk::default();
        let chair = &mut self.chairs[seat];
        let read = chair.dialect.read(&chair.inbox, &mut talk);
        let verdict = match read {
            Read::More(n_bytes) => {
                drop_front(&mut chair.inbox, n_bytes);
                let waiting = chair.inbox.len();
                let why = format!(
                    "over {INBOX_BYTES_MAX} bytes without a whole answer, and no more may wait"
                );
                (waiting > INBOX_BYTES_MAX).then_some(Err(why.into()))
            }
            Read::Action(action, n_bytes) => {
                drop_front(&mut chair.inbox, n_bytes);
                Some(Ok(action))
            }
            Read::Garbled(why) => Some(Err(why)),
        };
        self.keep_remarks(seat, talk.remarks);
        // Replies to what was asked before the answer are owed in any case.
        self.send(seat, talk.replies, spent);
        match verdict {
            None => (),
            Some(Err(why)) => self.dismiss(seat, Fault::Garbled(why), spent),
            Some(Ok(action)) => {
                self.chairs[seat].owes = false;
                self.rest(seat, Answer::Action(action), spent);
            }
        }
    }

    /// The clock ran out. The process lives on; whether it is asked again is the game's to say.
    fn miss(&mut self, seat: Seat, fault: Fault, spent: Spent) {
        let chair = &mut self.chairs[seat];
        chair.dialect.missed();
        chair.owes = true;
        self.rest(seat, Answer::Fault(fault), spent);
    }

    /// Pauses a bot that has answered, or missed its time.
    fn rest(&mut self, seat: Seat, answer: Answer<G::Action>, spent: Spent) {
        let chair = &mut self.chairs[seat];
        let Some(question) = &mut chair.question else { return };
        let was_awake = std::mem::take(&mut chair.awake);
        if was_awake {
            self.effects.push_back(Effect::Rest(seat));
        }
        match D::AHEAD {
            Ahead::Keep => chair.close(answer, spent),
            // Its pipe is drained first, so that surplus output has one verdict.
            Ahead::Fault | Ahead::Drop => {
                question.resting = Some((answer, spent));
                if !was_awake {
                    self.rested(seat, &[]);
                }
            }
        }
    }

    fn rested(&mut self, seat: Seat, bytes: &[u8]) {
        let Some(chair) = self.bot(seat) else { return };
        let Some((answer, spent)) = chair.question.as_mut().and_then(|it| it.resting.take()) else {
            return;
        };
        chair.inbox.extend_from_slice(bytes);
        if chair.owes {
            // What came after the bell answers the question that was missed.
            let waiting = chair.inbox.len();
            chair.close(answer, spent);
            if waiting > INBOX_BYTES_MAX {
                chair.inbox.clear();
                chair.gone =
                    Some(Fault::Garbled("too much was said after the time was over".into()));
            }
            return;
        }
        let surplus = std::mem::take(&mut chair.inbox);
        let is_blank = |it: &&u8| matches!(it, b' ' | b'\t' | b'\r' | b'\n');
        let n_surplus = surplus.iter().filter(|it| !is_blank(it)).count();
        match D::AHEAD {
            Ahead::Fault if n_surplus > 0 => {
                let why = format!("{} more characters than the answer needs", told(n_surplus));
                self.dismiss(seat, Fault::Garbled(why.into()), spent);
            }
            Ahead::Drop if n_surplus > 0 => {
                chair.close(answer, spent);
                let n_bytes = told(surplus.len());
                let text = format!("{n_bytes} bytes more than the answer needs were dropped");
                self.keep_remarks(seat, vec![(RemarkKind::Warning, text.into())]);
            }
            Ahead::Keep | Ahead::Fault | Ahead::Drop => chair.close(answer, spent),
        }
    }

    /// Ends `seat`'s process: this question and all later ones are answered by `fault`.
    fn dismiss(&mut self, seat: Seat, fault: Fault, spent: Spent) {
        let chair = &mut self.chairs[seat];
        chair.awake = false;
        if std::mem::take(&mut chair.alive) {
            self.effects.push_back(Effect::Stop(seat));
        }
        chair.gone = Some(fault.clone());
        chair.close(Answer::Fault(fault), spent);
    }

    /// Plays plies while no question is open.
    fn settle(&mut self, now: Now) {
        while !self.over && self.chairs.iter().all(|(_, it)| it.question.is_none()) {
            let round = self.game.round();
            let (ply, spent) = self.collect();
            let remarks = self.script.pop_front().map(|it| it.remarks);
            let mut events = Vec::new();
            self.game.play(&ply, &mut events);
            self.store(Frame { ply, spent, remarks: remarks.unwrap_or_default() });
            if self.over {
                return;
            }
            let goes_on = matches!(self.game.turn(), Turn::Ask(_));
            if D::LIFETIME == Lifetime::Round && self.game.round() != round && goes_on {
                self.seat_all_anew();
            }
            self.tell(&events);
            self.ask(now);
        }
    }

    fn collect(&mut self) -> (Ply<G::Action>, PerSeat<Option<Spent>>) {
        let mut spent = PerSeat::new(self.chairs.n_seats(), |_| None);
        let ply = PerSeat::new(self.chairs.n_seats(), |seat| {
            let (answer, cost) = self.chairs[seat].answer.take()?;
            spent[seat] = Some(cost);
            Some(answer)
        });
        (ply, spent)
    }

    /// Goes over a ply of before of which no bot need hear.
    fn pass(&mut self, frame: Frame<G::Action>, events: &mut Vec<G::Event>) {
        if let Turn::Ask(asks) = self.game.turn() {
            for (seat, ask) in asks.iter() {
                let (Some(ask), Some(answer)) = (ask, &frame.ply[seat]) else { continue };
                let chair = &mut self.chairs[seat];
                chair.open(Duration::ZERO, ask);
                chair.close(answer.clone(), frame.spent[seat].unwrap_or_default());
                chair.answer = None;
            }
        }
        self.game.play(&frame.ply, events);
        self.store(frame);
    }

    fn store(&mut self, frame: Frame<G::Action>) {
        let Frame { ply, spent, remarks } = frame;
        self.record_bytes += json_bytes(&ply) + json_bytes(&spent);
        for it in remarks {
            self.record_bytes += json_bytes(&it);
            self.chairs[it.seat].keeps_remark(it.text.len());
            self.record.remarks.push(it);
        }
        let ply_no = self.record.plies.len() as u32;
        self.record.plies.push(ply);
        self.record.spent.push(spent);
        self.effects.push_back(Effect::Played(ply_no));
        if self.record_bytes > RECORD_BYTES_MAX {
            let (bytes, plies) = (self.record_bytes, self.record.plies.len());
            self.end(Effect::Void(Void::RecordFull { bytes, plies }));
        }
    }

    fn keep_remarks(
        &mut self,
        seat: Seat,
        remarks: Vec<(RemarkKind, std::borrow::Cow<'static, str>)>,
    ) {
        // What was said when it was first asked is kept, and not said twice.
        if !self.script.is_empty() {
            return;
        }
        let ply = self.record.plies.len() as u32;
        for (kind, text) in remarks {
            let (kept, first_dropped) = self.chairs[seat].keeps_remark(text.len());
            let remark = match (kept, first_dropped) {
                (true, _) => Remark { ply, seat, kind, text },
                (false, true) => {
                    let (kind, text) =
                        (RemarkKind::Warning, "what it said from here on was dropped".into());
                    Remark { ply, seat, kind, text }
                }
                (false, false) => continue,
            };
            self.record_bytes += json_bytes(&remark);
            self.record.remarks.push(remark);
        }
    }

    fn seat_all_anew(&mut self) {
        for seat in self.chairs.seats() {
            let chair = &mut self.chairs[seat];
            if chair.sitter == Sitter::Person {
                continue;
            }
            if chair.alive {
                self.effects.push_back(Effect::Stop(seat));
            }
            chair.seat_anew();
            self.effects.push_back(Effect::Start(seat));
        }
    }

    fn tell(&mut self, events: &[G::Event]) {
        for seat in self.chairs.seats() {
            let chair = &mut self.chairs[seat];
            if chair.sitter == Sitter::Person || !chair.alive {
                continue;
            }
            let mut out = Vec::new();
            for event in events.iter().filter(|it| self.game.hears(seat, it)) {
                chair.dialect.tell(seat, event, &mut out);
            }
            self.send(seat, out, Spent::default());
        }
    }

    fn ask(&mut self, now: Now) {
        let asks = match self.game.turn() {
            Turn::Ask(asks) => asks,
            Turn::Over(outcome) => return self.end(Effect::Over(outcome)),
        };
        if asks.iter().all(|(_, it)| it.is_none()) {
            let plies = self.record.plies.len();
            return self.end(Effect::Void(Void::NobodyAsked { plies }));
        }
        for (seat, ask) in asks.iter() {
            let Some(ask) = ask else { continue };
            let recorded = self
                .script
                .front()
                .and_then(|it| Some((it.ply[seat].clone()?, it.spent[seat].unwrap_or_default())));
            let chair = &mut self.chairs[seat];
            let left = chair.open(now, ask);
            chair.recorded = recorded.clone();
            if chair.sitter == Sitter::Person {
                if let Some((answer, spent)) = recorded {
                    chair.close(answer, spent);
                }
                continue;
            }
            if let Some(fault) = chair.gone.clone() {
                self.dismiss(seat, fault, Spent::default());
                continue;
            }
            if let Some((Answer::Fault(fault), spent)) = recorded {
                self.fail_again(seat, fault, spent);
                continue;
            }
            let mut out = Vec::new();
            chair.dialect.ask(seat, &self.game.view(Some(seat)), left, &mut out);
            self.send(seat, out, Spent::default());
            // What was written ahead may answer already, and costs nothing.
            if self.chairs[seat].question.is_some() && !self.chairs[seat].inbox.is_empty() {
                self.hear(seat, Spent::default());
            }
            let chair = &mut self.chairs[seat];
            if chair.question.as_ref().is_some_and(|it| it.resting.is_none()) {
                chair.awake = true;
                self.effects.push_back(Effect::Wake(seat, ask.starts));
            }
        }
    }

    /// A bot that failed at this question when the match was played before need not be asked it.
    fn fail_again(&mut self, seat: Seat, fault: Fault, spent: Spent) {
        match fault {
            Fault::Late | Fault::LateTotal => {
                self.chairs[seat].dialect.missed();
                self.chairs[seat].close(Answer::Fault(fault), spent);
            }
            Fault::Gone(_) | Fault::Garbled(_) => self.dismiss(seat, fault, spent),
        }
    }

    fn send(&mut self, seat: Seat, bytes: Vec<u8>, spent: Spent) {
        if bytes.is_empty() || !self.chairs[seat].alive {
            return;
        }
        let chair = &mut self.chairs[seat];
        chair.unwritten_bytes += bytes.len();
        if chair.unwritten_bytes > UNREAD_BYTES_MAX {
            return self.dismiss(seat, Fault::Gone(End::Unread), spent);
        }
        self.effects.push_back(Effect::Send(seat, bytes));
    }

    fn end(&mut self, last: Effect) {
        self.over = true;
        for (seat, chair) in self.chairs.iter_mut() {
            if chair.sitter == Sitter::Bot && std::mem::take(&mut chair.alive) {
                self.effects.push_back(Effect::Stop(seat));
            }
        }
        self.effects.push_back(last);
    }

    /// The chair of a bot whose process lives.
    fn bot(&mut self, seat: Seat) -> Option<&mut Chair<G, D>> {
        self.chairs.get(seat).filter(|it| it.sitter == Sitter::Bot && it.alive)?;
        Some(&mut self.chairs[seat])
    }
}

/// The first ply that the processes which now run were asked for; all are looked at.
fn last_lives_begin<G: Game, D: Dialect<G>>(
    mut game: G,
    frames: &[Frame<G::Action>],
) -> Result<usize, ReplayError> {
    let mut begin = 0;
    let mut events = Vec::new();
    for (ply_no, Frame { ply, spent, remarks }) in frames.iter().enumerate() {
        let round = game.round();
        events.clear();
        advance(&mut game, ply_no, ply, &mut events)?;
        let n_seats = ply.n_seats();
        let stray = remarks.iter().find(|it| usize::from(it.seat.0) >= n_seats);
        let found = stray.map_or(spent.n_seats(), |it| usize::from(it.seat.0) + 1);
        if found != n_seats {
            let (place, game, wanted) = ("what belongs to a ply", G::ID, n_seats);
            return Err(ReplayError::Seats { place, found, game, wanted });
        }
        let goes_on = matches!(game.turn(), Turn::Ask(_));
        if !goes_on || (D::LIFETIME == Lifetime::Round && game.round() != round) {
            begin = ply_no + 1;
        }
    }
    Ok(begin)
}

fn told(n_surplus: usize) -> String {
    match n_surplus > SURPLUS_TOLD_MAX {
        true => format!("over {SURPLUS_TOLD_MAX}"),
        false => n_surplus.to_string(),
    }
}

/// A dialect may not claim to have read more than there is.
pub(crate) fn drop_front(inbox: &mut Vec<u8>, n_bytes: usize) {
    inbox.drain(..n_bytes.min(inbox.len()));
}

/// How many bytes `value` takes in a record.
fn json_bytes(value: &impl serde::Serialize) -> usize {
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // A value that cannot be written is found when the record is; here it has no size.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}
