import type { AdmissionEnd, AdmissionTicket } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { RequestId } from '../primitives/ids.js';
import type { GenerationObserver } from './generation-observer.js';

export interface AdmissionOwner {
  readonly requestId: RequestId;
  readonly ticket: AdmissionTicket;
}

/** Never rejects: an unreleased slot ends with its lease and does not change the request's result. */
export function releaseAdmission(
  { requestId, ticket }: AdmissionOwner,
  end: AdmissionEnd,
  { limiter, observer }: { readonly limiter: RateLimiter; readonly observer: GenerationObserver },
): Promise<void> {
  return limiter.release(ticket, end).catch((cause: unknown) => observer.releaseFailed({ requestId, cause }));
}
