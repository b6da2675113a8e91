import type { StoredMail } from '../mail/mail.js';
import type { ProofCommand } from '../ports/second-factors.js';
import { MOST_FAILURES, type ProofAttempts } from './attempt-limits.js';

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

/** Whether a session that has yet to prove a factor ends at its next proof, right or wrong, since it began without the mailed link. */
export function endsUnconfirmed({ browser, wrongEndsSession, isConfirmed }: Pick<ProofCommand, 'browser' | 'wrongEndsSession' | 'isConfirmed'>, attempts: ProofAttempts): boolean {
  return wrongEndsSession && !isConfirmed && needsMailedLink(browser, attempts);
}
