//! The hosts of a server's address, as PostgreSQL's own library reads them: several with commas between, each with a port of its own.
//!
//! Source: PostgreSQL's documentation, libpq, "Specifying Multiple Hosts".

use sqlx::postgres::PgConnectOptions;

const HOSTS_MAX: usize = 16;

/// The names of hosts and their ports after the question mark.
const LISTED: [&str; 3] = ["host", "hostaddr", "port"];

/// What follows `postgres://`, once for each of its hosts, in their order.
/// Errors: where the ports are not as many as the hosts, one host has no name, or there are more than 16.
pub fn each(rest: &str) -> Result<Vec<String>, String> {
    let (place, settings) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, database) = match place.split_once('/') {
        Some((authority, database)) => (authority, format!("/{database}")),
        None => (place, String::new()),
    };
    let (user, hosts) = authority.rsplit_once('@').map_or(("", authority), |(user, hosts)| (user, hosts));
    let user = if authority.contains('@') { format!("{user}@") } else { String::new() };
    let hosts: Vec<&str> = hosts.split(',').collect();
    let settings: Vec<(&str, Vec<String>)> =
        settings.split('&').filter(|setting| !setting.is_empty()).map(listed).collect();
    let lists = || settings.iter().filter(|(name, _)| LISTED.contains(name)).map(|(_, values)| values.len());
    let count = lists().chain([hosts.len()]).max().unwrap_or(1);
    if count > HOSTS_MAX {
        return Err(format!("the address has {count} hosts. Send at most {HOSTS_MAX}"));
    }
    if lists().chain([hosts.len()]).any(|many| many != 1 && many != count) {
        return Err(
            "the address has not as many ports as hosts. Send one port for all of them, or one for each".to_owned()
        );
    }
    let nameless = |host: &str| host.is_empty() || host.starts_with(':');
    if count > 1
        && (hosts.len() > 1 && hosts.iter().any(|host| nameless(host))
            || settings.iter().any(|(_, values)| values.len() > 1 && values.iter().any(String::is_empty)))
    {
        return Err("the address has an empty host between its commas. Send USER@HOST,HOST/DATABASE".to_owned());
    }
    Ok((0..count)
        .map(|nth| {
            let host = hosts.get(nth).or(hosts.first()).copied().unwrap_or_default();
            let listed = settings.iter().map(|(name, values)| match values.get(nth).or(values.first()) {
                Some(value) => format!("{name}={value}"),
                None => (*name).to_owned(),
            });
            let settings = listed.collect::<Vec<_>>().join("&");
            let mark = if settings.is_empty() { "" } else { "?" };
            format!("{user}{host}{database}{mark}{settings}")
        })
        .collect())
}

/// A setting's name and its values: those of hosts and ports are lists.
fn listed(setting: &str) -> (&str, Vec<String>) {
    match setting.split_once('=') {
        Some((name, value)) if LISTED.contains(&name) => {
            (name, value.replace("%2C", ",").replace("%2c", ",").split(',').map(str::to_owned).collect())
        }
        Some((name, value)) => (name, vec![value.to_owned()]),
        None => (setting, Vec::new()),
    }
}

/// The host, or the folder of its socket.
pub fn host(options: &PgConnectOptions) -> String {
    options.get_socket().map_or(options.get_host().to_owned(), |folder| folder.display().to_string())
}

/// The address as it can be sent again, and the name.
pub fn shown(hosts: &[PgConnectOptions]) -> (String, String) {
    let user = hosts.first().map_or("", PgConnectOptions::get_username);
    let database = hosts.first().and_then(PgConnectOptions::get_database).unwrap_or(user);
    let default = hosts.iter().all(|options| options.get_port() == 5432);
    let port = |options: &PgConnectOptions| match options.get_port() {
        5432 => String::new(),
        port => format!(":{port}"),
    };
    let joined = |each: &dyn Fn(&PgConnectOptions) -> String| hosts.iter().map(each).collect::<Vec<_>>().join(",");
    let all = joined(&|options| match host(options) {
        six if six.contains(':') && !six.starts_with('/') => format!("[{six}]{}", port(options)),
        name => name + &port(options),
    });
    let name = format!("{all}/{database}");
    match hosts.iter().any(|options| host(options).starts_with('/')) {
        true => {
            let ports = if default {
                String::new()
            } else {
                format!("&port={}", joined(&|options| options.get_port().to_string()))
            };
            (format!("postgres:///{database}?host={}{ports}&user={user}", joined(&host)), name)
        }
        false => (format!("postgres://{user}@{name}"), name),
    }
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn hosts_are_read_as_postgresqls_own_programs_read_them() {
        for (sent, hosts) in [
            ("gm@a/rollbook", &["gm@a/rollbook"][..]),
            ("", &[""]),
            ("gm:x,y@a,b:6432/rollbook", &["gm:x,y@a/rollbook", "gm:x,y@b:6432/rollbook"]),
            ("a,b", &["a", "b"]),
            ("[::1]:1,[::2]/?user=gm", &["[::1]:1/?user=gm", "[::2]/?user=gm"]),
            ("/rollbook?host=/a,/b&port=1,2", &["/rollbook?host=/a&port=1", "/rollbook?host=/b&port=2"]),
            ("/rollbook?host=%2Fa%2C%2Fb&port=1", &["/rollbook?host=%2Fa&port=1", "/rollbook?host=%2Fb&port=1"]),
            ("gm@%2Fa:1,%2Fb/r?password=p,q", &["gm@%2Fa:1/r?password=p,q", "gm@%2Fb/r?password=p,q"]),
            ("gm@a,b/r?sslmode=require", &["gm@a/r?sslmode=require", "gm@b/r?sslmode=require"]),
        ] {
            assert_eq!(each(sent).unwrap(), hosts, "{sent}");
        }
        for (sent, words) in [
            ("gm@a,b,c/r?port=1,2", "one port for all of them, or one for each"),
            ("gm@a,,c/r", "an empty host"),
            ("gm@a,:5433/r", "an empty host"),
            ("/r?host=a,", "an empty host"),
            (&*format!("gm@{}/r", vec!["a"; 17].join(",")), "at most 16"),
        ] {
            let refused = each(sent).unwrap_err();
            assert!(refused.contains(words), "{sent}: {refused}");
        }
    }
}
