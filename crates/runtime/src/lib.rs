//! What every controller does the same way: flags, watches, queue, leader, secrets, access and the one reporter.
