import type { Instant, PersonId } from '@tollgate/core';
import type { BrowserRequest } from '../cookies/browser-request.js';
import type { ProveOutcome, SignedIn } from '../sessions/sessions.js';

/** Refused before the proof was examined. `unavailable`: this gateway has no secret, or not the one that the factor was encrypted under. */
export type FactorRefusal = 'not-signed-in' | 'second-factor-required' | 'fresh-proof-required' | 'unavailable';

export type BeginTotpOutcome =
  /** Shown once. */
  | { readonly outcome: 'begun'; readonly secret: string; readonly uri: string }
  | { readonly outcome: FactorRefusal | 'already-enrolled' };

export type ConfirmTotpOutcome =
  /** The recovery codes are shown once; the session has a new cookie. */
  | { readonly outcome: 'enrolled'; readonly recoveryCodes: readonly string[]; readonly signedIn: SignedIn; readonly setCookie: string }
  /** `nothing-begun`: no app was begun, the enrolment expired, or a concurrent code confirmed it. */
  | { readonly outcome: FactorRefusal | 'nothing-begun' }
  | Exclude<ProveOutcome, { readonly outcome: 'proven' }>;

export type RenewCodesOutcome =
  /** Shown once; all earlier ones are invalid. */
  | { readonly outcome: 'renewed'; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: FactorRefusal | 'not-enrolled' };

export type RemoveTotpOutcome = { readonly outcome: FactorRefusal | 'removed' | 'not-enrolled' };

export interface FactorOverview {
  /** When the authenticator app was confirmed; `null` without one. */
  readonly totpSince: Instant | null;
  readonly recoveryCodesLeft: number;
}

/**
 * Each act requires a session that may perform it and a recent proof. Each change is audited and mailed to the person. Throws if
 * the store is unavailable.
 */
export interface SecondFactors {
  overview(personId: PersonId): Promise<FactorOverview>;
  /** Creates a secret, which becomes a factor once a code of it is confirmed. */
  beginTotp(request: BrowserRequest, at: Instant): Promise<BeginTotpOutcome>;
  /** Raises the session's assurance. Wrong codes count as in `Sessions.prove`. */
  confirmTotp(request: BrowserRequest, code: string, at: Instant): Promise<ConfirmTotpOutcome>;
  renewRecoveryCodes(request: BrowserRequest, at: Instant): Promise<RenewCodesOutcome>;
  /** Also removes the recovery codes. */
  removeTotp(request: BrowserRequest, at: Instant): Promise<RemoveTotpOutcome>;
}
