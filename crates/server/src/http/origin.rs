//! Under which names the server may be asked for, and which pages may ask.
//!
//! A page that a person visits can make a browser ask any address for it, a name of its own made to
//! point here included (DNS rebinding). So a name in `Host` must be one that was given, and an
//! `Origin` the server's own or one that was given. Addresses in numbers cannot be made to point
//! elsewhere.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};

use super::refused::TurnedAway;

/// The names and pages that are accepted.
pub struct Names {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Names {
    /// `localhost`, addresses in numbers and these hosts; the server's own origin and these.
    /// Errors: A sentence for what is no name or no origin.
    pub fn new(hosts: &[String], origins: &[String]) -> Result<Names, String> {
        for host in hosts {
            if host.parse::<Authority>().is_err() || host.contains(['/', '@', ':']) {
                return Err(format!(
                    "--host takes a name such as table.example.org, without a port; not {host:?}"
                ));
            }
        }
        let mut read = Vec::new();
        for origin in origins {
            let (scheme, authority) = split(origin).ok_or_else(|| {
                format!(
                    "--origin takes an origin such as https://table.example.org, not {origin:?}"
                )
            })?;
            read.push(format!("{scheme}://{authority}").to_ascii_lowercase());
        }
        let hosts = hosts
            .iter()
            .map(|host| host.trim_end_matches('.').to_ascii_lowercase())
            .collect();
        Ok(Names {
            hosts,
            origins: read,
        })
    }

    /// Whether a request may be answered; the origin to name in the answer where a page of
    /// elsewhere may read it. Errors: 400 without a name that can be read, 403 for others.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<Option<HeaderValue>, TurnedAway> {
        if [header::HOST, header::ORIGIN]
            .iter()
            .any(|name| headers.get_all(name).iter().nth(1).is_some())
        {
            let summary = "The request has more than one Host or Origin.";
            return Err(TurnedAway::new(StatusCode::BAD_REQUEST, "host", summary));
        }
        let text = match headers.get(header::HOST) {
            Some(host) => host.to_str().ok(),
            None => uri.authority().map(Authority::as_str),
        };
        let unusable = |summary: &str| TurnedAway::new(StatusCode::BAD_REQUEST, "host", summary);
        if uri.authority().is_none() && !headers.contains_key(header::HOST) {
            return Err(unusable("The request has no Host."));
        }
        let authority = text
            .filter(|text| !text.contains('@'))
            .and_then(|text| text.parse::<Authority>().ok());
        let Some(authority) = authority else {
            return Err(unusable(
                "The Host cannot be read. Send a name or an address, and a port: localhost:7878.",
            ));
        };
        if !self.is_ours(authority.host()) {
            let summary = "This server is not reached under that Host. Ask for localhost or the server's address in numbers; its \
                           operator can add a name with --host.";
            return Err(TurnedAway::new(StatusCode::FORBIDDEN, "host", summary));
        }
        let Some(origin) = headers.get(header::ORIGIN) else {
            return Ok(None);
        };
        let refused = || {
            let summary = "Pages of that Origin may not ask here. The server's operator can allow one with --origin.";
            TurnedAway::new(StatusCode::FORBIDDEN, "origin", summary)
        };
        let text = origin.to_str().map_err(|_| refused())?.to_ascii_lowercase();
        let (_, host) = split(&text).ok_or_else(refused)?;
        if host.eq_ignore_ascii_case(authority.as_str()) {
            return Ok(None);
        }
        if self.origins.contains(&text) {
            Ok(Some(origin.clone()))
        } else {
            Err(refused())
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        let plain = host
            .trim_start_matches('[')
            .trim_end_matches(']')
            .trim_end_matches('.')
            .to_ascii_lowercase();
        plain == "localhost" || plain.parse::<IpAddr>().is_ok() || self.hosts.contains(&plain)
    }
}

/// Scheme and authority of an origin.
fn split(origin: &str) -> Option<(&str, &str)> {
    let (scheme, authority) = origin.split_once("://")?;
    let is_origin = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
        && !authority.contains(['/', '@', '?', '#'])
        && authority.parse::<Authority>().is_ok();
    is_origin.then_some((scheme, authority))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, Uri, header};

    use super::Names;

    fn asked(names: &Names, host: &'static str, origin: Option<&'static str>) -> Result<bool, u16> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        let checked = names.check(&Uri::from_static("/mcp"), &headers);
        checked
            .map(|named| named.is_some())
            .map_err(|refused| refused.status.as_u16())
    }

    #[test]
    fn names_that_were_not_given_are_refused() {
        let names = Names::new(&["Table.example.org".to_owned()], &[]).unwrap();
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:7878",
            "[::1]:1",
            "192.168.1.7",
            "table.example.org.:443",
        ] {
            assert_eq!(asked(&names, host, None), Ok(false), "{host}");
        }
        for other in [
            "evil.example",
            "localhost.evil.example",
            "example.org",
            "table.example.org.evil.example:80",
        ] {
            assert_eq!(asked(&names, other, None), Err(403), "{other}");
        }
        assert_eq!(asked(&names, "", None), Err(400));
        for unreadable in ["a b", "user@localhost", "user:word@localhost:80"] {
            assert_eq!(asked(&names, unreadable, None), Err(400), "{unreadable}");
        }
        let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("a b"))]);
        let summary = |headers| {
            names
                .check(&Uri::from_static("/mcp"), headers)
                .unwrap_err()
                .summary
        };
        assert!(
            summary(&headers).contains("cannot be read")
                && summary(&HeaderMap::new()).contains("no Host")
        );
    }

    #[test]
    fn pages_of_elsewhere_are_refused_unless_they_were_given() {
        let names = Names::new(&[], &["https://app.example.org".to_owned()]).unwrap();
        assert_eq!(
            asked(&names, "localhost:7878", Some("http://localhost:7878")),
            Ok(false)
        );
        assert_eq!(
            asked(&names, "localhost:7878", Some("https://App.example.org")),
            Ok(true)
        );
        for other in [
            "http://localhost:80",
            "https://evil.example",
            "null",
            "https://app.example.org:8443",
            "app.example.org",
        ] {
            assert_eq!(
                asked(&names, "localhost:7878", Some(other)),
                Err(403),
                "{other}"
            );
        }
    }

    #[test]
    fn what_is_no_name_and_no_origin_is_refused_at_the_start() {
        for host in ["http://x", "a:80", "", "a/b"] {
            assert!(Names::new(&[host.to_owned()], &[]).is_err(), "{host}");
        }
        for origin in ["localhost", "ftp://x", "https://x/y", "https://"] {
            assert!(Names::new(&[], &[origin.to_owned()]).is_err(), "{origin}");
        }
    }
}
