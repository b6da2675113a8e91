import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';

export interface ProgramRun {
  readonly command: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
}

export interface ProgramResult {
  /** `null` if the program was killed after the timeout. */
  readonly exitCode: number | null;
  /** Standard output, followed by standard error. */
  readonly output: string;
  readonly seconds: number;
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const MILLISECONDS_PER_SECOND = 1000;

/** Runs a program without standard input; its environment has only `environment` and `PATH`. Rejects if the program cannot be started. */
export function runProgram({ command, argv, folder, environment, timeoutMilliseconds }: ProgramRun): Promise<ProgramResult> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const options = {
      cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...environment }, timeout: timeoutMilliseconds, killSignal: 'SIGKILL' as const, maxBuffer: MAX_OUTPUT_BYTES,
    };
    const child = execFile(command, argv, options, (error, stdout, stderr) => {
      if (error !== null && 'syscall' in error) {
        reject(new Error(`${command} cannot be started: ${error.message}`));
        return;
      }
      const exitCode = error === null ? 0 : child.exitCode;
      resolve({ exitCode, output: `${stdout}\n${stderr}`.trim(), seconds: (performance.now() - startedAt) / MILLISECONDS_PER_SECOND });
    });
    child.stdin?.end();
  });
}

/** Environment of installers: that of this process, because it may name a registry. */
function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Runs a program. Rejects with the end of its output unless its exit code is 0. */
export async function runOrThrow(run: ProgramRun): Promise<ProgramResult> {
  const result = await runProgram(run);
  if (result.exitCode !== 0) throw new Error(`${run.command} ended with ${result.exitCode ?? 'a timeout'}: ${result.output.slice(-1500)}`);
  return result;
}

const INSTALL_MILLISECONDS = 300_000;

/** Installs a package, without its install scripts. */
export function installNpmPackage(folder: string, name: string, version: string): Promise<void> {
  return installNpmPackages(folder, { [name]: version });
}

/** Installs packages, without their install scripts. */
export async function installNpmPackages(folder: string, versions: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(versions).every((name) => existsSync(join(folder, 'node_modules', name, 'package.json')))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runOrThrow({
    command: 'npm', argv: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...Object.entries(versions).map(([name, version]) => `${name}@${version}`)],
    folder, environment: inheritedEnvironment(), timeoutMilliseconds: INSTALL_MILLISECONDS,
  });
}

const PIP_MILLISECONDS = 600_000;
const COMPLETE = 'complete';

export function pythonIn(folder: string): string {
  return join(folder, 'venv', 'bin', 'python');
}

/** Creates a virtual environment with exactly these packages and their dependencies. This needs `python3` with the module venv. */
export async function installPythonPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (existsSync(join(folder, COMPLETE))) return;
  mkdirSync(folder, { recursive: true });
  const common = { folder, environment: inheritedEnvironment(), timeoutMilliseconds: PIP_MILLISECONDS };
  await runOrThrow({ ...common, command: 'python3', argv: ['-m', 'venv', 'venv'] });
  await runOrThrow({ ...common, command: pythonIn(folder), argv: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages] });
  writeFileSync(join(folder, COMPLETE), '');
}
