//! Signatures of checkpoints: Ed25519, by a key that lies neither beside the database nor in the adventure.
//!
//! Whoever can write the log can write `checkpoints.log`, too. A line that is signed can be made by nobody without the key; one that a
//! witness signed, in a file of their own, by nobody but them.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use super::StoreError;

/// The first line of a key's file.
const HEADER: &str = "rollbook signing key, Ed25519, PKCS #8; whoever has it signs in your name";
/// Bytes of a key's file that are read.
const BYTES_MAX: u64 = 4096;
/// What is signed begins with this.
const PREFIX: &[u8] = b"rollbook/v1 checkpoint\0";

/// The key with which this process signs checkpoints.
static SIGNER: OnceLock<Signer> = OnceLock::new();

/// Who signed, and what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The public key, 32 bytes as hex.
    pub key: String,
    /// 64 bytes as hex.
    pub signature: String,
}

impl Signature {
    /// Whether the key signed these bytes.
    pub fn fits(&self, bytes: &[u8]) -> bool {
        let of = |text: &str| base16ct::lower::decode_vec(text).ok();
        let (Some(key), Some(signature)) = (of(&self.key), of(&self.signature)) else { return false };
        UnparsedPublicKey::new(&ED25519, key).verify(&[PREFIX, bytes].concat(), &signature).is_ok()
    }
}

/// A key that signs.
pub struct Signer(Ed25519KeyPair);

impl Signer {
    /// Makes a key, and writes it to a file that only its owner reads. Answers the public key as hex.
    ///
    /// # Errors
    /// When the file is there already or cannot be written, or the operating system has no randomness.
    pub fn make(path: &Path) -> Result<String, StoreError> {
        let failed = |what: &dyn std::fmt::Display| StoreError::Io(format!("cannot write {}: {what}", path.display()));
        let bytes = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|error| failed(&error))?;
        let signer = Signer(Ed25519KeyPair::from_pkcs8(bytes.as_ref()).map_err(|error| failed(&error))?);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).map_err(|error| failed(&error))?;
        let text = format!("{HEADER}\n{}\n", base16ct::lower::encode_string(bytes.as_ref()));
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| failed(&error))?;
        Ok(signer.public())
    }

    /// Reads a key, which may lie in none of these folders, nor below them: whoever copies one of them would have it.
    ///
    /// # Errors
    /// When it lies there, or is no key.
    pub fn read(path: &Path, not_in: &[&Path]) -> Result<Self, StoreError> {
        let failed =
            |what: &dyn std::fmt::Display| StoreError::Io(format!("cannot read the key {}: {what}", path.display()));
        let real = path.canonicalize().map_err(|error| failed(&error))?;
        for folder in not_in {
            // A database that is named by its file alone lies here.
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            if folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)) {
                return Err(StoreError::Io(format!(
                    "the key {} lies in {}, and whoever copies that folder would have it. Move it elsewhere, such as to your home folder",
                    path.display(),
                    folder.display()
                )));
            }
        }
        let mut text = String::new();
        let read = File::open(&real).and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text));
        let no_key = || failed(&"it is no signing key; `rollbook witness key --out FILE` makes one");
        read.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => no_key(),
            _ => failed(&error),
        })?;
        let hex = text.strip_prefix(HEADER).ok_or_else(no_key)?.trim();
        let bytes = base16ct::lower::decode_vec(hex).map_err(|_| no_key())?;
        Ok(Signer(Ed25519KeyPair::from_pkcs8(&bytes).map_err(|_| no_key())?))
    }

    /// The public key as hex.
    pub fn public(&self) -> String {
        base16ct::lower::encode_string(self.0.public_key().as_ref())
    }

    /// Signs some bytes.
    pub fn sign(&self, bytes: &[u8]) -> Signature {
        let signature = self.0.sign(&[PREFIX, bytes].concat());
        Signature { key: self.public(), signature: base16ct::lower::encode_string(signature.as_ref()) }
    }
}

/// From now on this process signs its checkpoints; the first key that is given stays.
pub fn sign_with(signer: Signer) {
    // A process has one command line, and so one key.
    let _ = SIGNER.set(signer);
}

/// The key with which this process signs.
pub fn signer() -> Option<&'static Signer> {
    SIGNER.get()
}

#[cfg(test)]
mod tests {
    use super::Signer;

    #[test]
    fn a_signature_fits_its_key_and_bytes_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("key"), folder.path().join("other"));
        let public = Signer::make(&path).unwrap();
        Signer::make(&other).unwrap();
        let signature = Signer::read(&path, &[]).unwrap().sign(b"so far");
        assert_eq!(signature.key, public);
        assert!(signature.fits(b"so far") && !signature.fits(b"so fat"));
        let stranger = Signer::read(&other, &[]).unwrap().sign(b"so far");
        assert!(!super::Signature { key: public, ..stranger }.fits(b"so far"));
        assert!(!super::Signature { key: "00".to_owned(), ..signature }.fits(b"so far"));
        assert!(Signer::make(&path).is_err(), "never over a key");
    }

    #[test]
    fn a_key_beside_the_database_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        let path = deep.join("key");
        Signer::make(&path).unwrap();
        let refused = Signer::read(&path, &[folder.path()]).map(drop).unwrap_err().to_string();
        assert!(refused.contains("Move it elsewhere"), "{refused}");
        assert!(Signer::read(&path, &[&folder.path().join("a/c")]).is_ok());
        std::fs::write(&path, "no key").unwrap();
        assert!(Signer::read(&path, &[]).map(drop).unwrap_err().to_string().contains("rollbook witness key"));
    }
}
