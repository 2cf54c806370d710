//! The sessions of clients that begin with `initialize`: rmcp's, with an owner each and a limit to
//! their number.
//!
//! A session holds nothing but what its client said of itself, so one that is gone (it was idle,
//! too many were opened after it, or the server was started anew) is made again when its client
//! comes back: many clients do not begin another one by themselves.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use axum::http::HeaderMap;
use futures_core::Stream;
use rmcp::model::{
    ClientCapabilities, ClientJsonRpcMessage, Implementation, InitializeRequestParams,
    ProtocolVersion, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use rmcp::transport::streamable_http_server::session::{
    RestoreOutcome, ServerSseMessage, SessionId, SessionManager, SessionState, SessionStore,
    SessionStoreError,
};
use serde_json::Value;
use uuid::Uuid;

use rollbook_table::session::Host;

/// Sessions that are open at the same time, …
const OPEN_MAX: usize = 10_000;
/// … and of one key; the oldest makes room.
const OPEN_OF_KEY_MAX: usize = 100;
/// How long a session stays open that is not used.
const IDLE: Duration = Duration::from_secs(300);
/// Clients of sessions that are remembered, with what they said of themselves in so many bytes; and
/// sessions that were ended.
const REMEMBERED_MAX: usize = 20_000;
const CLIENT_BYTES_MAX: usize = 2_000;

tokio::task_local! {
    static ASKER: Asker;
}

/// Whom a request comes from.
#[derive(Clone)]
pub struct Asker {
    owner: Owner,
    /// The version of the protocol that its header names.
    version: Option<ProtocolVersion>,
}

/// Whom a session belongs to: the id of a key, or nobody where there are no keys.
type Owner = Option<Arc<str>>;

impl Asker {
    pub fn of(owner: Owner, headers: &HeaderMap) -> Asker {
        let version = headers
            .get("mcp-protocol-version")
            .and_then(|version| version.to_str().ok());
        let version = version.and_then(|version| serde_json::from_value(Value::from(version)).ok());
        Asker { owner, version }
    }

    /// Does what the request asks for.
    pub async fn scope<T>(self, asked: impl Future<Output = T>) -> T {
        ASKER.scope(self, asked).await
    }
}

/// rmcp's sessions and who has which.
pub struct Sessions {
    inner: LocalSessionManager,
    known: Mutex<Known>,
    host: Arc<Host>,
}

#[derive(Default)]
struct Known {
    /// With the how-manieth each was.
    open: HashMap<SessionId, (Owner, u64)>,
    opened: u64,
    /// What the clients of sessions said of themselves, open or not.
    clients: HashMap<SessionId, (Owner, InitializeRequestParams)>,
    /// Those that their clients ended.
    ended: HashSet<SessionId>,
}

impl Known {
    fn is_of(&self, id: &SessionId, owner: &Owner) -> bool {
        self.open.get(id).is_some_and(|(of, _)| of == owner)
    }

    /// The oldest session of a key that has as many as it may.
    fn in_the_way(&self, owner: &Owner) -> Option<SessionId> {
        owner.as_ref()?;
        let of_owner = || self.open.iter().filter(|(_, (of, _))| of == owner);
        if of_owner().count() < OPEN_OF_KEY_MAX {
            return None;
        }
        of_owner()
            .min_by_key(|(_, (_, nth))| *nth)
            .map(|(id, _)| id.clone())
    }

    /// What a client that comes back said of itself; `None` where the session is not its own, or it
    /// was ended. A session that is not known is one of this server before it was started anew, if
    /// it has such a name: then its client can do what every client can.
    fn client(&self, id: &SessionId, asker: &Asker) -> Option<InitializeRequestParams> {
        if self.ended.contains(id) || self.open.contains_key(id) {
            return None;
        }
        if let Some((owner, client)) = self.clients.get(id) {
            return (*owner == asker.owner).then(|| client.clone());
        }
        Uuid::try_parse(id).ok()?;
        let mut client = InitializeRequestParams::new(
            ClientCapabilities::default(),
            Implementation::new("unknown", "0"),
        );
        client.protocol_version = asker
            .version
            .clone()
            .unwrap_or(ProtocolVersion::V_2025_03_26);
        Some(client)
    }
}

impl Sessions {
    pub fn new(host: Arc<Host>) -> Sessions {
        let mut inner = LocalSessionManager::default();
        inner.session_config.keep_alive = Some(IDLE);
        Sessions {
            inner,
            known: Mutex::default(),
            host,
        }
    }

    /// Whether one session more would be too many.
    pub fn is_full(&self) -> bool {
        self.known().open.len() >= OPEN_MAX
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a session of another as one that is not there. rmcp's own tasks, which end sessions,
    /// are nobody's request.
    fn check(&self, id: &SessionId) -> Result<(), LocalSessionManagerError> {
        match ASKER.try_with(|asker| self.known().is_of(id, &asker.owner)) {
            Ok(false) => Err(LocalSessionManagerError::SessionNotFound(id.clone())),
            Ok(true) | Err(_) => Ok(()),
        }
    }

    /// Makes room for one more session of the asker.
    async fn make_room(&self, owner: &Owner) -> Result<(), SessionFailed> {
        let in_the_way = self.known().in_the_way(owner);
        if let Some(oldest) = in_the_way {
            self.left(&oldest);
            self.inner.close_session(&oldest).await?;
        }
        if self.is_full() {
            Err(SessionFailed::Full)
        } else {
            Ok(())
        }
    }

    fn begun(&self, id: &SessionId, owner: Owner) {
        let mut known = self.known();
        known.opened += 1;
        let nth = known.opened;
        known.open.insert(id.clone(), (owner, nth));
        self.count(&known);
    }

    fn left(&self, id: &SessionId) {
        let mut known = self.known();
        known.open.remove(id);
        self.count(&known);
    }

    fn count(&self, known: &Known) {
        self.host
            .meter
            .sessions
            .set(i64::try_from(known.open.len()).unwrap_or(i64::MAX));
    }
}

/// Why a session was not served.
#[derive(Debug, thiserror::Error)]
pub enum SessionFailed {
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
    #[error("{OPEN_MAX} sessions are open already")]
    Full,
}

type Local = LocalSessionManager;

fn owner() -> Owner {
    ASKER
        .try_with(|asker| asker.owner.clone())
        .unwrap_or_default()
}

impl SessionManager for Sessions {
    type Error = SessionFailed;
    type Transport = <Local as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionFailed> {
        let owner = owner();
        self.make_room(&owner).await?;
        let (id, transport) = self.inner.create_session().await?;
        self.begun(&id, owner);
        Ok((id, transport))
    }

    async fn restore_session(
        &self,
        id: SessionId,
    ) -> Result<RestoreOutcome<Self::Transport>, SessionFailed> {
        let owner = owner();
        self.make_room(&owner).await?;
        let restored = self.inner.restore_session(id.clone()).await?;
        self.begun(&id, owner);
        Ok(restored)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionFailed> {
        Ok(self.check(id).is_ok() && self.inner.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), SessionFailed> {
        let is_open = self.check(id);
        if let Ok(asker) = ASKER.try_with(Asker::clone) {
            // Its client ends it; one that is idle, too.
            let mut known = self.known();
            let is_idle = known.client(id, &asker).is_some();
            if is_open.is_ok() || is_idle {
                known.clients.remove(id);
                if known.ended.len() >= REMEMBERED_MAX {
                    known.ended.clear();
                }
                known.ended.insert(id.clone());
            }
            if is_idle {
                return Ok(());
            }
        }
        is_open?;
        self.left(id);
        Ok(self.inner.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionFailed> {
        self.check(id)?;
        Ok(self.inner.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionFailed> {
        self.check(id)?;
        Ok(self.inner.resume(id, last_event_id).await?)
    }
}

/// Where rmcp looks for a session that is not open.
#[async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let id = SessionId::from(id);
        let client = ASKER
            .try_with(|asker| self.known().client(&id, asker))
            .ok()
            .flatten();
        Ok(client.filter(|_| !self.is_full()).map(SessionState::new))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let client = state.initialize_params.clone();
        if serde_json::to_vec(&client)?.len() <= CLIENT_BYTES_MAX {
            let mut known = self.known();
            if known.clients.len() >= REMEMBERED_MAX {
                known.clients.clear();
            }
            known.clients.insert(SessionId::from(id), (owner(), client));
        }
        Ok(())
    }

    /// It was closed already ([`SessionManager::close_session`]).
    async fn delete(&self, _: &str) -> Result<(), SessionStoreError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rmcp::model::{
        ClientCapabilities, Implementation, InitializeRequestParams, ProtocolVersion,
    };
    use rmcp::transport::streamable_http_server::session::SessionId;
    use uuid::Uuid;

    use super::{Asker, Known, OPEN_OF_KEY_MAX};

    fn asker(key: &str) -> Asker {
        Asker {
            owner: Some(key.into()),
            version: Some(ProtocolVersion::V_2025_06_18),
        }
    }

    fn id(nth: usize) -> SessionId {
        Uuid::from_u128(nth as u128).to_string().into()
    }

    #[test]
    fn a_client_that_comes_back_is_what_it_said_it_was_and_others_do_not_get_its_session() {
        let (mut known, one) = (Known::default(), id(1));
        let client = InitializeRequestParams::new(
            ClientCapabilities::default(),
            Implementation::new("table", "3"),
        );
        known
            .clients
            .insert(one.clone(), (asker("a").owner, client));
        let back = known.client(&one, &asker("a")).unwrap();
        assert_eq!(back.client_info.name, "table");
        assert!(known.client(&one, &asker("b")).is_none());
        known.open.insert(one.clone(), (asker("a").owner, 1));
        assert!(known.client(&one, &asker("a")).is_none(), "it is open");
    }

    #[test]
    fn a_session_from_before_a_restart_speaks_as_its_client_does_now() {
        let (mut known, one) = (Known::default(), id(1));
        let back = known.client(&one, &asker("a")).unwrap();
        assert_eq!(back.protocol_version, ProtocolVersion::V_2025_06_18);
        assert!(known.client(&"table-1".into(), &asker("a")).is_none());
        known.ended.insert(one.clone());
        assert!(known.client(&one, &asker("a")).is_none());
    }

    #[test]
    fn only_a_key_with_many_sessions_has_one_in_the_way() {
        let mut known = Known::default();
        let ids: Vec<SessionId> = (0..OPEN_OF_KEY_MAX).map(id).collect();
        for (nth, id) in ids.iter().enumerate() {
            assert_eq!(known.in_the_way(&asker("a").owner), None);
            known
                .open
                .insert(id.clone(), (asker("a").owner, nth as u64));
            known
                .open
                .insert(format!("{id}-").into(), (None, nth as u64));
        }
        assert_eq!(
            known.in_the_way(&asker("a").owner),
            Some(Arc::clone(&ids[0]))
        );
        assert_eq!(
            (known.in_the_way(&asker("b").owner), known.in_the_way(&None)),
            (None, None)
        );
    }
}
