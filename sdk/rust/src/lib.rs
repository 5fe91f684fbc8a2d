//! Client of the thing synchronisation interface: `apis` and `models` are generated, `wire` writes their requests as a server
//! of the interface takes them.

#[allow(unused_imports, clippy::all)]
pub mod apis;
#[allow(unused_imports, clippy::all)]
pub mod models;
pub mod wire;
