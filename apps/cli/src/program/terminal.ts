import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';

/** The output of a command. Standard output carries results only, so that it can be piped. */
export interface Terminal {
  out(text: string): void;
  /** Writes a part of a long result. Resolves once the reader has room for more, rejects when it has closed the stream. If absent, `out` is used. */
  outPart?(text: string): Promise<void>;
  error(text: string): void;
  /** Width of standard output in characters. Absent unless it is a terminal. */
  readonly columns?: number;
  /** Reports the progress of a long command. Absent without a terminal. */
  progress?(text: string): void;
  /** Asks the user. Absent without a terminal. The end of input counts as an empty answer. */
  ask?(question: string): Promise<string>;
}

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

/** Width of standard output: `COLUMNS`, or else the width of the terminal. `null` if standard output is not a terminal. */
export function terminalColumns({ stdout, environment }: { readonly stdout: { readonly isTTY?: boolean; readonly columns?: number }; readonly environment: Readonly<Record<string, string | undefined>> }): number | null {
  if (stdout.isTTY !== true) return null;
  const stated = /^[1-9]\d{0,4}$/.test(environment['COLUMNS'] ?? '') ? Number(environment['COLUMNS']) : null;
  return stated ?? stdout.columns ?? null;
}

/** The name of the operating system's user, or its number if it has no name, as in some containers. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
