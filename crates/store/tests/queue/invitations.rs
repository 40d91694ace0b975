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
    let new = NewMatch { seats: seats.into(), ..by_hand(one, maker) };
    Fixture { store, maker, guest, new }
}

async fn state(store: &Store, account: Uuid) -> Vec<(InvitationState, Option<Uuid>)> {
    let all = store.invitations_of(account).await.unwrap();
    all.into_iter().map(|it| (it.state, it.match_id)).collect()
}

#[tokio::test]
async fn the_last_to_accept_begins_the_match() {
    let Fixture { store, maker, guest, new } = fixture().await;
    let mut news = store.notices();
    let id = store.invite(&new, maker, 5, DAY).await.unwrap();
    assert_eq!(store.calls_for(guest).await.unwrap(), 1);
    assert_eq!(store.calls_for(maker).await.unwrap(), 0);
    assert!(queued(&store).await.is_empty(), "there is no match yet");
    let own = store.accept_invitation(id, maker, 5).await.unwrap();
    assert_eq!(own, Accepted::Waits, "who invites has accepted from the start");
    let came_to = store.accept_invitation(id, guest, 5).await.unwrap();
    let Accepted::Match(match_id) = came_to else { panic!("{came_to:?}") };
    let page = store.match_page(match_id).await.unwrap().unwrap();
    assert!(page.row.seat_of(maker).is_some() && page.row.seat_of(guest).is_some());
    assert!(!page.row.rated);
    for account in [maker, guest] {
        let accepted = (InvitationState::Accepted, Some(match_id));
        assert_eq!(state(&store, account).await, [accepted]);
        assert_eq!(store.matches_to_play(account).await.unwrap(), [match_id]);
    }
    let again = store.accept_invitation(id, guest, 5).await;
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
        store.accept_invitation(id, stranger, 5).await.map(drop),
        store.decline_invitation(id, stranger).await,
        store.decline_invitation(id, maker).await,
        store.withdraw_invitation(id, guest).await,
        store.withdraw_invitation(Uuid::nil(), maker).await,
    ] {
        assert!(matches!(refused, Err(InvitationError::Unknown)), "{refused:?}");
    }
    store.decline_invitation(id, guest).await.unwrap();
    assert_eq!(state(&store, maker).await, [(InvitationState::Declined, None)]);
    let late = store.accept_invitation(id, guest, 5).await;
    assert!(matches!(late, Err(InvitationError::Over("declined"))));

    let id = store.invite(&new, maker, 5, DAY).await.unwrap();
    store.withdraw_invitation(id, maker).await.unwrap();
    let late = store.accept_invitation(id, guest, 5).await;
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
    let late = store.accept_invitation(id, guest, 5).await;
    assert!(matches!(late, Err(InvitationError::Over("expired"))));
    assert_eq!(store.calls_for(guest).await.unwrap(), 1);
    assert_eq!(store.expire_invitations().await.unwrap(), 1);
    assert_eq!(store.expire_invitations().await.unwrap(), 0);
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
    store.accept_invitation(first, guest, 1).await.unwrap();
    let busy = store.accept_invitation(second, guest, 1).await;
    assert!(matches!(busy, Err(InvitationError::MakerBusy)));
    let all = store.invitations_of(guest).await.unwrap();
    let open = all.iter().find(|it| it.id == second).unwrap();
    assert_eq!(open.state, InvitationState::Open, "it can be accepted later");
    assert!(open.seats.iter().any(|it| it.account == Some(guest) && !it.accepted));
}
