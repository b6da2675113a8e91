import type { AdmissionEnd, AdmissionTicket } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { RequestId } from '../primitives/primitives.js';
import type { GenerationObserver } from './generation-observer.js';

export interface AdmissionOwner {
  readonly requestId: RequestId;
  readonly ticket: AdmissionTicket;
}

/** Gives an admission back. Never rejects: what a request ends with does not depend on its slot, and a slot's lease ends by itself. */
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
