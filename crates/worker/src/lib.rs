//! Takes jobs, runs them, reports.
