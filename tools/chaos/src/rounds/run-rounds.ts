import type { SeededRandom } from '@tollgate/testkit/programs';
import { Watch, type WatchFigures } from '../world/inspector.js';
import type { World } from '../world/world.js';
import { quietEnding, type RoundFinding, runRound } from './run-round.js';
import { KILL_POINTS, type KillPoint } from '../gateways/kill-points.js';
import type { Setup, Trouble } from '../setups/setup.js';
import type { DeadProcess } from '../checks/dead-processes.js';

interface RoundsOptions {
  readonly plans: readonly RoundPlan[];
  readonly findings: Findings;
  readonly timeIsLeft: () => boolean;
  /** Called at the beginning of each round and of the quiet ending. */
  readonly onRound: (kind: DeathKind | 'quiet') => void;
}

export interface WorldFigures extends WatchFigures {
  readonly requests: number;
  readonly receipts: number;
  readonly credits: number;
  /** Number of requests whose billed output was compared with what was relayed. */
  readonly requestsCompared: number;
  readonly mostSlots: number;
}

/** Runs the rounds while requests are sent continuously, and then the quiet ending. */
export async function runRounds(world: World, { plans, findings, timeIsLeft, onRound }: RoundsOptions): Promise<WorldFigures> {
  const watch = new Watch(world);
  await world.fleet.start();
  await watch.start();
  const load = world.startLoad();
  for (const plan of plans) {
    if (!timeIsLeft()) break;
    onRound(plan.kind);
    findings.addRound(plan.kind, await runRound({ world, watch }, plan));
  }
  onRound('quiet');
  await load.stop();
  await watch.pause();
  await watch.inspector.reopen();
  await quietEnding({ world, watch });
  await watch.inspector.close();
  for (const dead of world.dead.all) findings.addDead(dead);
  const { outcomes, receipts, credits } = world.acknowledged;
  const { requestsCompared, slots } = watch.inspector;
  return { ...watch.figures, requests: outcomes.length, receipts: receipts.length, credits: credits.length, requestsCompared, mostSlots: slots.most };
}

/** Where a gateway dies; `random`: at any moment. */
export type DeathKind = KillPoint | 'random';

export interface RoundPlan {
  readonly kind: DeathKind;
  /** At a kill point: the number of passings, of which the last kills the gateway. At random: milliseconds until the death. */
  readonly moment: number;
  /** Seats of the gateways to kill, more than one only for deaths at random moments. */
  readonly seats: readonly number[];
  /** A fault of the shared servers at the same time; `null` for none. */
  readonly trouble: Trouble | null;
  /** False if no other program has the database open, so that the successor is the first to open it. */
  readonly watched: boolean;
}

export interface RoundCounts {
  /** Number of rounds for each kill point. */
  readonly killPoints: number;
  readonly random: number;
}

/** The properties of a setup that determine its plan. */
export type Playground = Pick<Setup, 'gateways' | 'canBeLeftAlone' | 'drawTrouble'>;

const LATEST_PASSING = 20;
const MAX_LIFE_MILLISECONDS = 600;
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
    moment: kind === 'random' ? random.between(5, MAX_LIFE_MILLISECONDS) : random.between(1, LATEST_PASSING),
    seats: seatsFor(kind, playground, random),
    trouble: kind === 'random' && random.happens(SHARE_OF_TROUBLES) ? playground.drawTrouble(random) : null,
    watched: !playground.canBeLeftAlone || !random.happens(SHARE_LEFT_ALONE),
  };
}

/** Plans the rounds, in an order that gives each kind its share even if the time is over early. */
export function planRounds({ killPoints, random: randomRuns }: RoundCounts, playground: Playground, random: SeededRandom): readonly RoundPlan[] {
  const wanted = new Map<DeathKind, number>([...KILL_POINTS.map((point) => [point, killPoints] as const), ['random', randomRuns]]);
  const most = Math.max(...wanted.values());
  const placed = [...wanted].flatMap(([kind, count]) => (
    Array.from({ length: count }, (_none, number) => ({ place: (number + 0.5) * (most / count), kind }))));
  return placed.toSorted((one, other) => one.place - other.place).map(({ kind }) => planOf(kind, playground, random));
}

export interface KindFindings {
  readonly kind: DeathKind;
  readonly runs: number;
  /** Number of rounds in which a gateway missed its point and was killed from outside. */
  readonly unreached: number;
  readonly deaths: number;
  /** Number of reservations that killed gateways left behind. */
  readonly orphans: number;
  readonly violations: readonly string[];
  /** Longest time from the start of a successor until it was ready. */
  readonly worstRestartMilliseconds: number;
  /** Longest time from the death of a process until its last reservation ended. */
  readonly worstOrphanMilliseconds: number;
  /** Longest time from when a successor was ready until the last reservation of the process before it ended. */
  readonly worstAfterRestartMilliseconds: number;
}

const NOTHING = {
  runs: 0, unreached: 0, deaths: 0, orphans: 0, violations: [], worstRestartMilliseconds: 0, worstOrphanMilliseconds: 0, worstAfterRestartMilliseconds: 0,
} as const;

/** Findings by kind, in the order of `kinds`. */
export class Findings {
  readonly #byKind: Map<DeathKind, KindFindings>;

  constructor(kinds: readonly DeathKind[]) {
    this.#byKind = new Map(kinds.map((kind) => [kind, { kind, ...NOTHING }]));
  }

  addRound(kind: DeathKind, { reached, restartMilliseconds }: RoundFinding): void {
    this.change(kind, ({ runs, unreached, worstRestartMilliseconds }) => ({
      runs: runs + 1,
      unreached: unreached + (reached ? 0 : 1),
      worstRestartMilliseconds: Math.max(worstRestartMilliseconds, restartMilliseconds),
    }));
  }

  addViolation(kind: DeathKind, violation: string): void {
    this.change(kind, ({ violations }) => ({ violations: [...violations, violation] }));
  }

  addDead({ kind, diedAt, succeededAt, orphans, heldUntil }: DeadProcess): void {
    this.change(kind as DeathKind, (before) => ({
      deaths: before.deaths + 1,
      orphans: before.orphans + orphans,
      worstOrphanMilliseconds: Math.max(before.worstOrphanMilliseconds, heldUntil - diedAt),
      worstAfterRestartMilliseconds: Math.max(before.worstAfterRestartMilliseconds, heldUntil - (succeededAt ?? heldUntil)),
    }));
  }

  get all(): readonly KindFindings[] {
    return [...this.#byKind.values()];
  }

  private change(kind: DeathKind, to: (before: KindFindings) => Partial<KindFindings>): void {
    const before = this.#byKind.get(kind) ?? { kind, ...NOTHING };
    this.#byKind.set(kind, { ...before, ...to(before) });
  }
}

const NO_FIGURES: WorldFigures = { looks: 0, missed: 0, watchedMilliseconds: 0, audits: 0, longestGapMilliseconds: 0, requests: 0, receipts: 0, credits: 0, requestsCompared: 0, mostSlots: 0 };

/** Figures of all worlds together: sums of counts, and the largest of each maximum. */
export function sumOf(worlds: readonly WorldFigures[]): WorldFigures {
  return worlds.reduce((sum, world) => ({
    looks: sum.looks + world.looks,
    missed: sum.missed + world.missed,
    watchedMilliseconds: sum.watchedMilliseconds + world.watchedMilliseconds,
    audits: sum.audits + world.audits,
    longestGapMilliseconds: Math.max(sum.longestGapMilliseconds, world.longestGapMilliseconds),
    requests: sum.requests + world.requests,
    receipts: sum.receipts + world.receipts,
    credits: sum.credits + world.credits,
    requestsCompared: sum.requestsCompared + world.requestsCompared,
    mostSlots: Math.max(sum.mostSlots, world.mostSlots),
  }), NO_FIGURES);
}
