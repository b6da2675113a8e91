import type { Admission, Instant } from '@tollgate/core';
import type { RateLimiterDriver } from '../rate-limiter-subject.js';

/** Starts the limiter that the test is about, in the middle of a month unless the test says when. */
export type Start = (startAt?: Instant) => Promise<RateLimiterDriver>;

type Refused = Extract<Admission, { admitted: false }>;

/** The refusal that a demand must have met; throws when it was admitted. */
export function refusal(admission: Admission): Omit<Refused, 'admitted' | 'incidentModel' | 'quota'> {
  if (admission.admitted) throw new Error('the demand was admitted');
  const { limit, retryAfterSeconds, neverFits } = admission;
  return { limit, retryAfterSeconds, neverFits };
}
