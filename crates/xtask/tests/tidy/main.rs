//! Plants a fault of every kind in a sound tree, and sees tidy name it.

mod arrows;
mod sound;
mod texts;
mod versions;

use xtask::{
    tidy::{self, ARROWS},
    tree::Tree,
};

use crate::sound::{root, sound, wrong};

#[test]
fn the_tree_of_this_repository_is_tidy() {
    let tree = Tree::read(&root()).expect("the tree is readable");
    assert!(tree.packages.len() >= ARROWS.len() - 1, "found {} crates", tree.packages.len());
    let wrong: Vec<_> = wrong(&tree);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sound_tree_has_no_findings() {
    assert_eq!(tidy::check(&sound()), []);
}
