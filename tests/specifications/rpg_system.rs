//! The RPG system: rules in System.md, characters, checks, damage and fights.
