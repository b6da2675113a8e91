import { SystemClock } from '@tollgate/adapters-node';
import { printable } from '@tollgate/core';
import type { StoreReader } from '@tollgate/sql-common';
import type { Command } from 'commander';
import { databases, namingCreation } from './open-database.js';
import { openSession, type OperatorSession } from './operator-session.js';
import { type ProgramContext, settingsOf } from './program-settings.js';
import { CommandFailure, misuse } from './command-failure.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { print, type Report } from './report.js';
import type { Terminal } from './terminal.js';

interface GlobalOptions { readonly json?: true; readonly as?: string; readonly yes?: true; readonly wide?: true }

export const YES_OPTION = ['--yes', 'do not ask for confirmation; required without a terminal'] as const;

/** Minimum interval between two lines of progress, if there is no terminal. */
const LINE_MILLISECONDS = 10_000;

const CONSENT = /^y(es)?$/i;

/** Runs the commands of one invocation and keeps the exit code. */
export class CommandRuntime {
  #exitCode: ExitCode = EXIT_CODES.done;
  private readonly clock = new SystemClock();

  constructor(readonly programContext: ProgramContext, private readonly terminal: Terminal) {}

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  /** Returns once the user or `--yes` has confirmed the consequences; throws otherwise. */
  async confirm(command: Command, consequences: string): Promise<void> {
    const { json, yes } = command.optsWithGlobals<GlobalOptions>();
    if (yes === true) return;
    // With --json the command cannot ask the user.
    if (json === true || this.terminal.ask === undefined) throw misuse(`${consequences} Repeat the command with --yes to do it`);
    const answer = await this.terminal.ask(`${consequences} Continue? [y/N] `);
    if (!CONSENT.test(answer.trim())) throw new CommandFailure('cancelled; nothing has changed');
  }

  /** Writes a line to standard error, also with `--json`. */
  hint(text: string): void {
    this.terminal.error(`${printable(text)}\n`);
  }

  /** Returns a function that reports progress at a terminal. It does nothing without a terminal or with `--json`. */
  progressOf(command: Command): (text: string) => void {
    const { json } = command.optsWithGlobals<GlobalOptions>();
    return (text) => {
      if (json !== true) this.terminal.progress?.(printable(text));
    };
  }

  /** Like `progressOf`, but without a terminal it writes a line to standard error every 10 seconds at most. */
  longProgressOf(command: Command): (text: string) => void {
    if (command.optsWithGlobals<GlobalOptions>().json === true || this.terminal.progress !== undefined) return this.progressOf(command);
    let next = 0;
    return (text) => {
      if (performance.now() < next) return;
      next = performance.now() + LINE_MILLISECONDS;
      this.terminal.error(`${printable(text)}\n`);
    };
  }

  /** Writes one part of a result too long for memory. */
  async write(text: string): Promise<void> {
    if (this.terminal.outPart === undefined) this.terminal.out(text);
    else await this.terminal.outPart(text);
  }

  /** Opens the database, runs `work`, closes the database and prints the report. `work` returns `null` if it has printed its result itself. */
  async perform(command: Command, work: (session: OperatorSession) => Promise<Report | null>): Promise<void> {
    const { as } = command.optsWithGlobals<GlobalOptions>();
    const session = await openSession(this.programContext, as ?? null);
    try {
      const report = await work(session);
      if (report !== null) this.report(command, report);
    } finally {
      await session.close();
    }
  }

  /** Like `perform`, but only reads, so that the database may be a read-only copy. */
  async performReading(command: Command, work: (reader: StoreReader) => Promise<Report>): Promise<void> {
    const { settings } = settingsOf(this.programContext);
    const reader = await namingCreation(databases.openReader(settings.database));
    try {
      this.report(command, await work(reader));
    } finally {
      await reader.close();
    }
  }

  /** Prints the report of a command that needs no database. */
  report(command: Command, report: Report): void {
    const { json, wide } = command.optsWithGlobals<GlobalOptions>();
    this.#exitCode = report.exitCode ?? EXIT_CODES.done;
    print(report, { form: json === true ? 'json' : 'text', columns: wide === true ? null : this.terminal.columns ?? null, now: this.clock.now() }, this.terminal);
  }
}
