//! Plain-English dice: one tool, one sentence, an audit trail.
