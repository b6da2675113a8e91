import { readFileSync } from 'node:fs';
import { printableLines } from '@tollgate/core';
import { unknownNamesIn } from '@tollgate/adapters-config';
import { Command, CommanderError, Help, type Option } from 'commander';
import { addAccountCommands } from './commands/account-commands.js';
import { addAuditCommands } from './commands/audit-commands.js';
import { addEventCommands } from './commands/event-commands.js';
import { addWebhookCommands } from './commands/webhook-commands.js';
import { addVoucherCommands } from './commands/voucher-commands.js';
import { addMachineCommands } from './commands/machine-commands.js';
import { addOperatorCommands } from './commands/operator-commands.js';
import { addCatalogueCommands } from './commands/catalogue-commands.js';
import { addDatabaseCommands } from './commands/database-commands.js';
import { addDoctorCommand } from './commands/doctor-command.js';
import { addMailCommands } from './commands/mail-commands.js';
import { addKeyCommands } from './commands/key-commands.js';
import { addLedgerCommands } from './commands/ledger-commands.js';
import { addPaymentCommands } from './commands/payment-commands.js';
import { addPlatformCommands } from './commands/platform-commands.js';
import { addStatementCommands } from './commands/statement-commands.js';
import { addUpstreamCommands } from './commands/upstream-commands.js';
import { addUsageCommands } from './commands/usage-commands.js';
import { CommandFailure } from './program/command-failure.js';
import { EXIT_CODES, type ExitCode } from './program/exit-codes.js';
import type { Terminal } from './program/terminal.js';
import { CommandRuntime } from './program/command-runtime.js';
import type { ProgramContext } from './program/program-settings.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** The version of this program and of the gateway in the same release. */
const VERSION = version;

const DESCRIPTION = `The operator's command line of Tollgate.

It uses the gateway's database (DATABASE_URL), whether or not the gateway is running.
Only \`tollgate database create\` creates a database.
A change takes effect with the next request and is recorded in the audit log.`;

const EXIT_CODE_HELP = `
Exit codes: 0 success, 1 refused, failed or differences found, 2 invalid arguments or settings.`;

/** Runs one command and returns the exit code of the process. Never throws. */
export async function runTollgate(argv: readonly string[], programContext: ProgramContext, terminal: Terminal): Promise<ExitCode> {
  const runtime = new CommandRuntime(programContext, terminal);
  // With --json, nothing but JSON is printed.
  if (!argv.includes('--json')) warn(programContext, terminal);
  try {
    await programFor(runtime, terminal).parseAsync(argv, { from: 'user' });
    return runtime.exitCode;
  } catch (thrown) {
    return explain(thrown, argv.includes('--json') ? 'json' : 'text', terminal);
  }
}

function warn({ folder, environment }: ProgramContext, terminal: Terminal): void {
  for (const line of unknownNamesIn(folder, environment)) terminal.error(`warning: ${line}\n`);
}

const HELP = new Help();
/** Width of help that is not shown in a terminal. */
const HELP_COLUMNS = 80;

/** The description of an option, which says whether it is required. */
function describeOption(option: Option): string {
  return HELP.optionDescription(option) + (option.mandatory ? ' (required)' : '');
}

function programFor(runtime: CommandRuntime, terminal: Terminal): Command {
  const program = new Command('tollgate')
    .description(DESCRIPTION)
    .version(VERSION, '--version', 'print the version')
    .option('--json', 'print JSON, with exact times and sizes')
    .option('--wide', 'do not fit tables to the width of the terminal')
    .option('--as <operator>', 'the operator that the audit log records in addition to your user name: an e-mail address, or the name of a job')
    .addHelpText('after', EXIT_CODE_HELP)
    .configureHelp({ showGlobalOptions: true, optionDescription: describeOption })
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: () => undefined, getOutHelpWidth: () => terminal.columns ?? HELP_COLUMNS })
    .exitOverride();
  addDatabaseCommands(program, runtime);
  addDoctorCommand(program, runtime);
  addAccountCommands(program, runtime);
  addKeyCommands(program, runtime);
  addOperatorCommands(program, runtime);
  addMachineCommands(program, runtime);
  addWebhookCommands(program, runtime);
  addVoucherCommands(program, runtime);
  addPaymentCommands(program, runtime);
  addCatalogueCommands(program, runtime);
  addUpstreamCommands(program, runtime);
  addUsageCommands(program, runtime);
  addLedgerCommands(program, runtime);
  addStatementCommands(program, runtime);
  addAuditCommands(program, runtime);
  addEventCommands(program, runtime);
  addMailCommands(program, runtime);
  addPlatformCommands(program, runtime);
  return program;
}

function explain(thrown: unknown, form: 'text' | 'json', terminal: Terminal): ExitCode {
  if (thrown instanceof CommanderError && thrown.exitCode === EXIT_CODES.done) return EXIT_CODES.done;
  const message = messageOf(thrown);
  terminal.error(`${printableLines(form === 'json' ? JSON.stringify({ error: { message: message.replace(/^error: /u, '') } }) : message)}\n`);
  if (thrown instanceof CommandFailure) return thrown.exitCode;
  return thrown instanceof CommanderError ? EXIT_CODES.misused : EXIT_CODES.failed;
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof CommanderError) {
    return thrown.code === 'commander.help' ? 'error: no command given; try --help' : thrown.message;
  }
  return thrown instanceof Error ? `error: ${thrown.message}` : `error: ${String(thrown)}`;
}
