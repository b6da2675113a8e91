import { assertNever } from '../invariant.js';
import { secondsUntil } from '../time/instant.js';
import { startOfNextUtcDay, startOfNextUtcMonth } from '../time/utc-calendar.js';
import type { Admission, Demand } from './admission.js';
import { type ExceededLimit, limitOf, wantedOf } from './decide-admission.js';
import { type QuotaReading, quotaOf, windowEnd } from './quota-snapshot.js';

/** Seconds after which a slot is worth asking for again. */
const SLOT_RETRY_SECONDS = 2;

/** The refusal of a demand, whatever keeps the counts. */
export function refusedAdmission(exceeded: ExceededLimit, demand: Demand, reading: QuotaReading): Extract<Admission, { admitted: false }> {
  const { limit, owner } = exceeded;
  return {
    admitted: false,
    limit,
    incidentModel: owner === 'incident' ? demand.incident?.model ?? null : null,
    retryAfterSeconds: retryAfterSeconds(exceeded, demand, reading),
    neverFits: wantedOf(exceeded, demand) > limitOf(exceeded, demand),
    quota: quotaOf(demand, reading),
  };
}

function retryAfterSeconds({ limit, owner }: ExceededLimit, { incident }: Demand, reading: QuotaReading): number {
  const { now } = reading;
  switch (limit) {
    case 'requests-per-minute':
    case 'tokens-per-minute': return secondsUntil(windowEnd(reading[owner], now, owner === 'incident' ? incident : null), now);
    case 'concurrent-requests': return SLOT_RETRY_SECONDS;
    case 'tokens-per-day': return secondsUntil(startOfNextUtcDay(now), now);
    case 'tokens-per-month': return secondsUntil(startOfNextUtcMonth(now), now);
    default: return assertNever(limit);
  }
}
