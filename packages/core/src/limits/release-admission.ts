import type { RequestId } from '../ids.js';
import type { GenerationObserver } from '../ports/generation-observer.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { AdmissionEnd, AdmissionTicket } from './admission.js';

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
