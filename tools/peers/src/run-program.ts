import { execFile } from 'node:child_process';

export interface ProgramRun {
  readonly command: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
}

export interface ProgramResult {
  /** `null` when it was killed because its time was over. */
  readonly exitCode: number | null;
  /** Standard output and standard error, in that order. */
  readonly output: string;
  readonly seconds: number;
}

const LONGEST_OUTPUT_BYTES = 16 * 1024 * 1024;
const MILLISECONDS_PER_SECOND = 1000;

/** Runs a program to its end, with no standard input and no other environment than the one given and `PATH`. */
export function runProgram({ command, argv, folder, environment, timeoutMilliseconds }: ProgramRun): Promise<ProgramResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const options = {
      cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...environment }, timeout: timeoutMilliseconds, killSignal: 'SIGKILL' as const, maxBuffer: LONGEST_OUTPUT_BYTES,
    };
    const child = execFile(command, argv, options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : child.exitCode;
      resolve({ exitCode, output: `${stdout}\n${stderr}`.trim(), seconds: (performance.now() - startedAt) / MILLISECONDS_PER_SECOND });
    });
    child.stdin?.end();
  });
}

/** This process's own environment, which installers need: it may say how packages are reached. */
export function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Like `runProgram`; rejects with the end of its output unless it exits with 0. */
export async function runOrThrow(run: ProgramRun): Promise<ProgramResult> {
  const result = await runProgram(run);
  if (result.exitCode !== 0) throw new Error(`${run.command} ended with ${result.exitCode ?? 'a timeout'}: ${result.output.slice(-1500)}`);
  return result;
}
