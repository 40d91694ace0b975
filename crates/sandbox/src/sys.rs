//! The kernel's calls that no library of ours offers, each behind one safe function.
