import { type JsonObject, printable, printableLines } from '@tollgate/core';
import type { Terminal } from './terminal.js';

/** Exit codes of the process. */
export const EXIT_CODES = { done: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** A command failed. The message is for the operator. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(message: string, readonly exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
  }
}

/** The command was called wrongly; repeating it unchanged fails again. */
export function misuse(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_CODES.misused);
}

/** The result of a command, for people and for programs. */
export interface Report {
  /** Amounts of money are decimal strings. */
  readonly json: JsonObject;
  readonly lines: readonly string[];
  /** Not 0 if the result needs attention. */
  readonly exitCode?: ExitCode;
}

export type OutputForm = 'text' | 'json';

export function print(report: Report, form: OutputForm, terminal: Terminal): void {
  const text = form === 'json' ? JSON.stringify(report.json, null, 2) : report.lines.join('\n');
  if (text !== '') terminal.out(`${printableLines(text)}\n`);
}

type Cell = string | number | null;

/** Columns are two spaces apart, numbers are right-aligned, `null` is empty. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): readonly string[] {
  const columns = headings.map((heading, column) => {
    const cells = rows.map((row) => row[column] ?? null);
    const width = Math.max(heading.length, ...cells.map((cell) => textOf(cell).length));
    return { width, toTheRight: cells.some((cell) => typeof cell === 'number') };
  });
  return [headings, ...rows].map((row) => columns.map(({ width, toTheRight }, column) => {
    const text = textOf(row[column] ?? null);
    return toTheRight ? text.padStart(width) : text.padEnd(width);
  }).join('  ').trimEnd());
}

/** One `name: value` per line, with the values aligned. */
export function list(entries: Readonly<Record<string, Cell>>): readonly string[] {
  const width = Math.max(...Object.keys(entries).map(({ length }) => length)) + 1;
  return Object.entries(entries).map(([name, value]) => `${`${name}:`.padEnd(width)} ${textOf(value)}`.trimEnd());
}

/** Names and users come from clients, so control characters are escaped. */
function textOf(cell: Cell): string {
  return cell === null ? '' : printable(String(cell));
}
