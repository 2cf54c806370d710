//! Numbers as text, without the cost of the formatting machinery.

/// Appends the decimal digits of `value`.
pub(crate) fn push_int(out: &mut String, value: i64) {
    if value < 0 {
        out.push('-');
    }
    let mut rest = value.unsigned_abs();
    if rest < 10 {
        out.push(digit(rest));
        return;
    }
    let mut digits = ['0'; 20];
    let mut used = 0;
    for slot in &mut digits {
        *slot = digit(rest % 10);
        used += 1;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits.iter().take(used).rev());
}

fn digit(value: u64) -> char {
    char::from(b'0' + (value % 10) as u8)
}

/// Appends the values with commas between.
pub(crate) fn push_list(out: &mut String, values: impl IntoIterator<Item = i64>) {
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_int(out, value);
    }
}
