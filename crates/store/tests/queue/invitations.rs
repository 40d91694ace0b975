//! Invitations: answered once, and a match when all have accepted.

use std::time::Duration;

use store::{
    Accepted, InvitationError, InvitationState, NewMatch, NewSeat, Notice, Store, testing,
};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{kit::*, people::by_hand};

const DAY: Duration = Duration::from_secs(86_400);

struct Fixture {
    store: Store,
    maker: Uuid,
    guest: Uuid,
    new: NewMatch,
}

async fn fixture() -> Fixture {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let (maker, guest) = (testing::account(&store).await, testing::account(&store).await);
    let seats = vec![NewSeat::Person { account: maker }, NewSeat::Person { account: guest }];
    let preset = Some("mazes/small".to_owned());
    let new = NewMatch { seats: seats.into(), preset, ..by_hand(one, maker) };
    Fixture { store, maker, guest, new }
}

fn rules_of(game: &str) -> Option<u32> {
    (game == GAME).then_some(1)
}

async fn state(store: &Store, account: Uuid) -> Vec<(InvitationState, Option<Uuid>)> {
    let all = store.invitations_of(account).await.unwrap();
    all.into_iter().map(|it| (it.state, it.match_id)).collect()
}

/// What was noted of an invitation: which act, and whose.
async fn acts(store: &Store, id: Uuid) -> Vec<(String, Option<Uuid>)> {
    let all = testing::acts(store, &id.to_string()).await;
    all.into_iter().map(|it| (it.0, it.1)).collect()
}

#[tokio::test]
async fn the_last_to_accept_begins_the_match() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let mut news = store.notices();
    let id = store.invite(&new, maker, 5, DAY).await.unwrap();
    assert_eq!(store.calls_for(guest).await.unwrap(), 1);
    assert_eq!(store.calls_for(maker).await.unwrap(), 0);
    assert!(queued(&store).await.is_empty(), "there is no match yet");
    let own = store.accept_invitation(id, maker, 5, rules_of).await.unwrap();
    assert_eq!(own, Accepted::Waits, "who invites has accepted from the start");
    let came_to = store.accept_invitation(id, guest, 5, rules_of).await.unwrap();
    let Accepted::Match(match_id) = came_to else { panic!("{came_to:?}") };
    let page = store.match_page(match_id).await.unwrap().unwrap();
    assert!(page.row.seat_of(maker).is_some() && page.row.seat_of(guest).is_some());
    assert!(!page.row.rated);
    assert_eq!(page.preset, new.preset, "it is on the set-up that was chosen");
    let noted = [("make", maker), ("accept", maker), ("accept", guest)];
    assert_eq!(
        acts(&store, id).await,
        noted.map(|(act, who)| (format!("invitation.{act}"), Some(who)))
    );
    for account in [maker, guest] {
        let accepted = (InvitationState::Accepted, Some(match_id));
        assert_eq!(state(&store, account).await, [accepted]);
        assert_eq!(store.matches_to_play(account).await.unwrap(), [match_id]);
    }
    let again = store.accept_invitation(id, guest, 5, rules_of).await;
    assert!(matches!(again, Err(InvitationError::Over("accepted"))));
    let mut told = Vec::new();
    while let Ok(Ok(heard)) = timeout(Duration::from_millis(300), news.recv()).await {
        if let Notice::Invitation(account) = heard {
            told.push(account);
        }
    }
    assert!(told.contains(&maker) && told.contains(&guest));
}

#[tokio::test]
async fn one_who_declines_ends_it_for_all_and_only_its_maker_takes_it_back() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let stranger = testing::account(&store).await;
    let id = store.invite(&new, maker, 5, DAY).await.unwrap();
    for refused in [
        store.accept_invitation(id, stranger, 5, rules_of).await.map(drop),
        store.decline_invitation(id, stranger).await,
        store.decline_invitation(id, maker).await,
        store.withdraw_invitation(id, guest).await,
        store.withdraw_invitation(Uuid::nil(), maker).await,
    ] {
        assert!(matches!(refused, Err(InvitationError::Unknown)), "{refused:?}");
    }
    store.decline_invitation(id, guest).await.unwrap();
    assert_eq!(state(&store, maker).await, [(InvitationState::Declined, None)]);
    let noted = [("invitation.make", Some(maker)), ("invitation.decline", Some(guest))];
    assert_eq!(acts(&store, id).await, noted.map(|(act, who)| (act.to_owned(), who)));
    let late = store.accept_invitation(id, guest, 5, rules_of).await;
    assert!(matches!(late, Err(InvitationError::Over("declined"))));

    let id = store.invite(&new, maker, 5, DAY).await.unwrap();
    store.withdraw_invitation(id, maker).await.unwrap();
    let noted = [("invitation.make", Some(maker)), ("invitation.withdraw", Some(maker))];
    assert_eq!(acts(&store, id).await, noted.map(|(act, who)| (act.to_owned(), who)));
    let late = store.accept_invitation(id, guest, 5, rules_of).await;
    assert!(matches!(late, Err(InvitationError::Over("withdrawn"))));
    assert_eq!(store.calls_for(guest).await.unwrap(), 0);
    assert!(queued(&store).await.is_empty());
}

#[tokio::test]
async fn an_invitation_that_nobody_answers_expires() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let id = store.invite(&new, maker, 5, Duration::from_millis(20)).await.unwrap();
    let other = store.invite(&new, maker, 5, DAY).await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    let late = store.accept_invitation(id, guest, 5, rules_of).await;
    assert!(matches!(late, Err(InvitationError::Over("expired"))));
    assert_eq!(store.calls_for(guest).await.unwrap(), 1);
    // What was refused above may hold the invitation until its transaction is rolled back.
    let mut n_expired = 0;
    for _ in 0..100 {
        n_expired += store.expire_invitations().await.unwrap();
        if n_expired > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(n_expired, 1);
    assert_eq!(store.expire_invitations().await.unwrap(), 0);
    let noted = [("invitation.make", Some(maker)), ("invitation.expire", None)];
    assert_eq!(acts(&store, id).await, noted.map(|(act, who)| (act.to_owned(), who)));
    let all = store.invitations_of(guest).await.unwrap();
    let found = |id| all.iter().find(|it| it.id == id).map(|it| it.state);
    assert_eq!(found(id), Some(InvitationState::Expired));
    assert_eq!(found(other), Some(InvitationState::Open));
}

#[tokio::test]
async fn so_many_invitations_are_open_and_so_many_matches_come_of_them() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let first = store.invite(&new, maker, 2, DAY).await.unwrap();
    let second = store.invite(&new, maker, 2, DAY).await.unwrap();
    let refused = store.invite(&new, maker, 2, DAY).await;
    assert!(matches!(refused, Err(InvitationError::TooMany { found: 2 })));
    store.accept_invitation(first, guest, 1, rules_of).await.unwrap();
    let busy = store.accept_invitation(second, guest, 1, rules_of).await;
    assert!(matches!(busy, Err(InvitationError::MakerBusy)));
    let all = store.invitations_of(guest).await.unwrap();
    let open = all.iter().find(|it| it.id == second).unwrap();
    assert_eq!(open.state, InvitationState::Open, "it can be accepted later");
    assert!(open.seats.iter().any(|it| it.account == Some(guest) && !it.accepted));
}

#[tokio::test]
async fn an_invitation_by_other_rules_is_not_accepted() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let id = store.invite(&new, maker, 5, DAY).await.unwrap();
    for rules in [None, Some(2)] {
        let refused = store.accept_invitation(id, guest, 5, |_| rules).await;
        assert!(matches!(refused, Err(InvitationError::OtherRules)), "{rules:?}");
    }
    assert_eq!(state(&store, guest).await, [(InvitationState::Open, None)]);
    assert!(queued(&store).await.is_empty());
    store.accept_invitation(id, guest, 5, rules_of).await.unwrap();
}

#[tokio::test]
async fn those_who_accept_at_once_do_not_pass_the_limit_together() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let first = store.invite(&new, maker, 9, DAY).await.unwrap();
    let second = store.invite(&new, maker, 9, DAY).await.unwrap();
    let accept = |id| store.accept_invitation(id, guest, 1, rules_of);
    let (one, other) = tokio::join!(accept(first), accept(second));
    let n_matches = [one, other].iter().filter(|it| matches!(it, Ok(Accepted::Match(_)))).count();
    assert_eq!(n_matches, 1);
}
