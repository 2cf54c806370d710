//! The tool foundation: registry, executor, built-in tools, a chat loop.
