import { type Instant, later, MILLISECONDS_PER_MINUTE, type PersonId } from '@tollgate/core';
import { lockOf } from '../attempts/proof-attempts.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { FactorChecks } from '../factors/factor-checks.js';
import type { FactorCodes } from '../factors/factor-codes.js';
import type { FactorRecords } from '../factors/factor-records.js';
import { type ProofAct, SessionProofs, type SessionProofsParts } from '../factors/session-proofs.js';
import type { ProveOutcome } from '../sessions/proof-outcomes.js';
import { mayAddFactor } from '../sessions/session-reach.js';
import { actIn, isFreshlyProven } from '../sessions/session.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { Sessions } from './sessions.js';

/** Refusals before the proof is examined. `unavailable`: the gateway has no secret, or not the one that encrypted the factor. */
export type FactorRefusal = 'not-signed-in' | 'second-factor-required' | 'fresh-proof-required' | 'unavailable';

export type BeginTotpOutcome =
  /** The secret is shown once. */
  | { readonly outcome: 'begun'; readonly secret: string; readonly uri: string }
  | { readonly outcome: FactorRefusal | 'already-enrolled' };

export type ConfirmTotpOutcome =
  /** The codes are shown once; the session has a new cookie. */
  | { readonly outcome: 'enrolled'; readonly recoveryCodes: readonly string[]; readonly signedIn: SignedIn; readonly setCookie: string }
  /** `nothing-begun`: no app was begun, the enrolment expired, or a concurrent request confirmed the app. */
  | { readonly outcome: FactorRefusal | 'nothing-begun' }
  | Exclude<ProveOutcome, { readonly outcome: 'proven' }>;

export type RenewCodesOutcome =
  /** The codes are shown once; earlier codes are invalid. */
  | { readonly outcome: 'renewed'; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: FactorRefusal | 'not-enrolled' };

export type RemoveTotpOutcome = { readonly outcome: FactorRefusal | 'removed' | 'not-enrolled' };

export interface FactorOverview {
  /** When the app was confirmed; `null` if there is none. */
  readonly totpSince: Instant | null;
  readonly recoveryCodesLeft: number;
}

export interface SecondFactorsParts extends SessionProofsParts {
  readonly sessions: Sessions;
  /** The name that authenticator apps show: `Tollgate (api.example.com)`. */
  readonly issuer: () => string;
}

/** Lifetime of an unconfirmed secret. */
const ENROLMENT_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;
const UNAVAILABLE = { outcome: 'unavailable' } as const;

type Permission = { readonly outcome: 'permitted'; readonly signedIn: SignedIn } | { readonly outcome: Exclude<FactorRefusal, 'unavailable'> };

/**
 * Enrolment and removal of a person's own factors. Every act needs a permitted session and a recent proof; every change is audited and mailed. Throws
 * if the store is unavailable.
 */
export class SecondFactors {
  private readonly proofs: SessionProofs;
  private readonly records: FactorRecords;

  constructor(private readonly parts: SecondFactorsParts) {
    this.proofs = new SessionProofs(parts);
    this.records = parts.factors;
  }

  async overview(personId: PersonId): Promise<FactorOverview> {
    const { totp, recoveryCodesLeft } = await this.records.find(personId);
    return { totpSince: totp?.confirmedAt ?? null, recoveryCodesLeft };
  }

  /** The secret becomes a factor once a code confirms it. */
  async beginTotp(request: BrowserRequest, at: Instant): Promise<BeginTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { codes, issuer } = this.parts;
    if (codes === null) return UNAVAILABLE;
    const { id: personId, email } = permission.signedIn.person;
    const { secret, text, uri } = await codes.totp.issue(issuer(), email);
    const begun = await this.records.beginTotp({ personId, sealed: codes.sealer.seal(secret, personId), at });
    return begun ? { outcome: 'begun', secret: text, uri } : { outcome: 'already-enrolled' };
  }

  /** Raises the session's assurance. Wrong codes count as in `Sessions.prove`. */
  async confirmTotp(request: BrowserRequest, code: string, at: Instant): Promise<ConfirmTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { codes } = this.parts;
    if (codes === null) return UNAVAILABLE;
    const { signedIn } = permission;
    const browser = await this.parts.devices.standingOf(request, signedIn.person.id, at);
    const { totp, attempts } = await this.records.find(signedIn.person.id);
    if (totp === null || totp.confirmedAt !== null || at >= later(totp.begunAt, ENROLMENT_MILLISECONDS)) return { outcome: 'nothing-begun' };
    const until = lockOf(attempts[browser], at);
    if (until !== null) return { outcome: 'locked', until };
    return this.confirm({ request, signedIn, at }, { sealed: totp.sealed, code }, codes);
  }

  async renewRecoveryCodes(request: BrowserRequest, at: Instant): Promise<RenewCodesOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { codes, notices } = this.parts;
    if (codes === null) return UNAVAILABLE;
    const { person, session } = permission.signedIn;
    const { totp } = await this.records.find(person.id);
    if (totp === null || totp.confirmedAt === null) return { outcome: 'not-enrolled' };
    const issued = new FactorChecks(codes).issueRecoveryCodes(person.id, totp.sealed);
    if (issued === null) return UNAVAILABLE;
    const notice = notices.of(person, 'recovery-codes-renewed', at);
    const replaced = await this.records.replaceRecoveryCodes({ personId: person.id, sealed: totp.sealed, codeHashes: issued.hashes, notice }, actIn(session, at, request.address));
    if (!replaced) return { outcome: 'not-enrolled' };
    notices.stored();
    return { outcome: 'renewed', recoveryCodes: issued.shown };
  }

  /** Also removes the recovery codes. */
  async removeTotp(request: BrowserRequest, at: Instant): Promise<RemoveTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { notices } = this.parts;
    const { person, session } = permission.signedIn;
    const removed = await this.records.removeTotp({ personId: person.id, notice: notices.of(person, 'totp-removed', at) }, actIn(session, at, request.address));
    if (!removed) return { outcome: 'not-enrolled' };
    notices.stored();
    return { outcome: 'removed' };
  }

  private async confirm(act: ProofAct, { sealed, code }: { readonly sealed: string; readonly code: string }, codes: FactorCodes): Promise<ConfirmTotpOutcome> {
    const { signedIn: { person }, at } = act;
    const checks = new FactorChecks(codes);
    const issued = checks.issueRecoveryCodes(person.id, sealed);
    if (issued === null) return UNAVAILABLE;
    const checked = await checks.enrolment({ personId: person.id, sealed, typed: code, at }, issued);
    if (checked.outcome === 'unreadable') return UNAVAILABLE;
    const taken = await this.proofs.take(act, { spend: checked.spend, notice: this.parts.notices.of(person, 'totp-added', at) });
    // The code was right, but a concurrent request confirmed the app first.
    if (taken.outcome === 'refused' && checked.spend !== null) return { outcome: 'nothing-begun' };
    return taken.outcome === 'proven' ? { ...taken, outcome: 'enrolled', recoveryCodes: issued.shown } : taken;
  }

  /** Refuses a session that has not proved a required factor, and one without a recent proof. */
  private async permit(request: BrowserRequest, at: Instant): Promise<Permission> {
    const signedIn = await this.parts.sessions.current(request, at);
    if (signedIn === null) return { outcome: 'not-signed-in' };
    if (!mayAddFactor(signedIn.reach)) return { outcome: 'second-factor-required' };
    return isFreshlyProven(signedIn.session, at) ? { outcome: 'permitted', signedIn } : { outcome: 'fresh-proof-required' };
  }
}
