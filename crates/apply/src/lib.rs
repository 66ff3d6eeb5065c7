//! Desired objects to plan to staged server-side apply, drift, prune, wait and inventory.
