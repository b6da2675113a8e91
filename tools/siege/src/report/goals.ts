import type { SiegeReport } from './siege-report.js';

const MEBIBYTE = 1_048_576;
/** Latencies are read in whole milliseconds, so a reference below this one says nothing exact. */
const LEAST_REFERENCE_MILLISECONDS = 5;
const HIGHEST_LOOP_DELAY_MILLISECONDS = 50;
const HIGHEST_BYTES = 512 * MEBIBYTE;
/** How far above idle the memory may rest. */
export const REST_BYTES = 100 * MEBIBYTE;
/** Descriptors that come and go with connections of the other customer. */
export const SPARE_DESCRIPTORS = 20;

export interface Goal {
  readonly what: string;
  readonly reached: string;
  readonly isMet: boolean;
}

function mebibytes(bytes: number | null): string {
  return bytes === null ? 'process ended' : `${Math.round(bytes / MEBIBYTE)} MiB`;
}

/** What the attacker aims at for comparison, as reports call it. */
export const COMPARED_WITH = { refusing: 'the bare server', hashing: 'a process with the same hashes' } as const;

function latencyGoal({ reference, victim, highestRatio, comparedWith }: SiegeReport): Goal {
  const ratio = victim.p99Milliseconds / Math.max(reference.p99Milliseconds, LEAST_REFERENCE_MILLISECONDS);
  return { what: `other customer's p99 below ${highestRatio} x that beside ${COMPARED_WITH[comparedWith]}`, reached: `${ratio.toFixed(2)} x`, isMet: ratio < highestRatio };
}

function refusalGoal({ victim }: SiegeReport): Goal {
  const refused = Object.entries(victim.statuses).filter(([status]) => status !== '200').reduce((sum, [, count]) => sum + count, 0) + victim.unanswered;
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

/** What an attack must not do to a gateway, and what it did. */
export function goalsOf(report: SiegeReport): readonly Goal[] {
  const { highestBytes, restingBytes, idleBytes, idleDescriptors, restingDescriptors, heldDescriptors, refusesConnections, reachable } = report;
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
    ...(refusesConnections ? [heldGoal(heldDescriptors, idleDescriptors)] : []),
    { what: 'health check reachable during the attack', reached: reachable ? 'yes' : 'no', isMet: reachable },
  ];
}
