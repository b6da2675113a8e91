import { type ChildProcess, execFileSync, spawn, type SpawnOptions } from 'node:child_process';

/** A server program that says in its log when it is ready. */
interface ServerProgram {
  /** Its name in messages. */
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly options: SpawnOptions;
  /** Where it writes its log. */
  readonly log: 'stdout' | 'stderr';
  readonly isReady: RegExp;
  readonly startTimeoutMilliseconds: number;
  /** The signal for a server that does not start, and for one whose starting process exits. */
  readonly killSignal: NodeJS.Signals;
  /** Advice for when it cannot be started. */
  readonly advice: string;
}

const KEPT_LOG_CHARACTERS = 10_000;

/** Starts a server. Resolves once it accepts connections; rejects with the end of its log if it fails. */
export async function startServerProcess(program: ServerProgram): Promise<ChildProcess> {
  const child = spawn(program.command, program.parameters, program.options);
  const killWithTests = (): void => void child.kill(program.killSignal);
  process.once('exit', killWithTests);
  child.once('exit', () => process.off('exit', killWithTests));
  await accepting(child, program);
  return child;
}

/** Sends a signal that ends the process. Resolves when it has ended. */
export async function endServerProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill(signal);
  await ended;
}

/** Reads the log until the server is ready, and drains it afterwards so that a full pipe does not block the server. */
function accepting(child: ChildProcess, program: ServerProgram): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (why: string): void => {
      child.kill(program.killSignal);
      reject(new Error(`${program.name} ${why}\n${log}`));
    };
    const timer = setTimeout(() => fail('did not start in time'), program.startTimeoutMilliseconds);
    child.once('error', (error) => fail(`could not be started: ${error.message}. ${program.advice}`));
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
    child[program.log]?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-KEPT_LOG_CHARACTERS);
      if (!program.isReady.test(log)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Numbers of the processes that one has started and that still run. */
function childrenOf(pid: number): readonly number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return processes.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === pid).map(([child]) => child ?? pid);
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    // It has ended since it was listed.
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

/** Sends a signal to a process and to those it has started, itself first, so that it starts no more in between. */
export function signalFamily({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  sendTo(pid, signal);
  for (const child of childrenOf(pid)) sendTo(child, signal);
}

/** The user that the server runs as; empty for the user of the tests. */
export interface ProcessUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root, so there it runs as `nobody`. */
export function unprivilegedUser(): ProcessUser {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: '-u' | '-g'): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
