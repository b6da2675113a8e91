import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PROBE = fileURLToPath(new URL('probe.js', import.meta.url));
const STOP_MILLISECONDS = 5000;
const ANSWER_MILLISECONDS = 30_000;

export interface ChildOptions {
  /** For messages to the person who runs the bench. */
  readonly name: string;
  /** The program and its arguments, run by the same Node as the bench. */
  readonly argv: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Takes what the process writes to standard error: its log. */
  readonly logFile: string;
}

/** Everything that was started and has not ended, so that nothing outlives the bench. */
const running = new Set<ChildProcess>();

/** Ends every process of the bench at once. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** A process of the bench, with the probe in it. */
export class MeasuredProcess {
  private constructor(readonly name: string, private readonly child: ChildProcess) {}

  static start({ name, argv, folder, environment, logFile }: ChildOptions): MeasuredProcess {
    const log = openSync(logFile, 'a');
    const child = spawn(process.execPath, ['--import', PROBE, ...argv], {
      cwd: folder,
      // Of the bench's own environment only what programs need to be found; a setting of the person who runs it would change what is measured.
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'pipe', log, 'ipc'],
    });
    closeSync(log);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return new MeasuredProcess(name, child);
  }

  /** Resolves with what a message of the process says; rejects when it ends or stays silent instead. */
  message<Message>(isIt: (message: unknown) => message is Message, milliseconds: number): Promise<Message> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        this.child.off('message', take).off('exit', fail);
      };
      const fail = (): void => {
        stop();
        reject(new Error(`${this.name} gave no answer`));
      };
      const take = (message: unknown): void => {
        if (!isIt(message)) return;
        stop();
        resolve(message);
      };
      const timer = setTimeout(fail, milliseconds);
      this.child.on('message', take).once('exit', fail);
    });
  }

  /** Resolves with the first match in what the process prints. */
  printed(pattern: RegExp, milliseconds: number): Promise<RegExpExecArray> {
    let text = '';
    return new Promise((resolve, reject) => {
      const { stdout } = this.child;
      const timer = setTimeout(() => reject(new Error(`${this.name} did not say that it is ready`)), milliseconds);
      const take = (chunk: Buffer): void => {
        text += chunk.toString();
        const match = pattern.exec(text);
        if (match === null) return;
        clearTimeout(timer);
        stdout?.off('data', take).resume();
        resolve(match);
      };
      stdout?.on('data', take);
      this.child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`${this.name} ended with code ${code} at its start`));
      });
    });
  }

  send(message: object): void {
    this.child.send(message);
  }

  async sample(): Promise<ProcessSample> {
    return this.ask({ ask: 'sample' }, 'sample');
  }

  async watchLoop(): Promise<void> {
    await this.ask({ ask: 'watch-loop' }, 'done');
  }

  loopDelay(): Promise<LoopDelay> {
    return this.ask({ ask: 'loop' }, 'loop');
  }

  async startProfile(): Promise<void> {
    await this.ask({ ask: 'start-profile' }, 'done');
  }

  async writeProfile(file: string): Promise<void> {
    await this.ask({ ask: 'write-profile', file }, 'done');
  }

  /** Asks the process to stop, and makes it stop when it does not. */
  async stop(): Promise<void> {
    if (!running.has(this.child)) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
  }

  private ask<Kind extends ProbeAnswer['kind']>(question: ProbeQuestion, kind: Kind): Promise<Extract<ProbeAnswer, { kind: Kind }>> {
    const isAnswer = (message: unknown): message is Extract<ProbeAnswer, { kind: Kind }> => (
      typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind);
    const answer = this.message(isAnswer, ANSWER_MILLISECONDS);
    this.send(question);
    return answer;
  }
}

/** What the bench asks of a process under test. */
export type ProbeQuestion =
  | { readonly ask: 'sample' | 'watch-loop' | 'loop' | 'start-profile' }
  | { readonly ask: 'write-profile'; readonly file: string };

/** What a process has used since its start, by the operating system's account. */
interface ProcessSample {
  readonly kind: 'sample';
  /** In user and system mode, of all its threads. */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  /** The process's own clock, in milliseconds. */
  readonly at: number;
}

/** How late the event loop was, since it was last watched. */
interface LoopDelay {
  readonly kind: 'loop';
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
}

export type ProbeAnswer = ProcessSample | LoopDelay | { readonly kind: 'done' };
