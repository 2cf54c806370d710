//! The command line: one file a subcommand, and the only module that prints.
//!
//! Standard output is the command's answer (or the protocol's); everything else goes to standard
//! error. Exit codes: 0 done, 1 something was found (rules with errors, a log that does not
//! verify), 2 the command could not be carried out.

mod args;
mod backup;
mod campaigns;
mod check;
mod copy;
mod demo;
mod doctor;
mod explain;
mod export;
mod fairness;
mod healthy;
mod hook;
mod init;
mod key;
mod log;
mod new;
mod odds;
mod output;
mod play;
mod progress;
mod receipt;
mod report;
mod restore;
mod roll;
mod serve;
mod shelf;
mod shell;
mod simulate;
mod streams;
mod test;
mod tools;
mod trying;
mod verifier;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::styling::Styles;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use output::{Done, Failed, LogFormat, log_to_stderr, say};

use rollbook_text::names::printable;

const AFTER_HELP: &str = "\
Try it:
  rollbook init          sets a table up here: adventure, campaign, your client
  rollbook play          sits down at it in this terminal, with or without a model
  rollbook roll 4d6kh3   rolls dice
  rollbook demo          plays a scene, breaks the server, checks the log";

/// The commands of `rollbook --help` in groups, in the order in which they are shown.
const GROUPS: &str = "\
Play: play roll odds demo fairness
Rules: new check test try show explain simulate
Record: log report export campaigns verify receipt verifier backup restore copy
Serve: serve key tools
Set up: init doctor completions";

/// The book of record for tabletop role-playing games.
///
/// Rolls dice, resolves checks by an adventure's own System.md, keeps characters and fights, and
/// writes everything to a log that cannot be silently edited. A game master's assistant talks to
/// `rollbook serve` over MCP.
#[derive(Debug, Parser)]
#[command(name = "rollbook", version, after_help = AFTER_HELP, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Init),
    Serve(serve::Serve),
    #[command(about = "Sit at the table in this terminal, with or without a model")]
    Play(Box<play::Play>),
    Tools(tools::Tools),
    Key(key::Key),
    Campaigns(campaigns::Campaigns),
    Copy(copy::Copy),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Doctor(doctor::Doctor),
    #[command(hide = true)]
    Healthy(healthy::Healthy),
    New(new::New),
    Check(check::Check),
    Show(check::Show),
    Explain(explain::Explain),
    Test(test::Test),
    Try(trying::Try),
    Export(export::Export),
    Report(report::Report),
    Log(log::Log),
    Verify(verify::Verify),
    Verifier(verifier::Verifier),
    Receipt(receipt::Receipt),
    Roll(roll::Roll),
    Odds(Box<odds::Odds>),
    Simulate(Box<simulate::Simulate>),
    Fairness(fairness::Fairness),
    Demo(demo::Demo),
    Completions(shell::Completions),
    #[command(hide = true)]
    Man(shell::Man),
    #[command(hide = true)]
    Hook(hook::Hook),
}

pub fn run() -> ExitCode {
    crate::migrations::MIGRATIONS.hand_down();
    let arguments: Vec<OsString> = std::env::args_os().map(dice_not_flag).collect();
    let parsed = command().try_get_matches_from(&arguments);
    let cli = match parsed.and_then(|parsed| Cli::from_arg_matches(&parsed)) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg)
                && shelf::shipped(word).is_some()
            {
                say(&format!("An adventure is named with --adventure {word}."));
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let done = carry_out(cli);
    shelf::put_away();
    streams::finish_errors();
    match done {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::Findings) => ExitCode::from(1),
        Err(reason) => {
            say(&format!("rollbook: {}", printable(&reason)));
            ExitCode::from(2)
        }
    }
}

/// The command line, with the commands in groups in its help.
fn command() -> clap::Command {
    let command = Cli::command();
    let header = *Styles::default().get_header();
    let mut template = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS.lines().filter_map(|line| line.split_once(": ")) {
        template.push_str(&format!("\n{header}{group}:{header:#}\n"));
        let named = names.split(' ');
        for one in named.filter_map(|name| command.find_subcommand(name)) {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            template.push_str(&format!("  {:11}  {about}\n", one.get_name()));
        }
    }
    template.push_str(&format!(
        "\n`rollbook help COMMAND` says more.\n\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    ));
    let about = command.get_long_about().cloned().unwrap_or_default();
    command
        .about(about)
        .long_about(None)
        .help_template(template)
}

fn carry_out(cli: Cli) -> Result<Done, Failed> {
    log_to_stderr(match &cli.command {
        Command::Serve(serve) => serve.logs(),
        _ => (LogFormat::Text, "warn"),
    });
    let mut builder = match &cli.command {
        Command::Serve(serve) if serve.serves_many() => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = builder
        .enable_all()
        .build()
        .map_err(|error| format!("the runtime did not start: {error}"))?;
    let done = runtime.block_on(async {
        match cli.command {
            Command::Init(init) => init.run().await,
            Command::Serve(serve) => serve.run().await,
            Command::Tools(tools) => tools.run(),
            Command::Play(play) => play.run().await,
            Command::Key(key) => key.run().await,
            Command::Campaigns(campaigns) => campaigns.run().await,
            Command::Copy(copy) => copy.run().await,
            Command::Backup(backup) => backup.run().await,
            Command::Restore(restore) => restore.run().await,
            Command::Doctor(doctor) => doctor.run().await,
            Command::Healthy(healthy) => healthy.run().await,
            Command::New(new) => new.run(),
            Command::Check(check) => check.run().await,
            Command::Show(show) => show.run(),
            Command::Explain(explain) => explain.run(),
            Command::Test(test) => test.run().await,
            Command::Try(trying) => trying.run().await,
            Command::Export(export) => export.run().await,
            Command::Report(report) => report.run().await,
            Command::Log(log) => log.run().await,
            Command::Verify(verify) => verify.run().await,
            Command::Verifier(verifier) => verifier.run(),
            Command::Receipt(receipt) => receipt.run().await,
            Command::Roll(roll) => roll.run(),
            Command::Odds(odds) => odds.run().await,
            Command::Simulate(simulate) => simulate.run(),
            Command::Fairness(fairness) => fairness.run(),
            Command::Demo(demo) => demo.run().await,
            Command::Completions(completions) => completions.run(Cli::command()),
            Command::Man(man) => man.run(Cli::command()),
            Command::Hook(hook) => hook.run().await,
        }
    });
    // A thread may still be waiting for standard input; nobody needs what it would read.
    runtime.shutdown_background();
    done
}

/// `rollbook roll -1d6`: an argument that begins like a negative number of dice is no flag. After a
/// space clap takes it for a value, and dice do not mind the space.
fn dice_not_flag(argument: OsString) -> OsString {
    let Some(text) = argument.to_str() else {
        return argument;
    };
    let after = text.strip_prefix('-').unwrap_or("").as_bytes();
    let dice = match after {
        [b'd' | b'D', next, ..] => next.is_ascii_digit() || b"%fF{".contains(next),
        [first, rest @ ..] => match first {
            b'(' | b'{' => true,
            // A plain number may be the value of an option, and clap knows those.
            b'0'..=b'9' => rest.iter().any(|next| !next.is_ascii_digit()),
            _ => false,
        },
        [] => false,
    };
    if dice {
        OsString::from(format!(" {text}"))
    } else {
        argument
    }
}

#[test]
fn dice_that_begin_with_a_minus_are_no_flags() {
    let parsed = |arguments: &[&str]| {
        let all = ["rollbook"]
            .iter()
            .chain(arguments)
            .map(|argument| dice_not_flag(OsString::from(argument)));
        format!("{:?}", Cli::try_parse_from(all).expect("arguments").command)
    };
    for dice in ["-1d6", "-d6+2", "-(2d6)", "-{1d6,1d8}kh1", "-2d%", "-dF"] {
        let parsed = parsed(&["roll", dice, "--json"]);
        assert!(
            parsed.contains(dice) && parsed.contains("json: true"),
            "{parsed}"
        );
    }
    assert!(parsed(&["odds", "1d6-4", "--at-least", "-2"]).contains("at_least: Some(-2)"));
    assert!(Cli::try_parse_from(["rollbook", "roll", "-x"]).is_err());
}

#[test]
fn help_has_every_command_in_one_group() {
    let commands = Cli::command();
    let visible = commands.get_subcommands().filter(|one| !one.is_hide_set());
    let mut visible: Vec<&str> = visible.map(clap::Command::get_name).collect();
    let groups = GROUPS
        .lines()
        .map(|line| line.split_once(": ").expect("a group").1);
    let mut grouped: Vec<&str> = groups.flat_map(|names| names.split(' ')).collect();
    visible.sort_unstable();
    grouped.sort_unstable();
    assert_eq!(grouped, visible);
}
