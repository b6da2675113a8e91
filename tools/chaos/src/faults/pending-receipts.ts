import type { FaultSight } from './fault-round.js';
import type { HeldOutcome } from './fault-world.js';

function nameOf({ format, streamed }: HeldOutcome): string {
  return `${format} ${streamed ? 'streamed' : 'whole'}`;
}

/** Notes how many held requests got a pending receipt. Kinds of request without any are violations. */
export function pendingIn(held: readonly HeldOutcome[]): Pick<FaultSight, 'notes' | 'violations'> {
  const pending = held.filter(({ receipt }) => receipt?.isPending === true);
  const seen = new Set(pending.map(nameOf));
  return {
    notes: [`${pending.length} of ${held.length} held requests had a pending receipt`],
    violations: [...new Set(held.map(nameOf))].filter((kind) => !seen.has(kind)).map((kind) => `no ${kind} reply had a pending receipt`),
  };
}
