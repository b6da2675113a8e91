import type { Body } from './requests.js';
import type { DurationSummary } from '@tollgate/kit';
import type { MeasuredProcess, RunningSubject } from '../subjects/subject.js';
import { startOwnProgram } from '../subjects/pass-throughs.js';

export interface LoadTarget {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** API keys that conversations use in turn; if empty, requests have no key. */
  readonly keys: readonly string[];
  readonly body: Body;
}

export type LoadCommand =
  /** Closed load: a connection sends its next request when its last reply is complete, until the time is over or `requests` are sent. */
  | { readonly load: 'closed'; readonly target: LoadTarget; readonly connections: number; readonly milliseconds: number; readonly requests?: number }
  /** Open load: requests start at a fixed rate, whatever the replies. */
  | { readonly load: 'open'; readonly target: LoadTarget; readonly perSecond: number; readonly milliseconds: number }
  /** A fixed number of concurrent streams; their starts are spread over the duration of a stream. */
  | {
    readonly load: 'streams'; readonly target: LoadTarget; readonly streams: number; readonly milliseconds: number;
    readonly eventsPerStream: number; readonly streamMilliseconds: number;
  };

/** Results of a load. A latency begins when its request was sent. */
export interface LoadResult {
  readonly kind: 'loaded';
  readonly completed: number;
  readonly failed: number;
  /** Reason of the first failure; `null` if no request failed. */
  readonly firstFailure: string | null;
  readonly milliseconds: number;
  readonly latency: DurationSummary;
  readonly firstToken: DurationSummary;
  /** How late the requests of an open load were sent. It is not part of a latency, because either side may be the cause. */
  readonly lateness: DurationSummary;
  /** Number of text events received. */
  readonly events: number;
  /** Number of streams with missing or reordered events. */
  readonly brokenStreams: number;
}

function isLoadResult(message: unknown): message is LoadResult {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'loaded';
}

/** Time after a load in which its last streams may end. */
const GRACE_MILLISECONDS = 120_000;

export function targetOf({ port, path, headers, keys }: RunningSubject, body: Body): LoadTarget {
  return { port, path, headers, keys, body };
}

/** Generates all load from a process of its own. */
export class LoadGenerator {
  private constructor(readonly process: MeasuredProcess) {}

  static start(folder: string): LoadGenerator {
    return new LoadGenerator(startOwnProgram({ name: 'load', program: 'load/load-main.js', folder, environment: {} }));
  }

  /** Runs a load; resolves with its results. Throws if a request failed. */
  async run(command: LoadCommand): Promise<LoadResult> {
    const result = this.process.message(isLoadResult, command.milliseconds + GRACE_MILLISECONDS);
    this.process.send(command);
    const { failed, firstFailure, ...rest } = await result;
    if (failed > 0) throw new Error(`${failed} requests failed, the first with: ${firstFailure ?? ''}`);
    return { failed, firstFailure, ...rest };
  }
}
