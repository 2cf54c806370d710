//! Statements that run one after the other: in SQLite in few trips to its thread, on a server one at a time.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use super::connection::{Connection, Query};

/// Statements of one trip at most: each text of several is prepared and kept for itself.
const TOGETHER: usize = 16;

/// Statements in their order.
#[derive(Default)]
pub struct Script {
    statements: Vec<Query>,
}

impl Script {
    /// Adds the next statement.
    pub fn push(&mut self, statement: Query) {
        self.statements.push(statement);
    }

    /// Runs them up to the first that fails.
    pub async fn run(self, connection: &mut Connection) -> Result<(), sqlx::Error> {
        let statements = match connection {
            Connection::Sqlite(_) => self.in_trips(),
            Connection::Postgres(_) => self.statements,
        };
        for statement in statements {
            statement.execute(connection).await?;
        }
        Ok(())
    }

    /// The statements as few that SQLite runs in a trip each.
    pub fn in_trips(self) -> Vec<Query> {
        let (mut rest, mut trips) = (self.statements.into_iter(), Vec::new());
        while let Some(first) = rest.next() {
            trips.push(joined(first, rest.by_ref().take(TOGETHER - 1)));
        }
        trips
    }
}

/// Several statements as one, whose parameters are numbered on.
fn joined(first: Query, others: impl Iterator<Item = Query>) -> Query {
    let mut others = others.peekable();
    if others.peek().is_none() {
        return first;
    }
    let (mut sql, mut values) = (first.sql.as_str().to_owned(), first.values);
    for mut other in others {
        sql.push_str(";\n");
        renumber(other.sql.as_str(), values.len(), &mut sql);
        values.append(&mut other.values);
    }
    // Put together of statements of this program.
    Query { sql: AssertSqlSafe(sql).into_sql_str(), values }
}

/// Writes a statement with `by` added to the numbers of its parameters.
fn renumber(sql: &str, by: usize, to: &mut String) {
    let mut parts = sql.split('$');
    to.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        match part.strip_suffix(rest).map(str::parse::<usize>) {
            Some(Ok(number)) => {
                let _ = write!(to, "${}{rest}", number + by);
            }
            Some(Err(_)) | None => {
                to.push('$');
                to.push_str(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{AssertSqlSafe, ConnectOptions as _};

    use super::{Script, renumber};
    use crate::sql::connection::{Connection, query};

    #[test]
    fn parameters_are_numbered_on() {
        let mut text = String::new();
        renumber("insert into t values ($1, $10), ('$.a') where $2", 14, &mut text);
        assert_eq!(text, "insert into t values ($15, $24), ('$.a') where $16");
    }

    #[tokio::test]
    async fn every_statement_takes_its_own_values_and_the_first_that_fails_ends_it() {
        let memory = SqliteConnectOptions::new().in_memory(true).connect().await.unwrap();
        let mut connection = Connection::Sqlite(memory);
        query("create table t (a integer primary key, b text)").execute(&mut connection).await.unwrap();
        for many in [1, 15, 16, 17, 40] {
            let mut script = Script::default();
            query("delete from t").execute(&mut connection).await.unwrap();
            for nth in 0..many {
                script.push(query("insert into t values ($1, $2)").bind(i64::from(nth)).bind(format!("row {nth}")));
            }
            script.run(&mut connection).await.unwrap();
            let all = query("select a, b from t order by a").fetch_all(&mut connection).await.unwrap();
            let all: Vec<(i64, String)> =
                all.iter().map(|row| (row.try_get("a").unwrap(), row.try_get("b").unwrap())).collect();
            assert_eq!(all, (0..many).map(|nth| (i64::from(nth), format!("row {nth}"))).collect::<Vec<_>>());
        }
        let mut script = Script::default();
        for a in [100i64, 0, 101] {
            script.push(query(AssertSqlSafe("insert into t values ($1, 'x')".to_owned())).bind(a));
        }
        assert!(script.run(&mut connection).await.unwrap_err().to_string().contains("UNIQUE"));
        let all = query("select a from t where a >= 100").fetch_all(&mut connection).await.unwrap();
        assert_eq!(all.iter().map(|row| row.try_get("a").unwrap()).collect::<Vec<i64>>(), [100]);
    }
}
