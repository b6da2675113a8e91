import type { Ground, Reference } from './attacks/attack.js';
import type { Goal } from './checks/goal.js';
import type { LoadResult } from './loads/load.js';

/** Results of an attack. Memory is in bytes, and `null` if the process had ended. */
export interface SiegeReport {
  readonly id: string;
  readonly title: string;
  readonly ground: Ground;
  readonly comparedWith: Reference;
  /** Maximum p99 of the other customer, as a multiple of its p99 in `reference`. */
  readonly highestRatio: number;
  /** Results of the other customer while the comparison server is attacked. */
  readonly reference: LoadResult;
  /** Results of the other customer while the gateway is attacked. */
  readonly victim: LoadResult;
  /** Results of the attackers, one for each process. */
  readonly attackers: readonly LoadResult[];
  readonly loopDelayMilliseconds: number | null;
  readonly idleBytes: number;
  readonly highestBytes: number | null;
  /** Memory after the attack, when it is within 100 MiB of the idle memory, or when the time for that is over. */
  readonly restingBytes: number | null;
  readonly idleDescriptors: number;
  /** Number of descriptors near the end of the attack. */
  readonly heldDescriptors: number | null;
  /** Maximum number of the attackers' requests in the whole attack that get another status than 429; `null` for no goal. */
  readonly mostUnlimited: number | null;
  /** True if the gateway refuses the attack's connections, which then must not occupy descriptors. */
  readonly refusesConnections: boolean;
  readonly restingDescriptors: number | null;
  /** True if a new connection reached the health check during the attack. */
  readonly reachable: boolean;
}

const MEBIBYTE = 1_048_576;
/** Minimum p99 of a reference in the ratio. Latencies are whole milliseconds, so the ratio to a smaller one would be too inexact. */
const MIN_REFERENCE_MILLISECONDS = 5;
const HIGHEST_LOOP_DELAY_MILLISECONDS = 50;
const HIGHEST_BYTES = 512 * MEBIBYTE;
/** How much more memory than idle is permitted after the attack. */
export const REST_BYTES = 100 * MEBIBYTE;
/** Number of descriptors above the idle number that are permitted, for the other customer's connections. */
export const SPARE_DESCRIPTORS = 20;

function mebibytes(bytes: number | null): string {
  return bytes === null ? 'process ended' : `${Math.round(bytes / MEBIBYTE)} MiB`;
}

/** Names of the comparison servers in reports. */
const COMPARED_WITH: Readonly<Record<Reference, string>> = { refusing: 'the bare server', reading: 'a server that reads all bodies', hashing: 'a process with the same hashes' };

function latencyGoal({ reference, victim, highestRatio, comparedWith }: SiegeReport): Goal {
  const ratio = victim.p99Milliseconds / Math.max(reference.p99Milliseconds, MIN_REFERENCE_MILLISECONDS);
  return { what: `other customer's p99 below ${highestRatio} x that beside ${COMPARED_WITH[comparedWith]}`, reached: `${ratio.toFixed(2)} x`, isMet: ratio < highestRatio };
}

function refusalGoal({ victim }: SiegeReport): Goal {
  const refused = Object.entries(victim.statuses).filter(([status]) => !status.startsWith('2')).reduce((sum, [, count]) => sum + count, 0) + victim.unanswered;
  return { what: 'every request of the other customer served', reached: `${refused} of ${victim.requests} not`, isMet: refused === 0 && victim.requests > 0 };
}

function loopGoal({ loopDelayMilliseconds: delay }: SiegeReport): Goal {
  const reached = delay === null ? 'no answer' : `${delay.toFixed(1)} ms`;
  return { what: `event loop delay p99 at most ${HIGHEST_LOOP_DELAY_MILLISECONDS} ms`, reached, isMet: delay !== null && delay <= HIGHEST_LOOP_DELAY_MILLISECONDS };
}

function heldGoal(held: number | null, idle: number): Goal {
  return {
    what: `descriptors within ${SPARE_DESCRIPTORS} of idle while refused clients keep their side open`,
    reached: `${held ?? 'process ended'}, idle ${idle}`,
    isMet: held !== null && held <= idle + SPARE_DESCRIPTORS,
  };
}

function limitGoal(attackers: readonly LoadResult[], most: number): Goal {
  const unlimited = attackers.flatMap(({ statuses }) => Object.entries(statuses)).filter(([status]) => status !== '429').reduce((sum, [, count]) => sum + count, 0);
  return { what: `at most ${most} requests of the attacker answered with anything but 429`, reached: String(unlimited), isMet: unlimited <= most };
}

export function goalsOf(report: SiegeReport): readonly Goal[] {
  const { highestBytes, restingBytes, idleBytes, idleDescriptors, restingDescriptors, heldDescriptors, refusesConnections, reachable, mostUnlimited, attackers } = report;
  return [
    latencyGoal(report),
    refusalGoal(report),
    loopGoal(report),
    { what: 'process below 512 MiB', reached: mebibytes(highestBytes), isMet: highestBytes !== null && highestBytes < HIGHEST_BYTES },
    {
      what: 'memory afterwards within 100 MiB of idle',
      reached: `${mebibytes(restingBytes)}, idle ${mebibytes(idleBytes)}`,
      isMet: restingBytes !== null && restingBytes <= idleBytes + REST_BYTES,
    },
    {
      what: `descriptors afterwards within ${SPARE_DESCRIPTORS} of idle`,
      reached: `${restingDescriptors ?? 'process ended'}, idle ${idleDescriptors}`,
      isMet: restingDescriptors !== null && restingDescriptors <= idleDescriptors + SPARE_DESCRIPTORS,
    },
    ...(mostUnlimited === null ? [] : [limitGoal(attackers, mostUnlimited)]),
    ...(refusesConnections ? [heldGoal(heldDescriptors, idleDescriptors)] : []),
    { what: 'health check reachable during the attack', reached: reachable ? 'yes' : 'no', isMet: reachable },
  ];
}

function statusesOf({ statuses, unanswered, requests }: LoadResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
  return [`${requests} sent`, ...counts, ...(unanswered > 0 ? [`${unanswered} unanswered`] : [])].join(', ');
}

function latencyRow(name: string, { p50Milliseconds, p99Milliseconds, longestMilliseconds }: LoadResult): string {
  return `  ${name.padEnd(44)} p50 ${p50Milliseconds} ms, p99 ${p99Milliseconds} ms, longest ${longestMilliseconds} ms`;
}

export function renderReport(report: SiegeReport): string {
  const goals = goalsOf(report).map(({ what, reached, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'} ${what}: ${reached}`);
  return [
    `${report.id}${report.ground === 'shared' ? ' (two gateways on PostgreSQL and Redis)' : ''}: ${report.title}`,
    latencyRow(`other customer beside ${COMPARED_WITH[report.comparedWith]}`, report.reference),
    latencyRow('other customer, gateway attacked', report.victim),
    `  ${'other customer was answered'.padEnd(44)} ${statusesOf(report.victim)}`,
    ...report.attackers.map((attacker) => `  ${'attacker was answered'.padEnd(44)} ${statusesOf(attacker)}`),
    ...goals,
    '',
  ].join('\n');
}

const TABLE_HEAD = `| Attack | Other customer's p99, reference | Other customer's p99, gateway | Not served | Event loop p99 | Memory at most, afterwards, idle | Goals missed |
|---|---|---|---|---|---|---|`;

function wholeMebibytes(bytes: number | null): string {
  return bytes === null ? '–' : String(Math.round(bytes / MEBIBYTE));
}

export function renderTable(reports: readonly SiegeReport[]): string {
  const rows = reports.map((report) => {
    const { id, ground, reference, victim, loopDelayMilliseconds, highestBytes, restingBytes, idleBytes } = report;
    const memory = [highestBytes, restingBytes, idleBytes].map(wholeMebibytes).join(', ');
    const missed = goalsOf(report).filter(({ isMet }) => !isMet).map(({ what }) => what);
    const cells = [
      `\`${id}\`${ground === 'shared' ? ' (two gateways)' : ''}`, `${reference.p99Milliseconds} ms`, `${victim.p99Milliseconds} ms`, refusalGoal(report).reached.replace(/ not$/, ''),
      loopDelayMilliseconds === null ? '–' : `${loopDelayMilliseconds.toFixed(1)} ms`, `${memory} MiB`, missed.length === 0 ? '–' : missed.join('; '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [TABLE_HEAD, ...rows, ''].join('\n');
}
