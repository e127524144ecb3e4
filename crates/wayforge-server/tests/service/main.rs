//! Tests of the HTTP service; they call the router without a socket.

mod access;
mod channels;
mod errors;
mod fixture;
mod openapi;
mod quotas;
mod request_id;
mod stateless;
mod studio;
