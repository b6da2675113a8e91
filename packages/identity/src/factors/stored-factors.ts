import { type Instant, later, MILLISECONDS_PER_MINUTE, type PersonId } from '@tollgate/core';
import { lockOf } from '../attempts/proof-attempts.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { ownAct } from '../people/person.js';
import { mayAddFactor } from '../sessions/session-reach.js';
import { isFreshlyProven } from '../sessions/session.js';
import type { Sessions, SignedIn } from '../sessions/sessions.js';
import { FactorChecks } from './factor-checks.js';
import type { FactorCodes } from './factor-codes.js';
import type { FactorRecords } from './factor-records.js';
import type {
  BeginTotpOutcome, ConfirmTotpOutcome, FactorOverview, FactorRefusal, RemoveTotpOutcome, RenewCodesOutcome, SecondFactors,
} from './second-factors.js';
import { type ProofAct, SessionProofs, type SessionProofsParts } from './session-proofs.js';

export interface StoredFactorsParts extends SessionProofsParts {
  readonly sessions: Sessions;
  /** The name that authenticator apps show: `Tollgate (api.example.com)`. */
  readonly issuer: () => string;
}

/** An unconfirmed secret expires after this time. */
const ENROLMENT_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;
const UNAVAILABLE = { outcome: 'unavailable' } as const;

type Permission = { readonly outcome: 'permitted'; readonly signedIn: SignedIn } | { readonly outcome: Exclude<FactorRefusal, 'unavailable'> };

export class StoredFactors implements SecondFactors {
  private readonly proofs: SessionProofs;
  private readonly records: FactorRecords;

  constructor(private readonly parts: StoredFactorsParts) {
    this.proofs = new SessionProofs(parts);
    this.records = parts.factors;
  }

  async overview(personId: PersonId): Promise<FactorOverview> {
    const { totp, recoveryCodesLeft } = await this.records.find(personId);
    return { totpSince: totp?.confirmedAt ?? null, recoveryCodesLeft };
  }

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
    const { person } = permission.signedIn;
    const { totp } = await this.records.find(person.id);
    if (totp === null || totp.confirmedAt === null) return { outcome: 'not-enrolled' };
    const issued = new FactorChecks(codes).issueRecoveryCodes(person.id, totp.sealed);
    if (issued === null) return UNAVAILABLE;
    const notice = notices.of(person, 'recovery-codes-renewed', at);
    const replaced = await this.records.replaceRecoveryCodes({ personId: person.id, sealed: totp.sealed, codeHashes: issued.hashes, notice }, ownAct(person.id, at, request.address));
    if (!replaced) return { outcome: 'not-enrolled' };
    notices.stored();
    return { outcome: 'renewed', recoveryCodes: issued.shown };
  }

  async removeTotp(request: BrowserRequest, at: Instant): Promise<RemoveTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { notices } = this.parts;
    const { person } = permission.signedIn;
    const removed = await this.records.removeTotp({ personId: person.id, notice: notices.of(person, 'totp-removed', at) }, ownAct(person.id, at, request.address));
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
    // The code was right, but a concurrent one confirmed the app first.
    if (taken.outcome === 'refused' && checked.spend !== null) return { outcome: 'nothing-begun' };
    return taken.outcome === 'proven' ? { ...taken, outcome: 'enrolled', recoveryCodes: issued.shown } : taken;
  }

  /** A session that has yet to prove a factor must not add another one. */
  private async permit(request: BrowserRequest, at: Instant): Promise<Permission> {
    const signedIn = await this.parts.sessions.current(request, at);
    if (signedIn === null) return { outcome: 'not-signed-in' };
    if (!mayAddFactor(signedIn.reach)) return { outcome: 'second-factor-required' };
    return isFreshlyProven(signedIn.session, at) ? { outcome: 'permitted', signedIn } : { outcome: 'fresh-proof-required' };
  }
}
