import type { SeededRandom } from '@tollgate/testkit/programs';
import { KILL_POINTS, type KillPoint } from '../kill-points/kill-point.js';
import type { Setup, Trouble } from '../setups/setup.js';

/** A named boundary, or any moment. */
export type DeathKind = KillPoint | 'random';

/** How one or more gateways die. */
export interface RoundPlan {
  readonly kind: DeathKind;
  /** Which passing of the point is the last; for a random death, milliseconds before it. */
  readonly moment: number;
  /** Who dies; more than one only at random. */
  readonly seats: readonly number[];
  /** What happens to the shared servers at the same time. */
  readonly trouble: Trouble | null;
  /** Whether other programs look and credit meanwhile; without them, the next gateway is the first to open what was left. */
  readonly watched: boolean;
}

export interface RoundCounts {
  /** At each kill point. */
  readonly killPoints: number;
  readonly random: number;
}

/** What of a setup decides which rounds there are. */
export type Playground = Pick<Setup, 'gateways' | 'canBeLeftAlone' | 'drawTrouble'>;

const LATEST_PASSING = 20;
const LONGEST_LIFE_MILLISECONDS = 600;
const SHARE_OF_PAIRS = 0.2;
const SHARE_OF_TROUBLES = 0.3;
const SHARE_LEFT_ALONE = 0.3;

function seatsFor(kind: DeathKind, { gateways }: Playground, random: SeededRandom): readonly number[] {
  const first = random.between(0, gateways - 1);
  const isPair = kind === 'random' && gateways > 1 && random.happens(SHARE_OF_PAIRS);
  return isPair ? [first, (first + random.between(1, gateways - 1)) % gateways] : [first];
}

function planOf(kind: DeathKind, playground: Playground, random: SeededRandom): RoundPlan {
  return {
    kind,
    moment: kind === 'random' ? random.between(5, LONGEST_LIFE_MILLISECONDS) : random.between(1, LATEST_PASSING),
    seats: seatsFor(kind, playground, random),
    trouble: kind === 'random' && random.happens(SHARE_OF_TROUBLES) ? playground.drawTrouble(random) : null,
    watched: !playground.canBeLeftAlone || !random.happens(SHARE_LEFT_ALONE),
  };
}

/** Every round, in an order that gives each kind its share however early the time is up. */
export function planRounds({ killPoints, random: randomRuns }: RoundCounts, playground: Playground, random: SeededRandom): readonly RoundPlan[] {
  const wanted = new Map<DeathKind, number>([...KILL_POINTS.map((point) => [point, killPoints] as const), ['random', randomRuns]]);
  const most = Math.max(...wanted.values());
  const placed = [...wanted].flatMap(([kind, count]) => (
    Array.from({ length: count }, (_none, number) => ({ place: (number + 0.5) * (most / count), kind }))));
  return placed.toSorted((one, other) => one.place - other.place).map(({ kind }) => planOf(kind, playground, random));
}
