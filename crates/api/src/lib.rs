//! Every CRD and wire type of Flux: data, no behaviour beyond defaults; the generated CRDs live here.
