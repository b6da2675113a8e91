import { createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';
import { printableLines } from '@tollgate/core';

/** The output of a command. Standard output carries results only, so that it can be piped. */
export interface Terminal {
  out(text: string): void;
  /** Writes a part of a long result. Resolves once the reader has room for more, rejects when it has closed the stream. If absent, `out` is used. */
  outPart?(text: string): Promise<void>;
  error(text: string): void;
  /** Reports the progress of a long command. Absent without a terminal. */
  progress?(text: string): void;
  /** Asks the user. Absent without a terminal. The end of input counts as an empty answer. */
  ask?(question: string): Promise<string>;
}

/** The streams of a process at a terminal. */
interface AskedProcess {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Asks on standard error, so that standard output carries the result only. The end of input counts as an empty answer. */
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

/** Escapes control characters and converts CRLF to LF. */
function forTerminal(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'));
}

/** Writes parts in order, each after the stream has taken the one before. Control characters are escaped for a terminal; a file or pipe gets every byte. */
export function partWriter(stream: PartStream): (text: string) => Promise<void> {
  let isWatched = false;
  return (text) => {
    // The write's callback reports the error. Without a listener the error would end the process too.
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
