import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '@tollgate/adapters-config';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../../../../node_modules/typescript/bin/tsc', import.meta.url));
const BUNDLER = fileURLToPath(new URL('../../../../../scripts/bootstrap/bundle-programs.mjs', import.meta.url));
/** The bundle of the gateway. */
export const PROGRAM = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
const LISTENING = /^Tollgate listening on (http:\S+)$/m;
const START_MILLISECONDS = 30_000;
const MAX_PRINTED_CHARACTERS = 1_000_000;

/** Compiles and bundles the gateway, unless the test run compiled it at its start. */
export async function compileGateway(): Promise<void> {
  if (process.env['TOLLGATE_BUILT'] !== undefined) return;
  for (const step of [[COMPILER, '-b', ROOT], [BUNDLER]]) await run(process.execPath, step, { cwd: ROOT, env: {} });
}

/** The compiled gateway in its own process. Stop it after the test. */
export class GatewayProgram {
  private constructor(private readonly child: ChildProcess, readonly url: string, private readonly read: () => string) {}

  /** Resolves once the gateway listens; its log is shown. */
  static start(environment: Environment, folder: string): Promise<GatewayProgram> {
    return GatewayProgram.run('exec "$@"', { environment, folder, log: 'inherit' });
  }

  /** Like `start`, but `printed` contains the log, and `descriptors` limits how many the process may open; default: the system's limit. */
  static startWithLog(environment: Environment, folder: string, { descriptors }: { readonly descriptors?: number } = {}): Promise<GatewayProgram> {
    return GatewayProgram.run(`${descriptors === undefined ? '' : `ulimit -n ${descriptors}; `}exec "$@"`, { environment, folder, log: 'pipe' });
  }

  private static async run(script: string, { environment, folder, log }: { readonly environment: Environment; readonly folder: string; readonly log: 'inherit' | 'pipe' }): Promise<GatewayProgram> {
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, PROGRAM], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', log] });
    const killWithTests = (): void => void child.kill('SIGKILL');
    process.once('exit', killWithTests);
    child.once('exit', () => process.off('exit', killWithTests));
    let printed = '';
    for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-MAX_PRINTED_CHARACTERS);
    });
    const url = await addressOf(child);
    return new GatewayProgram(child, url, () => printed);
  }

  /** The latest output; it includes the log after `startWithLog`. */
  get printed(): string {
    return this.read();
  }

  /** Number of descriptors that the process has open. */
  get descriptors(): number {
    return readdirSync(`/proc/${this.child.pid}/fd`).length;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

/** Resolves with the address that the gateway prints. Later output is still read, because a full pipe would stop the gateway. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`a gateway did not start in time: ${printed}`));
    }, START_MILLISECONDS);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`a gateway exited before it listened: ${printed}`));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-10_000);
      const url = LISTENING.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}
