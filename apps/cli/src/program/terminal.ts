import { createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';
import { type JsonObject, printable, printableLines } from '@tollgate/core';

/** The output of a command. Standard output carries results only, so that it can be piped. */
export interface Terminal {
  out(text: string): void;
  /** Writes a part of a long result. Resolves once the reader has room for more, rejects when it has closed the stream. If absent, `out` is used. */
  outPart?(text: string): Promise<void>;
  error(text: string): void;
  /** Reports the progress of a long command. Absent without a terminal. */
  progress?(text: string): void;
  /** Absent without a terminal. The end of input counts as an empty answer. */
  ask?(question: string): Promise<string>;
}

/** The streams of a process at a terminal. */
interface AskedProcess {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Prompts on standard error, so that standard output contains only the result. The end of input counts as an empty answer. */
export async function askAtTerminal(question: string, { stdin, stderr }: AskedProcess): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

/** The part of standard output's interface that `partWriter` uses. */
interface PartStream {
  readonly isTTY?: boolean;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: () => void): unknown;
}

/** Escapes control characters, converts CRLF to LF and drops the byte order mark. */
function forTerminal(text: string): string {
  return printableLines(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
}

/** Writes parts in order, each after the stream accepted the previous one. Escapes control characters for terminals only. */
export function partWriter(stream: PartStream): (text: string) => Promise<void> {
  let isWatched = false;
  return (text) => {
    // The write's callback reports the error; without a listener it would also end the process.
    if (!isWatched) stream.on('error', () => undefined);
    isWatched = true;
    return new Promise((resolve, reject) => {
      stream.write(stream.isTTY === true ? forTerminal(text) : text, (error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
  };
}

/** The name of the operating system's user, or its number if it has no name, as in some containers. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

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
