//! What server and workers say to each other.
