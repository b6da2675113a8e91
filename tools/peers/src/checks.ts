import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { runTool, type Terminal, textOf } from '@tollgate/kit';

/** The gateway that a check talks to. */
export interface World {
  /** As in `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly key: string;
  /** Of the check's own; empty. */
  readonly folder: string;
}

/** What is installed for checks, once for all that need it. */
export interface Peer {
  readonly id: string;
  /** Its megabytes on disk, roughly, to tell before installing. */
  readonly megabytes: number;
  /** Installs into a folder and resolves once it can be run. Does nothing when it is there already. */
  readonly install: (folder: string) => Promise<void>;
}

/** One thing to try. `Situation` is what its kind of check is given. */
export interface Check<Situation extends World = World> {
  readonly title: string;
  readonly peer: Peer;
  /** Resolves with what was seen; rejects with what was wrong. `peerFolder` is where the peer was installed. */
  readonly run: (world: Situation, peerFolder: string) => Promise<string>;
}

/** Throws what was expected and what was seen, unless a condition holds. */
export function expectThat(holds: boolean, expected: string, seen: string): void {
  if (!holds) throw new Error(`expected ${expected}; saw ${seen}`);
}

export interface CheckResult {
  readonly title: string;
  readonly passed: boolean;
  /** What was seen, or what was wrong. */
  readonly seen: string;
}

/** Where things are kept: peers from run to run, working folders for one run. */
interface CheckFolders {
  readonly peers: string;
  readonly work: string;
}

interface CheckRun<Situation extends World> {
  readonly world: Omit<Situation, 'folder'>;
  readonly folders: CheckFolders;
  readonly terminal: Terminal;
}

async function runCheck<Situation extends World>(check: Check<Situation>, world: Situation, peerFolder: string): Promise<CheckResult> {
  try {
    return { title: check.title, passed: true, seen: await check.run(world, peerFolder) };
  } catch (thrown) {
    return { title: check.title, passed: false, seen: textOf(thrown) };
  }
}

/** Runs checks one after the other, installing each peer before its first. A failed check does not stop the others. */
export async function runChecks<Situation extends World>(checks: readonly Check<Situation>[], { world, folders, terminal }: CheckRun<Situation>): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const installed = new Set<string>();
  for (const [position, check] of checks.entries()) {
    const { peer, title } = check;
    const peerFolder = join(folders.peers, peer.id);
    if (!installed.has(peer.id)) {
      terminal.progress(`Installing ${peer.id}, about ${peer.megabytes} MB unless it is there`);
      await peer.install(peerFolder);
      installed.add(peer.id);
    }
    terminal.progress(`[${position + 1} of ${checks.length}] ${title}`);
    const result = await runCheck(check, { ...world, folder: join(folders.work, `${position}`) } as Situation, peerFolder);
    terminal.out(`${result.passed ? 'passed' : 'FAILED'}  ${title}\n        ${result.seen.replaceAll('\n', '\n        ')}\n`);
    results.push(result);
  }
  return results;
}

const WRONGLY_CALLED = 2;

interface CheckProgram<Options> {
  readonly help: string;
  /** `null` for the help; throws what is wrong with the command line. */
  readonly readOptions: (argv: readonly string[]) => Options | null;
  readonly run: (options: Options) => Promise<readonly CheckResult[]>;
}

/** Runs a program of checks and ends the process: 0, 1 when a check failed, 2 when it could not run. */
export function runCheckTool<Options>({ help, readOptions, run }: CheckProgram<Options>): Promise<never> {
  return runTool(async (argv, { out }) => {
    const options = readOptions(argv);
    if (options === null) {
      out(help);
      return 0;
    }
    const results = await run(options);
    const failed = results.filter(({ passed }) => !passed).length;
    out(`${results.length - failed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  }, WRONGLY_CALLED);
}

interface ProgramRun {
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
function inheritedEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Like `runProgram`; rejects with the end of its output unless it exits with 0. */
export async function runOrThrow(run: ProgramRun): Promise<ProgramResult> {
  const result = await runProgram(run);
  if (result.exitCode !== 0) throw new Error(`${run.command} ended with ${result.exitCode ?? 'a timeout'}: ${result.output.slice(-1500)}`);
  return result;
}

const INSTALL_MILLISECONDS = 300_000;

/** Installs one version of an npm package, without running its install scripts. */
export async function installNpmPackage(folder: string, name: string, version: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runOrThrow({
    command: 'npm', argv: ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`],
    folder, environment: inheritedEnvironment(), timeoutMilliseconds: INSTALL_MILLISECONDS,
  });
}

const PIP_MILLISECONDS = 600_000;
const COMPLETE = 'complete';

/** The interpreter of the environment in a folder. */
export function pythonIn(folder: string): string {
  return join(folder, 'venv', 'bin', 'python');
}

/** Makes a Python environment of its own with exactly these packages. Needs `python3` with venv. */
export async function installPythonPackages(folder: string, packages: readonly string[]): Promise<void> {
  if (existsSync(join(folder, COMPLETE))) return;
  mkdirSync(folder, { recursive: true });
  const common = { folder, environment: inheritedEnvironment(), timeoutMilliseconds: PIP_MILLISECONDS };
  await runOrThrow({ ...common, command: 'python3', argv: ['-m', 'venv', 'venv'] });
  await runOrThrow({ ...common, command: pythonIn(folder), argv: ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages] });
  writeFileSync(join(folder, COMPLETE), '');
}
