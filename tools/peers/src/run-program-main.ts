import type { CheckResult } from './run-checks.js';

const INTERRUPTED = 130;
const WRONGLY_CALLED = 2;

export interface CheckProgram<Options> {
  readonly help: string;
  /** `null` for the help; throws what is wrong with the command line. */
  readonly readOptions: (argv: readonly string[]) => Options | null;
  readonly run: (options: Options) => Promise<readonly CheckResult[]>;
}

async function main<Options>({ help, readOptions, run }: CheckProgram<Options>): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(help);
    return 0;
  }
  const results = await run(options);
  const failed = results.filter(({ passed }) => !passed).length;
  process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Runs a program of checks and ends the process: 0, 1 when a check failed, 2 when it could not run. */
export async function runProgramMain<Options>(program: CheckProgram<Options>): Promise<never> {
  // Every child process ends with this one; see Child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(INTERRUPTED));
  try {
    process.exit(await main(program));
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exit(WRONGLY_CALLED);
  }
}
