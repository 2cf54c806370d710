//! JUnit's XML, which every build server reads: a suite a file, a case a playtest.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::Report;
use crate::diagnostic::render;

/// The whole report.
///
/// # Errors
/// When the XML cannot be written, in words.
pub fn junit(report: &Report<'_>) -> Result<String, String> {
    let mut whole = quick_junit::Report::new("rollbook");
    let mut suites: Vec<TestSuite> = Vec::new();
    for one in report.played {
        let place = report.sources.place(one.span);
        let status = match one.failures.first() {
            None => TestCaseStatus::success(),
            Some(first) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let all: Vec<_> = one.failures.iter().map(|failure| failure.diagnostic.clone()).collect();
                status.set_message(first.diagnostic.message.as_str()).set_type(first.diagnostic.code);
                status.set_description(render::human(&all, report.sources, false));
                status
            }
        };
        let mut case = TestCase::new(one.name.as_str(), status);
        case.set_classname(place.file.as_str()).set_time(one.took);
        case.extra.insert("file".into(), place.file.as_str().into());
        case.extra.insert("line".into(), place.line.to_string().into());
        match suites.last_mut().filter(|suite| suite.name.as_str() == place.file) {
            Some(suite) => drop(suite.add_test_case(case)),
            None => {
                let mut suite = TestSuite::new(place.file.as_str());
                suite.add_test_case(case);
                suites.push(suite);
            }
        }
    }
    whole.add_test_suites(suites);
    whole.to_string().map_err(|error| error.to_string())
}
