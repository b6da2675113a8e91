import { type JsonObject, printable, printableLines } from '@tollgate/core';
import type { Terminal } from './terminal.js';

/** What the process ends with. */
export const EXIT_CODES = { done: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** A command that cannot do what it was asked; the message is for the operator. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(message: string, readonly exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
  }
}

/** The command was called wrongly: repeating it as it is cannot help. */
export function misuse(message: string): CommandFailure {
  return new CommandFailure(message, EXIT_CODES.misused);
}

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

type Cell = string | number | null;

/** Two spaces between columns; numbers to the right; nothing for `null`. */
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

/** One `name: value` per line, values under one another. */
export function list(entries: Readonly<Record<string, Cell>>): readonly string[] {
  const width = Math.max(...Object.keys(entries).map(({ length }) => length)) + 1;
  return Object.entries(entries).map(([name, value]) => `${`${name}:`.padEnd(width)} ${textOf(value)}`.trimEnd());
}

/** Names and users come from clients, and a terminal obeys some characters instead of showing them. */
function textOf(cell: Cell): string {
  return cell === null ? '' : printable(String(cell));
}
