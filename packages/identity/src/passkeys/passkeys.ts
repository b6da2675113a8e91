import { type Instant, isDisplayName, type JsonObject, later, type PasskeyId, type PersonId } from '@tollgate/core';
import type { ChallengeUse, SignedChallenges } from '../challenges/signed-challenges.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { type CookieForm, sessionCookie } from '../cookies/cookies.js';
import type { ProofAct } from '../factors/session-proofs.js';
import type { FactorNotices } from '../people/factor-notices.js';
import type { PersonRecord, PersonRecords } from '../people/person-records.js';
import { mayAddFactor } from '../sessions/session-reach.js';
import type { SessionStart } from '../sessions/session-start.js';
import { actIn, isFreshlyProven, remainingSeconds } from '../sessions/session.js';
import type { SignInOutcome } from '../sessions/proof-outcomes.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { PasskeyCeremonies } from './passkey-ceremonies.js';
import type { AddPasskeyOutcome, PasskeyRecords, RemovePasskeyOutcome } from './passkey-records.js';
import { type Passkey, PASSKEY_CHALLENGE_MILLISECONDS } from './passkey.js';

export interface PasskeysParts {
  readonly people: PersonRecords;
  readonly records: PasskeyRecords;
  readonly ceremonies: PasskeyCeremonies;
  readonly challenges: SignedChallenges;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
  readonly start: SessionStart;
  readonly notices: FactorNotices;
  readonly cookie: CookieForm;
}

/** `malformed`: invalid name. */
export type RegisterPasskeyOutcome =
  | { readonly outcome: 'added'; readonly passkey: Passkey; readonly signedIn: SignedIn; readonly setCookie: string }
  | { readonly outcome: Exclude<AddPasskeyOutcome, 'added'> | 'malformed' | 'second-factor-required' };

interface ProvenOwner {
  readonly record: PersonRecord;
  readonly id: PasskeyId;
}

const SIGN_IN: ChallengeUse = { purpose: 'passkey-sign-in', boundTo: '' };
const REFUSED: SignInOutcome = { outcome: 'refused' };
const REFUSED_PASSKEY: RegisterPasskeyOutcome = { outcome: 'refused' };

function registrationIn({ session }: SignedIn): ChallengeUse {
  return { purpose: 'passkey-registration', boundTo: session.id };
}

/** Registers passkeys and signs people in with them. With user verification, a passkey counts as two factors. Throws if the store is unavailable. */
export class Passkeys {
  constructor(private readonly parts: PasskeysParts) {}

  /** Options for `navigator.credentials.get`; needs no session. */
  signInOptions(at: Instant): Promise<JsonObject> {
    return this.parts.ceremonies.requestOptions(this.parts.challenges.issue(SIGN_IN, later(at, PASSKEY_CHALLENGE_MILLISECONDS)));
  }

  /** Replaces the browser's session. */
  async signIn(request: BrowserRequest, answer: unknown, at: Instant): Promise<SignInOutcome> {
    const owner = await this.prove(answer, at);
    if (owner === null) return REFUSED;
    const proof = { way: 'passkey', assurance: 'two-factor', provenBy: { kind: 'passkey', id: owner.id }, forgets: null, at } as const;
    return await this.parts.start.begin(request, owner.record, proof) ?? REFUSED;
  }

  /** Options for `navigator.credentials.create`, bound to the session; `null` if `mayAddFactor` is false. */
  async registrationOptions(signedIn: SignedIn, at: Instant): Promise<JsonObject | null> {
    if (!mayAddFactor(signedIn.reach)) return null;
    const { ceremonies, challenges, records } = this.parts;
    const challenge = challenges.issue(registrationIn(signedIn), later(at, PASSKEY_CHALLENGE_MILLISECONDS));
    const existing = (await records.list(signedIn.person.id)).map(({ credential }) => credential);
    return ceremonies.creationOptions({ challenge, person: signedIn.person, existing });
  }

  /** Raises the session's assurance, replaces its cookie, mails a notice. */
  async register({ request, signedIn, at }: ProofAct, { name, answer }: { readonly name: string; readonly answer: unknown }): Promise<RegisterPasskeyOutcome> {
    if (!mayAddFactor(signedIn.reach)) return { outcome: 'second-factor-required' };
    if (!isDisplayName(name)) return { outcome: 'malformed' };
    const { ceremonies, challenges, records, ids, tokens, cookie, notices } = this.parts;
    const claimed = ceremonies.read(answer);
    const open = claimed === null ? null : challenges.open(claimed.challenge, registrationIn(signedIn), at);
    const verified = claimed === null || open === null ? null : await ceremonies.verifyCreation(answer, claimed.challenge);
    if (claimed === null || open === null || verified === null) return REFUSED_PASSKEY;
    const { person, session, tokenHash } = signedIn;
    const passkey: Passkey = { id: ids.passkeyId(), personId: person.id, name, backedUp: verified.backedUp, createdAt: at, lastUsedAt: null };
    const next = tokens.issue();
    const outcome = await records.add({
      passkey, credential: verified.credential, challenge: { hash: tokens.hash(claimed.challenge), expiresAt: open.expiresAt }, sessionId: session.id,
      tokenHash, nextTokenHash: next.hash, notice: notices.of(person, 'passkey-added', at),
    }, actIn(session, at, request.address));
    if (outcome !== 'added') return { outcome };
    notices.stored();
    return { outcome, passkey, signedIn: this.raised({ ...signedIn, tokenHash: next.hash }, at), setCookie: sessionCookie(cookie, next.text, remainingSeconds(session, person.role, at)) };
  }

  async list(personId: PersonId): Promise<readonly Passkey[]> {
    return (await this.parts.records.list(personId)).map(({ passkey }) => passkey);
  }

  async rename(personId: PersonId, id: PasskeyId, name: string): Promise<'renamed' | 'malformed' | 'no-such-passkey'> {
    if (!isDisplayName(name)) return 'malformed';
    return await this.parts.records.rename(personId, id, name) ? 'renamed' : 'no-such-passkey';
  }

  /** Mails a notice. `last-factor`: removing the last factor requires a recent proof. */
  async remove({ request, signedIn: { person, session }, at }: ProofAct, id: PasskeyId): Promise<RemovePasskeyOutcome> {
    const { records, notices } = this.parts;
    const notice = notices.of(person, 'passkey-removed', at);
    const outcome = await records.remove({ personId: person.id, id, evenIfLast: isFreshlyProven(session, at), notice }, actIn(session, at, request.address));
    if (outcome === 'removed') notices.stored();
    return outcome;
  }

  private raised({ session, person, tokenHash }: SignedIn, at: Instant): SignedIn {
    const factors = person.factors.includes('passkey') ? person.factors : [...person.factors, 'passkey' as const];
    return this.parts.start.signedIn({ ...session, assurance: 'two-factor', provenAt: at }, { ...person, factors }, tokenHash);
  }

  /** The owner of the passkey that signed; `null` if the answer is invalid or was used before. Consumes the challenge of a valid answer. */
  private async prove(answer: unknown, at: Instant): Promise<ProvenOwner | null> {
    const { ceremonies, challenges, records, people, tokens } = this.parts;
    const claimed = ceremonies.read(answer);
    const open = claimed === null ? null : challenges.open(claimed.challenge, SIGN_IN, at);
    const stored = claimed === null || open === null ? null : await records.findByCredential(claimed.credentialId);
    const record = stored === null ? null : await people.find(stored.passkey.personId);
    if (claimed === null || open === null || stored === null || record === null) return null;
    const verified = await ceremonies.verifyAssertion(answer, claimed.challenge, { person: record.person, credential: stored.credential });
    if (verified === null) return null;
    const { id } = stored.passkey;
    const challenge = { hash: tokens.hash(claimed.challenge), expiresAt: open.expiresAt };
    return await records.use({ id, ...verified, challenge, at }) ? { record, id } : null;
  }
}
