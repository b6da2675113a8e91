import { createInterface } from 'node:readline/promises';

/** The streams of a process that a person sits at. */
export interface AskedProcess {
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
