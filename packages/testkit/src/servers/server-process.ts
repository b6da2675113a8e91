import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';

/** A server program, whose log says when it is ready. */
export interface ServerProgram {
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly options: SpawnOptions;
  readonly log: 'stdout' | 'stderr';
  readonly isReady: RegExp;
  readonly startTimeoutMilliseconds: number;
  /** The signal that ends a server which fails to start, or whose parent exits. */
  readonly killSignal: NodeJS.Signals;
  /** What to do if the server cannot be started. Part of the error. */
  readonly advice: string;
}

const KEPT_LOG_CHARACTERS = 10_000;

/** Starts the program. Resolves when the server accepts connections, and rejects with the end of its log if it does not start. */
export async function startServerProcess(program: ServerProgram): Promise<ChildProcess> {
  const child = spawn(program.command, program.parameters, program.options);
  const killWithTests = (): void => void child.kill(program.killSignal);
  process.once('exit', killWithTests);
  child.once('exit', () => process.off('exit', killWithTests));
  await accepting(child, program);
  return child;
}

/** Sends the signal. Resolves when the process has exited. */
export async function endServerProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill(signal);
  await ended;
}

/** Reads the log until the server is ready. Then continues to read, because a full pipe would block the server. */
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
