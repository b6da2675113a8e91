import type { StoredMail } from '../mail/mail.js';
import { MOST_FAILURES, type ProofAttempts } from './proof-attempts.js';

/** Whether a person has signed in with the browser before; see `KnownDevices`. What goes wrong in either kind is counted apart. */
export type BrowserStanding = 'known' | 'unknown';

/** What a person is told of failures in a row. */
export type FailureNotice = 'proofs-locked' | 'many-failures';

/** The messages to the person; the store keeps the one that is due in the transaction that counts. */
export type FailureWarnings = Readonly<Record<FailureNotice, StoredMail>>;

/** Whether a password or a code from such a browser needs a mailed link besides. */
export function needsMailedLink(browser: BrowserStanding, { failures }: Pick<ProofAttempts, 'failures'>): boolean {
  return browser === 'unknown' && failures >= MOST_FAILURES;
}

/** The notice that one more failure brings: each once, until a right proof from a known browser, and no lock after many failures. */
export function noticeOfFailure(before: ProofAttempts, after: ProofAttempts): FailureNotice | null {
  if (after.failures % MOST_FAILURES === 0 && after.told !== 'many-failures') return 'many-failures';
  return after.lockedUntil !== before.lockedUntil && after.told === null ? 'proofs-locked' : null;
}
