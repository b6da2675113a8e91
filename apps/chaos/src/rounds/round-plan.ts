import { KILL_POINTS, type KillPoint } from '../kill-points/kill-point.js';
import type { Random } from '../random.js';

/** A named boundary, or any moment. */
export type DeathKind = KillPoint | 'random';

/** One life of a gateway. */
export interface RoundPlan {
  readonly kind: DeathKind;
  /** Which passing of the point is the last; for a random death, milliseconds of load before it. */
  readonly moment: number;
  /** Whether other programs read and credit meanwhile; without them, the next gateway is the first to open what was left. */
  readonly watched: boolean;
}

export interface RoundCounts {
  readonly runs: number;
  readonly random: number;
}

const LATEST_PASSING = 40;
const LONGEST_LOAD_MILLISECONDS = 600;

function planOf(kind: DeathKind, random: Random): RoundPlan {
  const moment = kind === 'random' ? random.between(5, LONGEST_LOAD_MILLISECONDS) : random.between(1, LATEST_PASSING);
  return { kind, moment, watched: random.happens(0.5) };
}

/** Every round, in an order that gives each kind its share however early the time is up. */
export function planRounds({ runs, random: randomRuns }: RoundCounts, random: Random): readonly RoundPlan[] {
  const wanted = new Map<DeathKind, number>([...KILL_POINTS.map((point) => [point, runs] as const), ['random', randomRuns]]);
  const most = Math.max(...wanted.values());
  const placed = [...wanted].flatMap(([kind, count]) => (
    Array.from({ length: count }, (_none, number) => ({ place: (number + 0.5) * (most / count), kind }))));
  return placed.toSorted((one, other) => one.place - other.place).map(({ kind }) => planOf(kind, random));
}
