import type { MeasuredProcess } from '../processes/measured-process.js';

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
export interface Surroundings {
  /** Of this run of the bench; removed when it ends. */
  readonly folder: string;
  readonly upstreamPort: number;
}

/** Something that stands between a client and the upstream. */
export interface Subject {
  readonly id: SubjectId;
  readonly title: string;
  start(surroundings: Surroundings): Promise<RunningSubject>;
}
