import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const STOP_MILLISECONDS = 5000;
const START_MILLISECONDS = 30_000;

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly argv: readonly string[];
  readonly folder: string;
  /** The whole environment except `PATH`, so that no variable of this process has an effect. */
  readonly environment: Readonly<Record<string, string>>;
  /** File that receives standard error. */
  readonly logFile: string;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function isAny(_message: unknown): _message is never {
  return true;
}

/** A child process; it ends with its parent, if not before. */
export class Child {
  /** Resolves when the process has ended, with the signal that ended it; `null` if it exited. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** Resolves when all output of the process has been read. */
  readonly closed: Promise<unknown>;

  private constructor(readonly name: string, private readonly child: ChildProcess) {
    this.ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
    this.closed = once(child, 'close');
  }

  static start({ name, command, argv, folder, environment, logFile }: ChildOptions): Child {
    const log = openSync(logFile, 'a');
    const child = spawn(command, argv, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...environment },
      stdio: ['ignore', 'pipe', log, 'ipc'],
    });
    closeSync(log);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return new Child(name, child);
  }

  /** Runs a compiled program of a tool by the Node of this process. */
  static startProgram(program: URL, folder: string, environment: ChildOptions['environment'] = {}): Child {
    const path = fileURLToPath(program);
    return Child.start({ name: path, command: process.execPath, argv: [path], folder, environment, logFile: `${folder}/programs.log` });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return running.has(this.child);
  }

  /** Exit code; `null` while the process runs, or if a signal ended it. */
  get exitCode(): number | null {
    return this.child.exitCode;
  }

  get output(): Readable {
    return this.child.stdout as Readable;
  }

  onMessage(listener: (message: unknown) => void): void {
    this.child.on('message', listener);
  }

  /** Resolves with the next message that fits. Rejects if the process ends first, or after the time. */
  message<Message>(milliseconds = START_MILLISECONDS, fits: (message: unknown) => message is Message = isAny): Promise<Message> {
    return this.first(milliseconds, (resolve) => {
      const take = (message: unknown): void => {
        if (fits(message)) resolve(message);
      };
      this.child.on('message', take);
      return () => this.child.off('message', take);
    });
  }

  /** Resolves with the first match in the output. Rejects if the process ends first, or after the time. */
  printed(pattern: RegExp, milliseconds = START_MILLISECONDS): Promise<RegExpExecArray> {
    let text = '';
    return this.first(milliseconds, (resolve) => {
      const take = (chunk: Buffer): void => {
        text += chunk.toString();
        const match = pattern.exec(text);
        if (match !== null) resolve(match);
      };
      this.output.on('data', take);
      return () => this.output.off('data', take).resume();
    });
  }

  send(message: object): void {
    this.child.send(message);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** Sends SIGTERM, and after a timeout SIGKILL. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_MILLISECONDS);
    await this.ended;
    clearTimeout(timer);
  }

  private first<Value>(milliseconds: number, listen: (resolve: (value: Value) => void) => () => unknown): Promise<Value> {
    return new Promise((resolve, reject) => {
      const fail = (): void => settle(() => reject(new Error(`${this.name} ended or did not answer; its log is in the working folder`)));
      const timer = setTimeout(fail, milliseconds);
      const stopListening = listen((value) => settle(() => resolve(value)));
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        this.child.off('exit', fail);
        stopListening();
        end();
      };
      this.child.once('exit', fail);
    });
  }
}
