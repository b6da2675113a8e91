import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** A folder for the data of gateways. It is on a disk, because commits would cost nothing on tmpfs. */
export const CACHE = join(ROOT, 'node_modules/.cache/tollgate');

const INTERRUPTED = 130;
const FAILED = 1;

export interface Terminal {
  readonly out: (text: string) => void;
  /** Prints a text that is not part of the report. */
  readonly progress: (text: string) => void;
}

export type OptionsReading<Options> =
  | { readonly outcome: 'run'; readonly options: Options }
  | { readonly outcome: 'help' }
  | { readonly outcome: 'wrong'; readonly problem: string };

export function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Reads options by `read`, which returns `null` for the help and throws if an option is invalid. */
export function readingOf<Options>(read: () => Options | null): OptionsReading<Options> {
  try {
    const options = read();
    return options === null ? { outcome: 'help' } : { outcome: 'run', options };
  } catch (thrown) {
    return { outcome: 'wrong', problem: textOf(thrown) };
  }
}

export function makeWorkingFolder(name: string): string {
  mkdirSync(CACHE, { recursive: true });
  return mkdtempSync(join(CACHE, `${name}-`));
}

/** Runs a tool, and ends the process with its exit code, or with `failed` if it throws. Child processes end too. */
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
