import type { LoadGenerator } from '../load/load-generator.js';
import type { RunningSubject, SubjectId } from '../subjects/subject.js';
import type { Warmth } from './warmth.js';

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
  /** About how many seconds it takes, for whoever waits; takes the warmth that it would give. */
  readonly expectedSeconds: (pace: Pace) => number;
  readonly run: (bench: Bench) => Promise<readonly ScenarioResult[]>;
}
