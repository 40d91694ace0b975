//! What one jail may use at most, and how a wish is held against a ceiling.

use serde::{Deserialize, Serialize};

/// The most that one jail may use of each thing.
///
/// The same shape serves as a wish (of the client) and as a ceiling (of the
/// launcher's [`Policy`](crate::Policy)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Memory of the whole jail: heaps, stacks, its temporary files, and the
    /// file pages it was the first to touch.
    pub memory_bytes_max: u64,
    /// Processes and threads together.
    pub processes_max: u64,
    /// Processor time, in hundredths of one core: 100 is one core.
    pub cpu_percent_max: u64,
    /// Open descriptors of one process.
    pub descriptors_max: u64,
    /// Size of any one file it writes.
    pub file_bytes_max: u64,
    /// Stack of the first thread.
    pub stack_bytes_max: u64,
    /// Bytes in `/tmp`; they count as memory as well.
    pub tmp_bytes_max: u64,
    /// Files and folders in `/tmp`.
    pub tmp_files_max: u64,
    /// Bytes in `/dev/shm`; they count as memory as well.
    pub shm_bytes_max: u64,
}

impl Limits {
    /// Every limit with its name and the least value that makes sense.
    pub(crate) fn each(&self) -> [(&'static str, u64, u64); 9] {
        [
            ("memory_bytes_max", self.memory_bytes_max, 1 << 20),
            ("processes_max", self.processes_max, 1),
            ("cpu_percent_max", self.cpu_percent_max, 1),
            ("descriptors_max", self.descriptors_max, 4),
            ("file_bytes_max", self.file_bytes_max, 4096),
            ("stack_bytes_max", self.stack_bytes_max, 128 << 10),
            ("tmp_bytes_max", self.tmp_bytes_max, 4096),
            ("tmp_files_max", self.tmp_files_max, 2),
            ("shm_bytes_max", self.shm_bytes_max, 4096),
        ]
    }
}
