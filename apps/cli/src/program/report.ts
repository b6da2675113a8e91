import { type Instant, type JsonObject, printable, printableLines } from '@tollgate/core';
import type { ExitCode } from './exit-codes.js';
import { listLines } from './list-lines.js';
import { tableLines } from './table-lines.js';
import type { Terminal } from './terminal.js';
import { fullTime, shortTime } from './when.js';

/** The result of a command, for people and for programs. */
export interface Report {
  /** Amounts of money are decimal strings, times and sizes exact. */
  readonly json: JsonObject;
  readonly lines: readonly ReportPart[];
  /** Exit code; not 0 if the result needs attention. */
  readonly exitCode?: ExitCode;
}

/** A line, or a table or list that is laid out once the terminal's width and the time are known. */
export type ReportPart = string | Table | List;

/** A point in time. Tables show it relative to now if it is within a day; lists show the time and its distance from now. */
interface TimeCell { readonly at: Instant }

export type Cell = string | number | TimeCell | null;

interface Table {
  readonly kind: 'table';
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

interface List {
  readonly kind: 'list';
  readonly entries: Readonly<Record<string, Cell>>;
}

export interface View {
  readonly form: 'text' | 'json';
  /** Width of the terminal, which tables do not exceed; `null` for no bound. */
  readonly columns: number | null;
  readonly now: Instant;
}

export function print(report: Report, view: View, terminal: Terminal): void {
  const text = view.form === 'json' ? JSON.stringify(report.json, null, 2) : report.lines.flatMap((part) => linesOf(part, view)).join('\n').trimEnd();
  if (text !== '') terminal.out(`${printableLines(text)}\n`);
}

function linesOf(part: ReportPart, { columns, now }: View): readonly string[] {
  if (typeof part === 'string') return [part];
  if (part.kind === 'list') return listLines(Object.entries(part.entries).map(([name, cell]) => [name, textOf(cell, (at) => fullTime(at, now))]));
  const texts = part.rows.map((row) => part.headings.map((_, column) => textOf(row[column] ?? null, (at) => shortTime(at, now))));
  const whole = new Set(part.headings.flatMap((_, column) => (part.rows.some((row) => isTime(row[column])) ? [column] : [])));
  return tableLines({ headings: part.headings, rows: texts, whole }, columns);
}

const MAX_NAME = 40;

/** Truncates a long name for lists, after its control characters are escaped. */
export function shortened(name: string): string {
  const shown = printable(name);
  return shown.length <= MAX_NAME ? shown : `${shown.slice(0, MAX_NAME - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function time(at: Instant | null, absent: string | null = null): Cell {
  return at === null ? absent : { at };
}

/** Columns are two spaces apart, figures are aligned at their decimal points, a `null` cell is empty. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): readonly ReportPart[] {
  return [{ kind: 'table', headings, rows }];
}

/** Like `table`, or a sentence if there are no rows. */
export function tableOr(sentence: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): readonly ReportPart[] {
  return rows.length === 0 ? [sentence] : table(headings, rows);
}

/** One `name: value` per line, with the values aligned. */
export function list(entries: Readonly<Record<string, Cell>>): readonly ReportPart[] {
  return [{ kind: 'list', entries }];
}

function isTime(cell: Cell | undefined): cell is TimeCell {
  return typeof cell === 'object' && cell !== null;
}

/** Names and users come from clients, so control characters are escaped. */
function textOf(cell: Cell, timeText: (at: Instant) => string): string {
  if (cell === null) return '';
  return isTime(cell) ? timeText(cell.at) : printable(String(cell));
}
