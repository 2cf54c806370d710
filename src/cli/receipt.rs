//! `rollbook receipt`: what a player keeps, so that the log up to here can be proven later.

use anstyle::AnsiColor;
use clap::Args;
use qrcodegen::{QrCode, QrCodeEcc};
use serde_json::json;

use crate::cli::args::CampaignArgs;
use crate::cli::output::{Done, Failed, answer, print, reason};
use rollbook_store::{Reader, StoreError};
use rollbook_text::names::shortened;
use rollbook_text::terminal::Colour;

const MARGIN: i32 = 4; // Modules around a code that stay light, so that a camera finds it
const NAME_MAX: usize = 60;

/// Print the receipt of a campaign's last entry, to be kept.
///
/// A player who keeps it outside can prove later what was written up to there: with
/// `rollbook verify --receipt`, or with the page that `rollbook verifier` writes. Nothing is
/// written to the log.
#[derive(Debug, Args)]
pub struct Receipt {
    #[command(flatten)]
    of: CampaignArgs,
    /// Draw it as a QR code for a phone's camera.
    #[arg(long, conflicts_with = "json")]
    qr: bool,
    /// Answer with JSON.
    #[arg(long)]
    json: bool,
}

impl Receipt {
    pub(super) async fn run(self) -> Result<Done, Failed> {
        let database = self.of.database.to_read()?;
        let mut reader = Reader::open(&database).await.map_err(reason)?;
        let read = async {
            let (name, identity) = reader.meant(self.of.campaign.as_deref()).await?;
            Ok::<_, StoreError>((name, reader.head(identity.key).await?))
        };
        let read = read.await;
        let (name, head) = reader.close().await.and(read).map_err(reason)?;
        if head.seq == 0 {
            return Err(format!(
                "nothing is written in {name} yet, so there is no receipt"
            ));
        }
        let receipt = head.receipt();
        if self.json {
            return answer(&format!(
                "{}\n",
                json!({"campaign": name, "entry": head.seq, "receipt": receipt})
            ));
        }
        if self.qr {
            let text = format!("{} {receipt}", shortened(&name, NAME_MAX));
            let code = QrCode::encode_text(&text, QrCodeEcc::Medium);
            print(&drawn(&code.map_err(|error| {
                format!("a QR code cannot be drawn: {error}")
            })?))?;
        }
        answer(&format!("{receipt}\n"))
    }
}

/// Two rows of modules a line. A terminal may be dark or light, so both colours are set.
fn drawn(code: &QrCode) -> String {
    let size = code.size() + MARGIN;
    let white = Colour(AnsiColor::Black.on(AnsiColor::White));
    let mut text = String::new();
    for y in (-MARGIN..size).step_by(2) {
        text.push_str(&white.to_string());
        for x in -MARGIN..size {
            text.push(match (code.get_module(x, y), code.get_module(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        text.push_str(&format!("{white:#}\n"));
    }
    text
}

#[test]
fn a_code_is_as_wide_as_it_is_high_and_has_a_light_margin() {
    use anstream::adapter::strip_str;
    use rollbook_text::terminal::harmless;

    let code =
        QrCode::encode_text("lockhouse #128 9f3c21d07a44b81e6d05", QrCodeEcc::Medium).unwrap();
    let text = drawn(&code);
    let lines: Vec<String> = harmless(&text)
        .lines()
        .map(|line| strip_str(line).to_string())
        .collect();
    let wide = usize::try_from(code.size()).unwrap() + 8;
    assert_eq!(
        (lines.len(), wide),
        (wide.div_ceil(2), lines[0].chars().count())
    );
    assert!(
        lines[..2].iter().all(|line| line.trim().is_empty()),
        "{text}"
    );
    // The top left finder, seven modules wide.
    assert!(lines[2].starts_with("    █▀▀▀▀▀█ "), "{text}");
}
