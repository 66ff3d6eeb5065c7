//! Flux CD in one binary: the command line, every controller and the image.
