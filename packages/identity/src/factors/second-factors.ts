import type { Instant, PersonId } from '@tollgate/core';
import type { BrowserRequest } from '../cookies/browser-request.js';
import type { ProveOutcome, SignedIn } from '../sessions/sessions.js';

/**
 * Why an act on factors was refused before anything was looked at. `unavailable`: this gateway has no secret, or another one than the factor
 * was encrypted under.
 */
export type FactorRefusal = 'not-signed-in' | 'second-factor-required' | 'fresh-proof-required' | 'unavailable';

export type BeginTotpOutcome =
  /** Shown once. */
  | { readonly outcome: 'begun'; readonly secret: string; readonly uri: string }
  | { readonly outcome: FactorRefusal | 'already-enrolled' };

export type ConfirmTotpOutcome =
  /** The recovery codes are shown once; the browser gets a new cookie. */
  | { readonly outcome: 'enrolled'; readonly recoveryCodes: readonly string[]; readonly signedIn: SignedIn; readonly setCookie: string }
  /** `nothing-begun`: or begun too long ago, or confirmed at the same time by another code. */
  | { readonly outcome: FactorRefusal | 'nothing-begun' }
  | Exclude<ProveOutcome, { readonly outcome: 'proven' }>;

export type RenewCodesOutcome =
  /** Shown once; those from before are worthless. */
  | { readonly outcome: 'renewed'; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: FactorRefusal | 'not-enrolled' };

export type RemoveTotpOutcome = { readonly outcome: FactorRefusal | 'removed' | 'not-enrolled' };

/** What a person sees of their factors. */
export interface FactorOverview {
  /** When the authenticator app became a factor; `null` without one. */
  readonly totpSince: Instant | null;
  readonly recoveryCodesLeft: number;
}

/**
 * Authenticator apps and recovery codes. Each act wants a session that may do it and was freshly proved; each change is audited, and the person gets
 * mail about it. Throws when the store is away.
 */
export interface SecondFactors {
  overview(personId: PersonId): Promise<FactorOverview>;
  /** Makes a secret that is a factor only once a code of it was proved. */
  beginTotp(request: BrowserRequest, at: Instant): Promise<BeginTotpOutcome>;
  /** Raises the assurance of the session, like every other proof. Wrong codes count as in `Sessions.prove`. */
  confirmTotp(request: BrowserRequest, code: string, at: Instant): Promise<ConfirmTotpOutcome>;
  renewRecoveryCodes(request: BrowserRequest, at: Instant): Promise<RenewCodesOutcome>;
  /** With its recovery codes. */
  removeTotp(request: BrowserRequest, at: Instant): Promise<RemoveTotpOutcome>;
}
