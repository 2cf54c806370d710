//! The smallest MCP server: JSON-RPC over standard input and output, and one tool.
