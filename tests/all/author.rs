//! An author at work: the commands of the program itself, run in a folder, their words compared.

mod anything;
mod badly;
mod base;
mod beginning;
mod bench;
mod checking;
mod comparing;
mod coverage;
mod explained;
mod faces;
mod hostile;
mod odds;
mod odds_page;
mod pins;
mod played;
mod playtests;
mod saving;
mod shipped;
mod showing;
mod trying;
mod watching;
