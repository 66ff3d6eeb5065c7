//! Sources: from a remote to a verified artifact in storage.
