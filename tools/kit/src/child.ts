import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const STOP_MILLISECONDS = 5000;
const START_MILLISECONDS = 30_000;

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Takes what the process writes to standard error. */
  readonly logFile: string;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A child process, which ends with its parent at the latest. */
export class Child {
  private constructor(readonly name: string, private readonly child: ChildProcess) {}

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

  /** A program of a tool, by the address of its compiled source, run by the same Node as the tool. */
  static startProgram(program: URL, folder: string): Child {
    const path = fileURLToPath(program);
    return Child.start({ name: path, command: process.execPath, argv: [path], folder, environment: {}, logFile: `${folder}/programs.log` });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return running.has(this.child);
  }

  /** Resolves with the next message of the process; rejects when it ends first. */
  message<Message>(milliseconds = START_MILLISECONDS): Promise<Message> {
    return this.first(milliseconds, (resolve) => {
      const take = (message: unknown): void => resolve(message as Message);
      this.child.once('message', take);
      return () => this.child.off('message', take);
    });
  }

  /** Resolves with the first match in what the process prints; rejects when it ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray> {
    let text = '';
    return this.first(START_MILLISECONDS, (resolve) => {
      const take = (chunk: Buffer): void => {
        text += chunk.toString();
        const match = pattern.exec(text);
        if (match !== null) resolve(match);
      };
      this.child.stdout?.on('data', take);
      return () => this.child.stdout?.off('data', take).resume();
    });
  }

  send(message: object): void {
    this.child.send(message);
  }

  /** Asks the process to stop, and kills it when it does not. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
  }

  private first<Value>(milliseconds: number, listen: (resolve: (value: Value) => void) => () => unknown): Promise<Value> {
    return new Promise((resolve, reject) => {
      const fail = (): void => settle(() => reject(new Error(`${this.name} ended or gave no answer; its log is in the working folder`)));
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
