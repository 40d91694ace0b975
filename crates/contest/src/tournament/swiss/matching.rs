//! Pairings where going down the list does not do: a matching of the greatest weight.

use std::convert::Infallible;

use rustworkx_core::{max_weight_matching::max_weight_matching, petgraph::graph::UnGraph};

use super::{Round, seats::Strength};
use crate::chance::Chance;

/// As many pairs as can be. Of these pairings the one in which the fewest meet again, scores are
/// nearest, seats clash least and upper meets lower half most nearly.
pub(super) fn pairs(round: &Round<'_>, nodes: &[usize], may_meet_again: bool) -> Vec<[usize; 2]> {
    let mut graph: UnGraph<usize, i128> = UnGraph::new_undirected();
    let indices: Vec<_> = nodes.iter().map(|it| graph.add_node(*it)).collect();
    for at in 0..nodes.len() {
        for other in at + 1..nodes.len() {
            let may_meet = round.may_meet(nodes[at], nodes[other]);
            if may_meet || may_meet_again {
                let weight = weight(round, nodes, at, other, may_meet);
                graph.add_edge(indices[at], indices[other], weight);
            }
        }
    }
    let found = max_weight_matching(&graph, true, |it| Ok::<_, Infallible>(*it.weight()), false);
    let Ok(found) = found;
    let mut pairs: Vec<[usize; 2]> =
        found.into_iter().map(|it| [nodes[it.0.min(it.1)], nodes[it.0.max(it.1)]]).collect();
    pairs.sort_unstable();
    pairs
}

/// Each part has room for the sum over all pairs of the part below it, up to 2,000 entrants. The
/// last is a lot: with it two pairings hardly ever weigh the same, so that the answer does not
/// depend on how the matching is found.
fn weight(round: &Round<'_>, nodes: &[usize], at: usize, other: usize, may_meet: bool) -> i128 {
    let (one, two) = (nodes[at], nodes[other]);
    let [one_player, two_player] = [one, two].map(|it| &round.players[it]);
    let apart = i128::from(one_player.group.abs_diff(two_player.group));
    let clash = match round.clash(one, two) {
        Strength::None => 0,
        Strength::Mild => 1,
        Strength::Strong => 2,
        Strength::Absolute => 4,
    };
    let off_half = (other - at).abs_diff(nodes.len() / 2) as i128;
    let salt = (one_player.no as u64) << 32 | two_player.no as u64;
    let lot = Chance::new(round.seed ^ salt).next() >> 34;
    let cost = (i128::from(!may_meet) << 108)
        + ((apart * apart) << 75)
        + (clash << 62)
        + (off_half << 40)
        + i128::from(lot);
    (1 << 110) - cost
}
