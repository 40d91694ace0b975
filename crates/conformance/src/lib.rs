//! Laws every game keeps, as a test kit.
