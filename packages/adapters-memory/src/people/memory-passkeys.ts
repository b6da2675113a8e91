import {
  type AccountId, type AddPasskeyOutcome, type AuditedBy, counterAdvances, type Factor, type Instant, MAXIMUM_PASSKEYS, type NewPasskey, type PasskeyId, type PasskeyRecords, type PasskeyRemoval,
  type PasskeyUse, type PersonId, type RemovePasskeyOutcome, type StoredMail, type StoredPasskey,
} from '@tollgate/core';
import type { MemoryAuditTrail } from '../audit/memory-audit-trail.js';
import type { MemoryChallenges } from './memory-challenges.js';

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
    if (this.of(passkey.personId).length >= MAXIMUM_PASSKEYS) return 'too-many';
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

  private record({ actor, at }: AuditedBy, action: string, { personId, id }: Pick<StoredPasskey['passkey'], 'personId' | 'id'>): void {
    this.audit.record({ actor, at, action: `person.${action}`, subject: personId, accountId: this.#owners.accountOf(personId), details: { passkeyId: id } });
  }
}
