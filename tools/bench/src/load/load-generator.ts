import type { Body } from './requests.js';
import type { DurationSummary } from '@tollgate/kit';
import type { MeasuredProcess, RunningSubject } from '../subjects/subject.js';
import { startOwnProgram } from '../subjects/pass-throughs.js';

export interface LoadTarget {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Keys that conversations use in turn; empty sends no key. */
  readonly keys: readonly string[];
  readonly body: Body;
}

export type LoadCommand =
  /** Closed load: each connection sends its next request when its last reply is complete, until the time or the requests are used up. */
  | { readonly load: 'closed'; readonly target: LoadTarget; readonly connections: number; readonly milliseconds: number; readonly requests?: number }
  /** Open load: a fixed rate, independent of replies. Each conversation has one request. */
  | { readonly load: 'open'; readonly target: LoadTarget; readonly perSecond: number; readonly milliseconds: number }
  /** A fixed number of concurrent streams, whose starts are spread over the length of one. */
  | {
    readonly load: 'streams'; readonly target: LoadTarget; readonly streams: number; readonly milliseconds: number;
    readonly eventsPerStream: number; readonly streamMilliseconds: number;
  };

/** Latencies count from the time a request was sent. */
export interface LoadResult {
  readonly kind: 'loaded';
  readonly completed: number;
  readonly failed: number;
  /** `null` if no request failed. */
  readonly firstFailure: string | null;
  readonly milliseconds: number;
  readonly latency: DurationSummary;
  readonly firstToken: DurationSummary;
  /** Delay with which requests of an open load are sent. Not part of any latency, because either side may cause it. */
  readonly lateness: DurationSummary;
  /** Text events received. */
  readonly events: number;
  /** Streams with missing or reordered events. */
  readonly brokenStreams: number;
}

function isLoadResult(message: unknown): message is LoadResult {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'loaded';
}

/** Time after the end of a load for streams that have begun. */
const GRACE_MILLISECONDS = 120_000;

export function targetOf({ port, path, headers, keys }: RunningSubject, body: Body): LoadTarget {
  return { port, path, headers, keys, body };
}

/** Generates all load, in a process of its own. */
export class LoadGenerator {
  private constructor(readonly process: MeasuredProcess) {}

  static start(folder: string): LoadGenerator {
    return new LoadGenerator(startOwnProgram({ name: 'load', program: 'load/load-main.js', folder, environment: {} }));
  }

  /** Throws if a reply failed. */
  async run(command: LoadCommand): Promise<LoadResult> {
    const result = this.process.message(isLoadResult, command.milliseconds + GRACE_MILLISECONDS);
    this.process.send(command);
    const { failed, firstFailure, ...rest } = await result;
    if (failed > 0) throw new Error(`${failed} requests failed, the first with: ${firstFailure ?? ''}`);
    return { failed, firstFailure, ...rest };
  }
}
