import type { LoadGenerator } from '../load/load-generator.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';

/** One kind of figure, as tables show it. */
export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  /** How its ratio to the baseline is made; `none` where a ratio says nothing. */
  readonly compared: 'ratio' | 'none';
}

/** The figures of one subject in one round, by the figures' ids. */
export interface Measurement {
  readonly subject: SubjectId;
  readonly title: string;
  readonly round: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  /** Whose figures are 1. */
  readonly baseline: SubjectId;
  readonly figures: readonly Figure[];
  readonly measurements: readonly Measurement[];
}

/** What is there to measure with, and what to measure. */
export interface Bench {
  readonly load: LoadGenerator;
  /** In the order in which the first round measures them. */
  readonly subjects: readonly RunningSubject[];
  readonly warmth: Warmth;
  readonly rounds: number;
  /** Of what takes seconds each time, whose figures need fewer rounds to hold still. */
  readonly longRounds: number;
  /** Stretches or shortens every measurement. */
  readonly secondsFactor: number;
  /** Writes a profile of what the gateway does meanwhile, when the bench was asked to. */
  readonly profiled: <Result>(subject: RunningSubject, name: string, work: () => Promise<Result>) => Promise<Result>;
  readonly say: (text: string) => void;
}

/** What it depends on how long a scenario takes. */
export interface Pace extends Pick<Bench, 'warmth' | 'rounds' | 'longRounds' | 'secondsFactor'> {
  /** Whether they run already or not. */
  readonly subjects: readonly { readonly id: SubjectId }[];
}

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The estimated seconds, for the progress display; takes the warmth that it would give. */
  readonly expectedSeconds: (pace: Pace) => number;
  readonly run: (bench: Bench) => Promise<readonly ScenarioResult[]>;
}

/** What requests have in common that run the same code. */
export type Work = 'small' | 'agent' | 'large' | 'messages' | 'streams';

/** How long a kind of work has to last until the runtime has compiled what it runs. */
export interface WarmUp {
  readonly work: Work;
  /** For subjects that parse requests, which is more code than passing them on. */
  readonly gatewaySeconds: number;
  readonly passThroughSeconds: number;
}

/** For the requests that run nearly all the code there is: the first of them cost ten times as much. */
export const SMALL_WARM_UP: WarmUp = { work: 'small', gatewaySeconds: 9, passThroughSeconds: 6 };

/** One that can be warm, told apart from others by being another object. */
interface Warmed {
  readonly id: SubjectId;
}

const PASS_THROUGHS: ReadonlySet<SubjectId> = new Set(['node', 'express', 'parsing', 'durable']);

function secondsFor(id: SubjectId, { gatewaySeconds, passThroughSeconds }: WarmUp): number {
  // What it consists of serves the warm-ups of all others.
  if (id === 'direct') return 0;
  return PASS_THROUGHS.has(id) ? passThroughSeconds : gatewaySeconds;
}

/**
 * Knows what every subject is warm for, so that it is warmed up once for each kind of work, whichever scenario comes first.
 * Seconds are never made shorter for a quick run: a gateway that is cold looks far dearer than it is.
 */
export class Warmth {
  readonly #warm = new WeakMap<Warmed, Map<Work, number>>();

  /** How many seconds of its work a subject lacks; they count as given from then on. */
  take(subject: Warmed, warmUp: WarmUp): number {
    const given = this.#warm.get(subject) ?? new Map<Work, number>();
    const wanted = secondsFor(subject.id, warmUp);
    const before = given.get(warmUp.work) ?? 0;
    this.#warm.set(subject, given.set(warmUp.work, Math.max(before, wanted)));
    return Math.max(0, wanted - before);
  }
}
