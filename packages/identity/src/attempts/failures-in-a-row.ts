import type { StoredMail } from '../mail/mail.js';
import { MAX_FAILURES, type ProofAttempts } from './proof-attempts.js';

/** `known`: the person has signed in with this browser; see `KnownDevices`. Failures are counted separately for both. */
export type BrowserStanding = 'known' | 'unknown';

export type FailureNotice = 'proofs-locked' | 'many-failures';

/** One message per notice. The store stores the message that is due in the transaction that counts the failure. */
export type FailureWarnings = Readonly<Record<FailureNotice, StoredMail>>;

/** True if a password or a code is not sufficient in this browser. */
export function needsMailedLink(browser: BrowserStanding, { failures }: Pick<ProofAttempts, 'failures'>): boolean {
  return browser === 'unknown' && failures >= MAX_FAILURES;
}

/**
 * The notice that is due after this failure; `null` for none. Each is due once, until a successful proof or a complete sign-in in a browser of the
 * same standing, or in a known one, permits it again. `proofs-locked` is not due after `many-failures`.
 */
export function noticeOfFailure(before: ProofAttempts, after: ProofAttempts): FailureNotice | null {
  if (after.failures % MAX_FAILURES === 0 && after.lastNotice !== 'many-failures') return 'many-failures';
  return after.lockedUntil !== before.lockedUntil && after.lastNotice === null ? 'proofs-locked' : null;
}
