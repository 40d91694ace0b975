//! The loop of a match: ask, hear, judge, play, until it is over.

mod keep;
mod resume;

use std::{collections::VecDeque, time::Duration};

use game::{
    Ahead, Answer, Dialect, End, Fault, Game, Illegal, Lifetime, PerSeat, Ply, Read, RemarkKind,
    Seat, Sitter, Talk, Turn,
};

use crate::{
    Effect, Frame, INBOX_BYTES_MAX, Input, Now, Record, Spent, UNREAD_BYTES_MAX, Void, chair::Chair,
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
            Input::Act { seat, action, log } => self.act(now, seat, action, log),
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

    /// Arguments that every bot's program is started with.
    pub fn arguments(&self) -> Vec<String> {
        D::arguments(&self.record.setup)
    }

    /// The position.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What is to be stored.
    pub fn record(&self) -> &Record<G> {
        &self.record
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

    fn act(&mut self, now: Now, seat: Seat, action: G::Action, log: Vec<String>) {
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
            Ok(()) => {
                let log = log.into_iter().map(|it| (RemarkKind::Log, it.into()));
                self.keep_remarks(seat, log.collect());
                self.chairs[seat].close(Answer::Action(action), spent);
            }
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
        // What came after the bell answers the question that was missed, as far as it owes that.
        let n_owed = if chair.owes { chair.dialect.owes(&chair.inbox) } else { 0 };
        let n_owed = n_owed.min(chair.inbox.len());
        let surplus = chair.inbox.split_off(n_owed);
        if n_owed > INBOX_BYTES_MAX {
            chair.inbox.clear();
            chair.close(answer, spent);
            chair.gone = Some(Fault::Garbled("too much was said after the time was over".into()));
            return;
        }
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
            let failed = recorded.and_then(|(answer, spent)| match answer {
                Answer::Fault(fault) => Some((fault, spent)),
                Answer::Action(_) => None,
            });
            if let Some((fault @ (Fault::Gone(_) | Fault::Garbled(_)), spent)) = failed {
                self.dismiss(seat, fault, spent);
                continue;
            }
            let mut out = Vec::new();
            chair.dialect.ask(seat, &self.game.view(Some(seat)), left, &mut out);
            self.send(seat, out, Spent::default());
            if let Some((fault, spent)) = failed {
                self.miss_again(seat, fault, spent);
                continue;
            }
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
