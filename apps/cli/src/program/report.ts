import { type JsonObject, printableLines } from '@tollgate/core';
import type { ExitCode } from './command-failure.js';
import type { Terminal } from './terminal.js';

/** What a command has to say: the same for people and for programs. */
export interface Report {
  /** Amounts of money are decimal strings. */
  readonly json: JsonObject;
  readonly lines: readonly string[];
  /** Other than 0 when what was found needs attention. */
  readonly exitCode?: ExitCode;
}

export type OutputForm = 'text' | 'json';

export function print(report: Report, form: OutputForm, terminal: Terminal): void {
  const text = form === 'json' ? JSON.stringify(report.json, null, 2) : report.lines.join('\n');
  if (text !== '') terminal.out(`${printableLines(text)}\n`);
}
