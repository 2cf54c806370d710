//! The statements of `migrations/`, as the store gets them.

use rollbook_store::migrations::{Migrations, Step, Steps};

macro_rules! schema {
    ($backend:literal) => {
        Steps(&[Step {
            description: "schema",
            sql: concat!(
                include_str!(concat!("../migrations/", $backend, "/0001_schema.sql")),
                "\n",
                include_str!("../migrations/dictionary.sql")
            ),
        }])
    };
}

pub const MIGRATIONS: Migrations = Migrations {
    sqlite: schema!("sqlite"),
    postgres: schema!("postgres"),
};
