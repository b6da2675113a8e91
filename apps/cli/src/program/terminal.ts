import { createInterface } from 'node:readline/promises';
import { userInfo } from 'node:os';
import { printableLines } from '@tollgate/core';

/** Where a command's words go. Standard output is for results alone, so that they can be piped on. */
export interface Terminal {
  out(text: string): void;
  /** The same for a part of a long result; resolves once the reader has room for more, and rejects when it has left. `out` where absent. */
  outPart?(text: string): Promise<void>;
  error(text: string): void;
  /** Says what a long command is doing; absent where no person watches. */
  progress?(text: string): void;
  /** Asks the person at the terminal; absent where nobody can answer. An end of input is an empty answer. */
  ask?(question: string): Promise<string>;
}

/** The streams of a process that a person sits at. */
interface AskedProcess {
  readonly stdin: NodeJS.ReadableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Asks on standard error, so that standard output stays the result. An end of input is an empty answer. */
export async function askAtTerminal(question: string, { stdin, stderr }: AskedProcess): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

/** Standard output, as far as parts of a result need it. */
interface PartStream {
  readonly isTTY?: boolean;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: () => void): unknown;
}

/** Line breaks of any file are those of a terminal. */
function forTerminal(text: string): string {
  return printableLines(text.replaceAll('\r\n', '\n'));
}

/** Writes parts one after the other, each once the one before has been taken. A terminal gets nothing that it would obey; a file or pipe gets every byte. */
export function partWriter(stream: PartStream): (text: string) => Promise<void> {
  let isWatched = false;
  return (text) => {
    // What fails is told to the writer of the part. Without a listener it would end the process as well.
    if (!isWatched) stream.on('error', () => undefined);
    isWatched = true;
    return new Promise((resolve, reject) => {
      stream.write(stream.isTTY === true ? forTerminal(text) : text, (error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
  };
}

/** The user that the operating system runs this process as; by number where it has no name, as in some containers. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
