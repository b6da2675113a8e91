import { printable } from '@tollgate/core';
import type { Command } from 'commander';
import { CommandFailure, EXIT_CODES, type ExitCode, misuse, type OutputForm, print, type Report, type Terminal } from './terminal.js';
import { openSession, type OperatorSession, type Surroundings } from './operator-session.js';

interface GlobalOptions { readonly json?: true; readonly as?: string; readonly yes?: true }

/** The option of commands that ask for confirmation. */
export const YES_OPTION = ['--yes', 'do it without asking; needed where no terminal can be asked'] as const;

const CONSENT = /^y(es)?$/i;

/** Runs the commands of one invocation and keeps the exit code. */
export class CommandRuntime {
  #exitCode: ExitCode = EXIT_CODES.done;

  constructor(readonly surroundings: Surroundings, private readonly terminal: Terminal) {}

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  /** Returns once the user or `--yes` confirms these consequences; throws otherwise. */
  async confirm(command: Command, consequences: string): Promise<void> {
    const { json, yes } = command.optsWithGlobals<GlobalOptions>();
    if (yes === true) return;
    // With --json there is no user to ask.
    if (json === true || this.terminal.ask === undefined) throw misuse(`${consequences} Repeat the command with --yes to do it`);
    const answer = await this.terminal.ask(`${consequences} Continue? [y/N] `);
    if (!CONSENT.test(answer.trim())) throw new CommandFailure('nothing is changed');
  }

  /** Reports progress to the terminal, if there is one; nothing with `--json`. */
  progressOf(command: Command): (text: string) => void {
    const { json } = command.optsWithGlobals<GlobalOptions>();
    return (text) => {
      if (json !== true) this.terminal.progress?.(printable(text));
    };
  }

  /** Writes a part of a result that is too long for memory. */
  async write(text: string): Promise<void> {
    if (this.terminal.outPart === undefined) this.terminal.out(text);
    else await this.terminal.outPart(text);
  }

  /** Opens the database, does the work, closes the database and prints the report; `null` if the work has written its result itself. */
  async perform(command: Command, work: (session: OperatorSession) => Promise<Report | null>): Promise<void> {
    const { as } = command.optsWithGlobals<GlobalOptions>();
    const session = await openSession(this.surroundings, as ?? null);
    try {
      const report = await work(session);
      if (report !== null) this.report(command, report);
    } finally {
      await session.close();
    }
  }

  /** Prints the report of a command that needs no database. */
  report(command: Command, report: Report): void {
    const form: OutputForm = command.optsWithGlobals<GlobalOptions>().json === true ? 'json' : 'text';
    this.#exitCode = report.exitCode ?? EXIT_CODES.done;
    print(report, form, this.terminal);
  }
}
