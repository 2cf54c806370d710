//! How fast dice are read, rolled and reckoned.

use criterion::{Criterion, criterion_group, criterion_main};
use rollbook_dice::{OsRoller, parse, read};
use std::hint::black_box;

/// Parse and roll with the full record, as a call does.
fn roll(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("roll");
    for text in [
        "1d20+5",
        "4d6kh3",
        "100d6!",
        "2d6+1d4+5",
        "1d20+5 vs 15",
        "repeat(4d6kh3, 6)",
    ] {
        let mut roller = OsRoller::new();
        group.bench_function(text, |bencher| {
            bencher.iter(|| parse(black_box(text)).unwrap().roll(&mut roller).unwrap());
        });
    }
    group.finish();
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    for text in [
        "1d20+5",
        "roll a d20 with advantage and a +3 modifier",
        "2d20 adv",
    ] {
        group.bench_function(text, |bencher| {
            bencher.iter(|| read(black_box(text)).is_ok())
        });
    }
    group.finish();
}

fn odds(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("odds");
    group.sample_size(20);
    for text in [
        "4d6kh3",
        "20d6kh10",
        "100d20kh50",
        "100d6!",
        "10d10!kh3",
        "1000d6",
        "1000d20",
        "100d1000",
        "500d6+500d8",
    ] {
        let expression = parse(text).unwrap();
        group.bench_function(text, |bencher| {
            bencher.iter(|| black_box(&expression).odds().unwrap())
        });
    }
    group.finish();
}

fn hostile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hostile");
    group.sample_size(20);
    let texts = [
        ("1000d100!r<99", "1000d100!r<99".to_owned()),
        ("10000 characters", "1+".repeat(5000)),
        ("1000 parentheses", "(".repeat(1000)),
        ("10^30", "1000000000000000000000000000000".to_owned()),
        ("511 bytes of d6", "d6+".repeat(170) + "1"),
        ("1000d1000", "1000d1000".to_owned()),
    ];
    for (name, text) in texts {
        let mut roller = OsRoller::new();
        group.bench_function(name, |bencher| {
            bencher.iter(|| read(black_box(&text)).map(|expression| expression.roll(&mut roller)));
        });
    }
    group.finish();
}

/// Odds that would take too long: how soon that is known.
fn refused(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("refused odds");
    group.sample_size(20);
    for text in [
        "1d1000 * 1d1000 * 1d1000",
        "200d20kh100min5!",
        "1000d1000",
        "20d20!pkh10",
        "500d100!kh250",
        "300d6!okh100",
        "1000d6!okh500",
        "1000d1000kh500",
        "{9d100, 9d100, 9d100, 9d100, 9d100, 9d100}kh4",
    ] {
        let expression = parse(text).unwrap();
        group.bench_function(text, |bencher| {
            bencher.iter(|| assert!(black_box(&expression).odds().is_err(), "{text}"));
        });
    }
    group.finish();
}

criterion_group!(benches, roll, reading, odds, hostile, refused);
criterion_main!(benches);
