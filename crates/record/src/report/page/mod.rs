//! A document as a file: HTML or Markdown. Everything that is text in it is escaped here.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`markup`]: tags and text.
//! 2. [`draw`]: charts and codes as SVG.
//! 3. [`html`]: the page.
//! 4. [`markdown`]: the same for a chat or a wiki.

mod draw;
pub mod html;
pub mod markdown;
mod markup;
