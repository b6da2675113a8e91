import { fileURLToPath } from 'node:url';
import { Child, type ChildOptions } from '@tollgate/kit';

/** The names of what is measured, as reports and goals use them. */
export type SubjectId =
  | 'direct' | 'node' | 'express' | 'tollgate' | 'tollgate-compared' | 'shared' | 'shared-compared' | 'portkey'
  /** Pass-throughs that do one thing more each. */
  | 'parsing' | 'durable'
  /** On a database that holds the use of years. */
  | 'tollgate-full';

/** A server that runs and can be asked for generations. */
export interface RunningSubject {
  readonly id: SubjectId;
  readonly title: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  readonly process: MeasuredProcess;
  /** From its start until it was ready. */
  readonly readyMilliseconds: number;
}

/** What starting a subject needs. */
export interface BenchContext {
  /** Of this run of the bench; removed when it ends. */
  readonly folder: string;
  readonly upstreamPort: number;
}

/** Something that stands between a client and the upstream. */
export interface Subject {
  readonly id: SubjectId;
  readonly title: string;
  start(context: BenchContext): Promise<RunningSubject>;
}

const PROBE = fileURLToPath(new URL('probe.js', import.meta.url));
const ANSWER_MILLISECONDS = 30_000;

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

/** A program that Node runs with the probe in it. */
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
