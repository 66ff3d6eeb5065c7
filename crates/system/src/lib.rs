//! The clock and the file system as values: `Clock`, and files whose errors name the path.
