//! An author at work: the commands of the program itself, run in a folder, their words compared.

mod anything;
mod badly;
mod bench;
mod checking;
mod commands;
mod comparing;
mod coverage;
mod explained;
mod faces;
mod hostile;
mod odds;
mod odds_page;
mod played;
mod playtests;
mod saving;
mod watching;
