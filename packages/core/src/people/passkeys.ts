import type { JsonObject, PasskeyId, PersonId } from '../primitives.js';
import { type Instant, later, MILLISECONDS_PER_MINUTE } from '../time.js';
import type { IdentityIdGenerator, SecretTokens } from '../ports/system.js';
import type {
  AddPasskeyOutcome, ChallengeUse, PasskeyCeremonies, PasskeyRecords, RemovePasskeyOutcome, SignedChallenges,
} from '../ports/sign-in-methods.js';
import type { PersonRecord, PersonRecords } from '../ports/person-directory.js';
import type { BrowserRequest, SignedIn, SignInOutcome } from '../ports/sessions.js';
import type { FactorNotices } from './person-mails.js';
import { mayAddFactor } from './second-factor.js';
import { isDisplayName } from '../display-name.js';
import { ownAct } from './person.js';
import { type CookieForm, isFreshlyProven, remainingSeconds, sessionCookie, type SessionStart } from './session.js';
import type { ProofAct } from './session-proofs.js';

/** A passkey as its person sees it. */
export interface Passkey {
  readonly id: PasskeyId;
  readonly personId: PersonId;
  readonly name: string;
  /** Whether it exists on other devices too, as its authenticator last said. */
  readonly backedUp: boolean;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** What an authenticator's answers are checked by. */
export interface PasskeyCredential {
  /** In base64url; unique among all people. */
  readonly credentialId: string;
  /** In COSE and base64url. */
  readonly publicKey: string;
  /** Signatures so far; always 0 where the authenticator does not count. */
  readonly counter: number;
  /** How a browser reaches the authenticator: `internal`, `usb` … */
  readonly transports: readonly string[];
}

export interface StoredPasskey {
  readonly passkey: Passkey;
  readonly credential: PasskeyCredential;
}

/** Passkeys that one person may have. */
export const MAXIMUM_PASSKEYS = 20;
/** How long a browser may take to answer. */
export const PASSKEY_CHALLENGE_MILLISECONDS = 5 * MILLISECONDS_PER_MINUTE;

/** Whether a signature's counter follows the stored one. A counter that does not advance tells of a copied authenticator. */
export function counterAdvances(stored: number, reported: number): boolean {
  return reported > stored || (stored === 0 && reported === 0);
}

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

/** `malformed`: the name is empty, too long or has control characters. */
export type RegisterPasskeyOutcome =
  | { readonly outcome: 'added'; readonly passkey: Passkey; readonly signedIn: SignedIn; readonly setCookie: string }
  | { readonly outcome: Exclude<AddPasskeyOutcome, 'added'> | 'malformed' | 'second-factor-required' };

/** Who a passkey proved. */
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

/** Passkeys of people: a passkey that verified its user counts as two factors. Throws when the store is away. */
export class Passkeys {
  constructor(private readonly parts: PasskeysParts) {}

  /** Options for `navigator.credentials.get`. Anyone may ask for them, as often as they like. */
  signInOptions(at: Instant): Promise<JsonObject> {
    return this.parts.ceremonies.requestOptions(this.parts.challenges.issue(SIGN_IN, later(at, PASSKEY_CHALLENGE_MILLISECONDS)));
  }

  /** Begins a session for the owner of the passkey that signed, and ends the one that the browser had. */
  async signIn(request: BrowserRequest, answer: unknown, at: Instant): Promise<SignInOutcome> {
    const owner = await this.prove(answer, at);
    if (owner === null) return REFUSED;
    const proof = { way: 'passkey', assurance: 'two-factor', provenBy: { kind: 'passkey', id: owner.id }, forgets: null, at } as const;
    return await this.parts.start.begin(request, owner.record, proof) ?? REFUSED;
  }

  /** Options for `navigator.credentials.create`, which the same session answers; `null` for one that has yet to prove a factor. */
  async registrationOptions(signedIn: SignedIn, at: Instant): Promise<JsonObject | null> {
    if (!mayAddFactor(signedIn.reach)) return null;
    const { ceremonies, challenges, records } = this.parts;
    const challenge = challenges.issue(registrationIn(signedIn), later(at, PASSKEY_CHALLENGE_MILLISECONDS));
    const existing = (await records.list(signedIn.person.id)).map(({ credential }) => credential);
    return ceremonies.creationOptions({ challenge, person: signedIn.person, existing });
  }

  /** Adds a passkey, which raises the session: the browser gets a new cookie. The person gets mail about it. */
  async register({ signedIn, at }: ProofAct, { name, answer }: { readonly name: string; readonly answer: unknown }): Promise<RegisterPasskeyOutcome> {
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
    }, ownAct(person.id, at, session.address));
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

  /** The last second factor is removed with a fresh proof only: `last-factor` without one. The person gets mail about it. */
  async remove({ person, session }: SignedIn, id: PasskeyId, at: Instant): Promise<RemovePasskeyOutcome> {
    const { records, notices } = this.parts;
    const notice = notices.of(person, 'passkey-removed', at);
    const outcome = await records.remove({ personId: person.id, id, evenIfLast: isFreshlyProven(session, at), notice }, ownAct(person.id, at, session.address));
    if (outcome === 'removed') notices.stored();
    return outcome;
  }

  private raised({ session, person, tokenHash }: SignedIn, at: Instant): SignedIn {
    const factors = person.factors.includes('passkey') ? person.factors : [...person.factors, 'passkey' as const];
    return this.parts.start.signedIn({ ...session, assurance: 'two-factor', provenAt: at }, { ...person, factors }, tokenHash);
  }

  /** Takes the challenge of an answer that is right, once. */
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
