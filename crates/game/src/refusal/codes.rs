//! How a list of codes becomes [`Code`](super::Code): a variant each, with its name in replies and its page.

macro_rules! codes {
    ($($(#[doc = $line:literal])+ $name:ident = $code:literal;)*) => {
        /// Why a call was refused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Code {
            $($(#[doc = $line])+ #[serde(rename = $code)] $name,)*
        }

        impl Code {
            /// Every code, in the order of this file.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// The name in replies and playtests, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// What it means and what to do: a title and a text, as Markdown.
            pub const fn page(self) -> &'static str {
                match self { $(Code::$name => concat!("#", $($line, "\n"),+),)* }
            }
        }
    };
}

pub(super) use codes;
