import { fileURLToPath } from 'node:url';
import { Child, type ChildOptions } from '@tollgate/kit';

export type SubjectId =
  | 'direct' | 'node' | 'express' | 'tollgate' | 'tollgate-compared' | 'shared' | 'shared-compared' | 'portkey'
  | 'parsing' | 'durable'
  /** A gateway on a large database. */
  | 'tollgate-full';

export interface RunningSubject {
  readonly id: SubjectId;
  readonly title: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly process: MeasuredProcess;
  readonly readyMilliseconds: number;
}

export interface BenchContext {
  /** Folder for files of the run, deleted at its end. */
  readonly folder: string;
  readonly upstreamPort: number;
}

export interface Subject {
  readonly id: SubjectId;
  readonly title: string;
  start(context: BenchContext): Promise<RunningSubject>;
}

const PROBE = fileURLToPath(new URL('probe.js', import.meta.url));
const ANSWER_MILLISECONDS = 30_000;

export type ProbeQuestion =
  | { readonly ask: 'sample' | 'watch-loop' | 'loop' | 'start-profile' }
  | { readonly ask: 'write-profile'; readonly file: string };

/** Figures of a process since its start, from the operating system. */
interface ProcessSample {
  readonly kind: 'sample';
  /** CPU time of all threads, in user and system mode. */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  /** Time of the sample by the clock of the process, in milliseconds. */
  readonly at: number;
}

/** Event loop delay since the previous sample. */
interface LoopDelay {
  readonly kind: 'loop';
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
}

export type ProbeAnswer = ProcessSample | LoopDelay | { readonly kind: 'done' };

/** A Node process into which the probe is loaded. */
export class MeasuredProcess {
  private constructor(private readonly child: Child) {}

  static start({ argv, environment, ...options }: Omit<ChildOptions, 'command'>): MeasuredProcess {
    return new MeasuredProcess(Child.start({
      ...options, command: process.execPath, argv: ['--import', PROBE, ...argv], environment: { NODE_ENV: 'production', ...environment },
    }));
  }

  message<Message>(fits: (message: unknown) => message is Message, milliseconds: number): Promise<Message> {
    return this.child.message(milliseconds, fits);
  }

  printed(pattern: RegExp, milliseconds: number): Promise<RegExpExecArray> {
    return this.child.printed(pattern, milliseconds);
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

  stop(): Promise<void> {
    return this.child.stop();
  }

  private ask<Kind extends ProbeAnswer['kind']>(question: ProbeQuestion, kind: Kind): Promise<Extract<ProbeAnswer, { kind: Kind }>> {
    const isAnswer = (message: unknown): message is Extract<ProbeAnswer, { kind: Kind }> => (
      typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind);
    const answer = this.message(isAnswer, ANSWER_MILLISECONDS);
    this.send(question);
    return answer;
  }
}
