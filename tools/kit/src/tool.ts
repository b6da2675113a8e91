import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** On the same disk as a gateway's data would be: a folder in memory would make every commit free. */
export const CACHE = join(ROOT, 'node_modules/.cache/tollgate');

const INTERRUPTED = 130;
const FAILED = 1;

/** Where a tool writes. */
export interface Terminal {
  readonly out: (text: string) => void;
  /** Progress, which is not part of the report. */
  readonly progress: (text: string) => void;
}

/** A command line as it was read. */
export type OptionsReading<Options> =
  | { readonly outcome: 'run'; readonly options: Options }
  | { readonly outcome: 'help' }
  | { readonly outcome: 'wrong'; readonly problem: string };

export function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Reads a command line with a function that returns `null` for the help and throws what is wrong. */
export function readingOf<Options>(read: () => Options | null): OptionsReading<Options> {
  try {
    const options = read();
    return options === null ? { outcome: 'help' } : { outcome: 'run', options };
  } catch (thrown) {
    return { outcome: 'wrong', problem: textOf(thrown) };
  }
}

/** Makes an empty folder for one run. */
export function makeWorkingFolder(name: string): string {
  mkdirSync(CACHE, { recursive: true });
  return mkdtempSync(join(CACHE, `${name}-`));
}

/** Runs a tool with its arguments and ends the process with its exit code; with `failed` if it throws. Every child process ends with it. */
export async function runTool(run: (argv: readonly string[], terminal: Terminal) => Promise<number>, failed = FAILED): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(INTERRUPTED));
  const terminal: Terminal = { out: (text) => process.stdout.write(text), progress: (text) => process.stderr.write(`${text}\n`) };
  try {
    process.exit(await run(process.argv.slice(2), terminal));
  } catch (thrown) {
    process.stderr.write(`${textOf(thrown)}\n`);
    process.exit(failed);
  }
}
