//! The end of a line that is a check.

use crate::dice::ast::Test;
use crate::dice::band::Band;
use crate::dice::explain::{push_nested, push_subtotal};
use crate::dice::print::print_node;
use crate::dice::roll::Verdict;
use crate::dice::text::push_int;

pub(super) fn push_verdict(out: &mut String, test: &Test, verdict: &Verdict, total: i64) {
    if let Test::Bands(bands) = test {
        out.push_str(", in the band ");
        if let Some(band) = Band::all(bands).find(|band| band.holds(total)) {
            out.push_str(&band.to_string());
        }
        return;
    }
    out.push(' ');
    out.push_str(&verdict.test);
    out.push(' ');
    match (test.node(), verdict.terms.as_slice()) {
        (Some(node), [term]) => {
            push_nested(out, node, term, false);
            push_subtotal(out, term);
        }
        (Some(node), _) => print_node(out, node),
        _ => {}
    }
    out.push_str(match verdict.success {
        Some(true) => ": success",
        _ => ": failure",
    });
    if let Some(margin) = verdict.margin {
        out.push_str(" by ");
        push_int(out, margin.abs());
    }
}
