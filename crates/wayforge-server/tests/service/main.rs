//! The service without a socket: the router is called as a function.

mod access;
mod bed;
mod channels;
mod described;
mod refused;
mod stateless;
mod studio;
