//! The page that checks players' copies in a browser: one file, which fetches nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use rollbook_store::chain::sha256;

const PAGE: &str = include_str!("verifier/page.html");
const STYLE: &str = include_str!("verifier/page.css");

/// Each uses only what stands before it.
const SCRIPTS: [&str; 8] = [
    include_str!("verifier/hash.js"),
    include_str!("verifier/json.js"),
    include_str!("verifier/csv.js"),
    include_str!("verifier/order.js"),
    include_str!("verifier/lines.js"),
    include_str!("verifier/copy.js"),
    include_str!("verifier/total.js"),
    include_str!("verifier/page.js"),
];

/// The page. Its policy lets a browser run this script and style alone, and reach no address.
pub fn page() -> String {
    let style = format!("\n{STYLE}");
    let script = format!(
        "\n\"use strict\";\n(() => {{\n{}}})();\n",
        SCRIPTS.join("\n")
    );
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(sha256(text.as_bytes())));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    PAGE.replace("{policy}", &policy)
        .replace("{style}", &style)
        .replace("{script}", &script)
}

/// The page's SHA-256, in hex: by it a page is known wherever it came from.
pub fn page_digest() -> String {
    base16ct::lower::encode_string(&sha256(page().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{page, page_digest};

    #[test]
    fn the_documents_name_the_digest_of_the_page() {
        let documents = include_str!("../../../../docs/log.md");
        assert!(
            documents.contains(&page_digest()),
            "docs/log.md has to name {}",
            page_digest()
        );
    }

    #[test]
    fn the_page_is_whole_and_reaches_nowhere() {
        let page = page();
        assert!(
            page.contains("async function checkCopy(") && page.contains("'sha256-"),
            "{page}"
        );
        for reach in [
            "http:",
            "https:",
            "src=",
            "href=",
            "import(",
            "fetch(",
            "XMLHttpRequest",
            "innerHTML",
            "{script}",
            "{policy}",
        ] {
            assert!(!page.contains(reach), "{reach}");
        }
        assert_eq!(
            (
                page.matches("<script>").count(),
                page.matches("</script>").count()
            ),
            (1, 1)
        );
    }
}
