import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Environment } from '@tollgate/adapters-config';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../../../../node_modules/typescript/bin/tsc', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const LISTENING = /^Tollgate listening on (http:\S+)$/m;
const START_MILLISECONDS = 30_000;

/** Brings the compiled gateway up to date, which takes a moment when it is. */
export async function compileGateway(): Promise<void> {
  await run(process.execPath, [COMPILER, '-b', ROOT], { cwd: ROOT, env: {} });
}

/** The compiled gateway in a process of its own. Stop it after the test. */
export class GatewayProgram {
  private constructor(private readonly child: ChildProcess, readonly url: string) {}

  /** Resolves once it listens. */
  static async start(environment: Environment, folder: string): Promise<GatewayProgram> {
    const child = spawn(process.execPath, [PROGRAM], { cwd: folder, env: { ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
    const killWithTests = (): void => void child.kill('SIGKILL');
    process.once('exit', killWithTests);
    child.once('exit', () => process.off('exit', killWithTests));
    return new GatewayProgram(child, await addressOf(child));
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

/** What comes after the address is read and dropped, or a full pipe would stop the gateway. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`a gateway did not start in time: ${printed}`));
    }, START_MILLISECONDS);
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`a gateway ended at its start: ${printed}`));
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
