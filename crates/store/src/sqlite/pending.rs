//! What the calls of a commit are to write. It is kept until their commit, or until it has to be read, and is then written with few
//! trips to SQLite's thread: the next call need not wait for it.

use crate::StoreError;
use crate::sql::connection::{Connection, Query, query};
use crate::sql::script::Script;

const TOGETHER: usize = 8;

/// Bytes that are kept at most, of all calls.
const BYTES_MAX: usize = 1024 * 1024;

/// What calls are to write, and which could not.
#[derive(Default)]
pub struct Pending {
    calls: Vec<Call>,
    bytes: usize,
    /// The number of each call that could not be written, and why; nothing of it was.
    failed: Vec<(usize, StoreError)>,
    count: usize,
}

struct Call {
    nth: usize,
    campaign: i64,
    statements: Vec<Query>,
}

impl Pending {
    pub fn add(&mut self, campaign: i64, statements: Vec<Query>) -> usize {
        let nth = self.count;
        self.count += 1;
        self.bytes += statements.iter().map(Query::bytes).sum::<usize>();
        self.calls.push(Call { nth, campaign, statements });
        nth
    }

    pub fn is_none(&self) -> bool {
        self.count == 0
    }

    /// Whether a call of that campaign is kept; 0 is for all.
    pub fn has(&self, campaign: i64) -> bool {
        self.calls.iter().any(|call| campaign == 0 || call.campaign == campaign)
    }

    pub fn is_full(&self) -> bool {
        self.bytes > BYTES_MAX
    }

    pub fn into_failed(self) -> Vec<(usize, StoreError)> {
        self.failed
    }

    /// Writes what is kept, each call as a whole or not at all; on an error the transaction is to be taken back.
    pub async fn write(&mut self, connection: &mut Connection) -> Result<(), StoreError> {
        self.bytes = 0;
        let mut calls = std::mem::take(&mut self.calls);
        // Those with the same statements go together: each text of a trip is prepared once.
        calls.sort_by(|one, other| text(one).cmp(text(other)));
        for alike in calls.chunk_by(|one, other| text(one) == text(other)) {
            let is_short = alike.iter().all(|call| call.statements.len() == 1);
            for some in alike.chunks(if is_short { TOGETHER } else { 1 }) {
                if some.len() > 1 && as_one(connection, some).await?.is_ok() {
                    continue;
                }
                for call in some {
                    let done = as_one(connection, std::slice::from_ref(call)).await?;
                    self.failed.extend(done.err().map(|error| (call.nth, error)));
                }
            }
        }
        Ok(())
    }
}

fn text(call: &Call) -> &str {
    call.statements.first().map_or("", |query| query.sql.as_str())
}

/// Writes all these calls in a savepoint, or none where one fails; an error where the transaction is lost with that failure.
async fn as_one(connection: &mut Connection, calls: &[Call]) -> Result<Result<(), StoreError>, StoreError> {
    let mut script = Script::default();
    script.push(query("savepoint calls"));
    calls.iter().flat_map(|call| &call.statements).for_each(|statement| script.push(statement.clone()));
    script.push(query("release calls"));
    match script.run(connection).await {
        Ok(()) => Ok(Ok(())),
        Err(error) => {
            query("rollback to calls; release calls").execute(connection).await?;
            Ok(Err(error.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::{BYTES_MAX, Pending, TOGETHER};
    use crate::sql::connection::{Connection, Query, query};

    fn insert(a: i64) -> Query {
        query("insert into t values ($1)").bind(a)
    }

    async fn begun() -> Connection {
        let memory = SqliteConnectOptions::new().in_memory(true).connect().await.unwrap();
        let mut connection = Connection::Sqlite(memory);
        query("create table t (a integer primary key)").execute(&mut connection).await.unwrap();
        query("begin").execute(&mut connection).await.unwrap();
        connection
    }

    async fn committed(connection: &mut Connection) -> Vec<i64> {
        query("commit").execute(connection).await.unwrap();
        let all = query("select a from t order by a").fetch_all(connection).await.unwrap();
        all.iter().map(|row| row.try_get("a").unwrap()).collect()
    }

    #[tokio::test]
    async fn a_call_that_fails_is_left_out_as_a_whole_and_the_others_are_written() {
        for calls in [1, 2, TOGETHER, TOGETHER + 1, 3 * TOGETHER] {
            let (mut connection, mut pending) = (begun().await, Pending::default());
            for call in 0..calls as i64 {
                // The same text for all; the second writes a row that the third wants to write.
                let last = if call == 1 { 20 } else { 10 * call + 1 };
                let text = query("insert into t values ($1); insert into t values ($2)");
                assert_eq!(pending.add(call + 1, vec![text.bind(10 * call).bind(last)]), call as usize);
            }
            pending.write(&mut connection).await.unwrap();
            let failed: Vec<usize> = pending.into_failed().iter().map(|(nth, _)| *nth).collect();
            assert_eq!(failed, if calls > 2 { vec![2] } else { Vec::new() }, "{calls} calls");
            assert_eq!(committed(&mut connection).await.len(), 2 * (calls - failed.len()), "{calls} calls");
        }
    }

    #[tokio::test]
    async fn a_call_of_several_trips_is_written_whole_or_not_at_all() {
        let (mut connection, mut pending) = (begun().await, Pending::default());
        pending.add(1, vec![insert(1), insert(2)]);
        pending.add(2, vec![insert(3), insert(1)]);
        pending.add(3, vec![insert(4)]);
        pending.write(&mut connection).await.unwrap();
        assert!(matches!(pending.into_failed().as_slice(), [(1, _)]));
        assert_eq!(committed(&mut connection).await, [1, 2, 4]);
    }

    #[tokio::test]
    async fn a_transaction_that_is_lost_is_said_to_be() {
        let (mut connection, mut pending) = (begun().await, Pending::default());
        // As SQLite does by itself where the disk is full.
        pending.add(1, vec![query("insert or rollback into t values (1); insert or rollback into t values (1)")]);
        assert!(pending.write(&mut connection).await.is_err());
    }

    #[test]
    fn what_is_kept_is_bounded_and_belongs_to_a_campaign() {
        let mut pending = Pending::default();
        assert!(pending.is_none() && !pending.has(0));
        pending.add(7, vec![query("select $1").bind("x".repeat(BYTES_MAX / 2))]);
        assert!(pending.has(7) && pending.has(0) && !pending.has(8) && !pending.is_none() && !pending.is_full());
        pending.add(8, vec![query("select $1").bind("x".repeat(BYTES_MAX / 2))]);
        assert!(pending.is_full());
    }
}
