import type { AdmissionEnd, AdmissionTicket } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { RequestId } from '../primitives/primitives.js';
import type { GenerationObserver } from './generation-observer.js';

export interface AdmissionOwner {
  readonly requestId: RequestId;
  readonly ticket: AdmissionTicket;
}

/** Never rejects: a slot that is not released ends with its lease, and the request's result does not depend on it. */
export async function releaseAdmission(
  { requestId, ticket }: AdmissionOwner,
  end: AdmissionEnd,
  { limiter, observer }: { readonly limiter: RateLimiter; readonly observer: GenerationObserver },
): Promise<void> {
  try {
    await limiter.release(ticket, end);
  } catch (cause) {
    observer.releaseFailed({ requestId, cause });
  }
}
