import type { PersonVerb, AccountId, AuditedBy, Instant, PasskeyId, PersonId } from '@tollgate/core';
import {
  type AddPasskeyOutcome, counterAdvances, decideIssuerAdmission, type Factor, type IssuerAdmission, type IssuerAdmissionOutcome, type IssuerRecords,
  type IssuerSubject, MAX_PASSKEYS, type NewPasskey, ownAct, type PasskeyRecords, type PasskeyRemoval, type PasskeyUse, type RemovePasskeyOutcome,
  type StoredMail, type StoredPasskey,
} from '@tollgate/identity';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryChallenges } from './memory-factors.js';
import type { MemoryPeople } from './memory-people.js';

/** What passkeys depend on; given later, since people and sessions depend on passkeys too. */
export interface PasskeyOwners {
  /** Gives the session the next token, and two factors. */
  raiseSession(session: Pick<NewPasskey, 'sessionId' | 'tokenHash' | 'nextTokenHash'> & { readonly personId: PersonId }, provenAt: Instant): void;
  hasToken(session: Pick<NewPasskey, 'sessionId' | 'tokenHash'> & { readonly personId: PersonId }): boolean;
  storeMail(notice: StoredMail): void;
  factorsOf(personId: PersonId): readonly Factor[];
  /** The person's sessions have proved one thing only. */
  lowerSessions(personId: PersonId): void;
  accountOf(personId: PersonId): AccountId | null;
}

/** Passkeys in memory. */
export class MemoryPasskeys implements PasskeyRecords {
  readonly #passkeys = new Map<PasskeyId, StoredPasskey>();
  #owners: PasskeyOwners = { hasToken: () => false, raiseSession: () => undefined, storeMail: () => undefined, factorsOf: () => [], lowerSessions: () => undefined, accountOf: () => null };

  constructor(private readonly challenges: MemoryChallenges, private readonly audit: MemoryAuditTrail) {}

  readOwnersFrom(owners: PasskeyOwners): void {
    this.#owners = owners;
  }

  async add({ passkey, credential, challenge, notice, ...session }: NewPasskey, by: AuditedBy): Promise<AddPasskeyOutcome> {
    const raised = { ...session, personId: passkey.personId };
    if (!this.#owners.hasToken(raised) || !this.challenges.take(challenge, by.at)) return 'refused';
    if (this.byCredential(credential.credentialId) !== null) return 'known';
    if (this.of(passkey.personId).length >= MAX_PASSKEYS) return 'too-many';
    this.#passkeys.set(passkey.id, { passkey, credential });
    this.#owners.raiseSession(raised, by.at);
    this.#owners.storeMail(notice);
    this.record(by, 'passkey-added', passkey);
    return 'added';
  }

  async list(personId: PersonId): Promise<readonly StoredPasskey[]> {
    return this.of(personId).toSorted((first, second) => first.passkey.createdAt - second.passkey.createdAt || (first.passkey.id < second.passkey.id ? -1 : 1));
  }

  async findByCredential(credentialId: string): Promise<StoredPasskey | null> {
    return this.byCredential(credentialId);
  }

  async use({ id, counter, backedUp, challenge, at }: PasskeyUse): Promise<boolean> {
    const stored = this.#passkeys.get(id);
    if (stored === undefined || !counterAdvances(stored.credential.counter, counter) || !this.challenges.take(challenge, at)) return false;
    this.#passkeys.set(id, { passkey: { ...stored.passkey, backedUp, lastUsedAt: at }, credential: { ...stored.credential, counter } });
    return true;
  }

  async rename(personId: PersonId, id: PasskeyId, name: string): Promise<boolean> {
    const stored = this.#passkeys.get(id);
    if (stored === undefined || stored.passkey.personId !== personId) return false;
    this.#passkeys.set(id, { ...stored, passkey: { ...stored.passkey, name } });
    return true;
  }

  async remove({ personId, id, evenIfLast, notice }: PasskeyRemoval, by: AuditedBy): Promise<RemovePasskeyOutcome> {
    const own = this.of(personId);
    if (!own.some(({ passkey }) => passkey.id === id)) return 'no-such-passkey';
    const hasOther = own.length > 1 || this.#owners.factorsOf(personId).some((factor) => factor !== 'passkey');
    if (!hasOther && !evenIfLast) return 'last-factor';
    this.#passkeys.delete(id);
    if (!hasOther) this.#owners.lowerSessions(personId);
    this.#owners.storeMail(notice);
    this.record(by, 'passkey-removed', { personId, id });
    return 'removed';
  }

  /** For adapters that decide in one synchronous step. */
  has(id: PasskeyId): boolean {
    return this.#passkeys.has(id);
  }

  hasAny(personId: PersonId): boolean {
    return this.of(personId).length > 0;
  }

  removeAll(personId: PersonId): void {
    for (const { passkey } of this.of(personId)) this.#passkeys.delete(passkey.id);
  }

  private of(personId: PersonId): readonly StoredPasskey[] {
    return [...this.#passkeys.values()].filter(({ passkey }) => passkey.personId === personId);
  }

  private byCredential(credentialId: string): StoredPasskey | null {
    return [...this.#passkeys.values()].find(({ credential }) => credential.credentialId === credentialId) ?? null;
  }

  private record({ actor, at }: AuditedBy, action: PersonVerb, { personId, id }: Pick<StoredPasskey['passkey'], 'personId' | 'id'>): void {
    this.audit.record({ actor, at, action: `person.${action}`, subject: personId, accountId: this.#owners.accountOf(personId), details: { passkeyId: id } });
  }
}

function keyOf({ issuer, subject }: IssuerSubject): string {
  return JSON.stringify([issuer, subject]);
}

/** The subjects of issuers that people are linked to, in memory. */
export class MemoryIssuerLinks {
  readonly #links = new Map<string, { readonly issuer: string; readonly personId: PersonId }>();

  personOf(subject: IssuerSubject): PersonId | null {
    return this.#links.get(keyOf(subject))?.personId ?? null;
  }

  hasSubject(personId: PersonId, issuer: string): boolean {
    return [...this.#links.values()].some((link) => link.personId === personId && link.issuer === issuer);
  }

  add(subject: IssuerSubject, personId: PersonId): void {
    this.#links.set(keyOf(subject), { issuer: subject.issuer, personId });
  }

  removeAll(personId: PersonId): void {
    for (const [key, link] of this.#links) {
      if (link.personId === personId) this.#links.delete(key);
    }
  }
}

/** Who signs in by an issuer, in memory. */
export class MemoryIssuers implements IssuerRecords {
  constructor(private readonly people: MemoryPeople, private readonly links: MemoryIssuerLinks, private readonly challenges: MemoryChallenges) {}

  async admit({ subject, newcomer, signUp, challenge, at, address }: IssuerAdmission): Promise<IssuerAdmissionOutcome> {
    if (!this.challenges.take(challenge, at)) return { outcome: 'refused' };
    const linked = this.links.personOf(subject);
    if (linked !== null) return { outcome: 'admitted', personId: linked };
    if (newcomer === null) return { outcome: 'email-not-verified' };
    const record = this.people.getByEmail(newcomer.person.email);
    const hasOtherSubject = record !== null && this.links.hasSubject(record.person.id, subject.issuer);
    const decided = decideIssuerAdmission(record === null ? null : { record, hasOtherSubject }, signUp);
    if (!('person' in decided) && decided.step !== 'register') return { outcome: decided.step };
    const { id } = 'person' in decided ? decided.person : newcomer.person;
    const by = ownAct(id, at, address);
    if (decided.step === 'register') this.people.registerVerified(newcomer, by);
    if (decided.step === 'take-over') {
      this.people.record(by, 'sign-up-discarded', id);
      this.people.vouchAtOnce(id, newcomer, by);
    }
    this.links.add(subject, id);
    this.people.record(by, 'issuer-linked', id);
    return { outcome: 'admitted', personId: id };
  }
}
