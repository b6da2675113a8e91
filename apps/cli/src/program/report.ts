import { type JsonObject, printable, printableLines } from '@tollgate/core';
import type { ExitCode } from './exit-codes.js';
import type { Terminal } from './terminal.js';

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

const MAX_NAME = 40;

/** A name for lists: long ones are truncated by their width in a terminal. */
export function shortened(name: string): string {
  const shown = printable(name);
  return shown.length <= MAX_NAME ? shown : `${shown.slice(0, MAX_NAME - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

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
