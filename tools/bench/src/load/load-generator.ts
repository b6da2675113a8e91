import type { Body } from './requests.js';
import type { DurationSummary } from '@tollgate/kit';
import type { MeasuredProcess, RunningSubject } from '../subjects/subject.js';
import { startOwnProgram } from '../subjects/pass-throughs.js';

/** A server, and the requests that a load sends to it. */
export interface LoadTarget {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The keys that requests carry, each conversation the next; with none, requests carry no key. */
  readonly keys: readonly string[];
  readonly body: Body;
}

export type LoadCommand =
  /** A fixed number of connections, each of which sends the next request when the last reply has come. */
  | { readonly load: 'closed'; readonly target: LoadTarget; readonly connections: number; readonly milliseconds: number }
  /** A fixed rate, whether or not earlier replies have come; so each conversation has one request. */
  | { readonly load: 'open'; readonly target: LoadTarget; readonly perSecond: number; readonly milliseconds: number }
  /** A fixed number of streams at any time; they start evenly spread over the length of one. */
  | {
    readonly load: 'streams'; readonly target: LoadTarget; readonly streams: number; readonly milliseconds: number;
    readonly eventsPerStream: number; readonly streamMilliseconds: number;
  };

/** How a load went. Latencies are counted from the instant a request was sent; where the rate is fixed, that does not wait for any reply. */
export interface LoadResult {
  readonly kind: 'loaded';
  readonly completed: number;
  readonly failed: number;
  /** The first failure; `null` without one. */
  readonly firstFailure: string | null;
  readonly milliseconds: number;
  readonly latency: DurationSummary;
  readonly firstToken: DurationSummary;
  /** How late requests of a fixed rate were sent. No latency includes it, since either side may have caused it. */
  readonly lateness: DurationSummary;
  /** Events of text that arrived. */
  readonly events: number;
  /** Streams whose events were not all there and in order. */
  readonly brokenStreams: number;
}

function isLoadResult(message: unknown): message is LoadResult {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'loaded';
}

/** How long a load may go on beyond its time: streams that have begun are read to their end. */
const GRACE_MILLISECONDS = 120_000;

/** The target of requests with this body to a subject. */
export function targetOf({ port, path, headers, keys }: RunningSubject, body: Body): LoadTarget {
  return { port, path, headers, keys, body };
}

/** The process that all load comes from. */
export class LoadGenerator {
  private constructor(readonly process: MeasuredProcess) {}

  static start(folder: string): LoadGenerator {
    return new LoadGenerator(startOwnProgram({ name: 'load', program: 'load/load-main.js', folder, environment: {} }));
  }

  /** Throws when a reply failed: figures of a server that does not serve say nothing. */
  async run(command: LoadCommand): Promise<LoadResult> {
    const result = this.process.message(isLoadResult, command.milliseconds + GRACE_MILLISECONDS);
    this.process.send(command);
    const { failed, firstFailure, ...rest } = await result;
    if (failed > 0) throw new Error(`${failed} requests failed, the first with: ${firstFailure ?? ''}`);
    return { failed, firstFailure, ...rest };
  }
}
