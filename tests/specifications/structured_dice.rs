//! The structured dice server: parameters in, every die out.
