import { type AccountId, type AuditedAct, type AuditedBy, type Instant, MILLISECONDS_PER_DAY, type PersonId } from '@tollgate/core';
import {
  mailboxRemovesFactors, newAddressReference, type Person, type PersonRole, type SignupCredit, signupCreditAct, type StoredMail, type StoredToken,
} from '@tollgate/identity';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryMailOutbox } from './memory-mail-outbox.js';
import type { MemoryFactors } from './memory-factors.js';
import type { MemoryIssuerLinks, MemoryPasskeys } from './memory-passkeys.js';
import type { MemoryPersonTokens, MemorySessions } from './memory-sessions.js';
import type { MemoryLedger } from './memory-ledger.js';

/** What is kept of a person besides their sessions, tokens and factors. */
export interface PersonEntry {
  readonly person: Person;
  readonly passwordHash: string | null;
  /** When a person with an unverified address is removed; `null` once the address is verified. */
  readonly discardAt: Instant | null;
}

/** Everyone in memory, by id. */
export class PersonEntries {
  readonly #people = new Map<PersonId, PersonEntry>();

  get(id: PersonId): PersonEntry | undefined {
    return this.#people.get(id);
  }

  put(entry: PersonEntry): void {
    this.#people.set(entry.person.id, entry);
  }

  remove(id: PersonId): void {
    this.#people.delete(id);
  }

  /** Replaces this hash with another; `false` if it no longer exists. */
  replaceHash(id: PersonId, provenHash: string, passwordHash: string): boolean {
    const entry = this.#people.get(id);
    if (entry === undefined || entry.passwordHash !== provenHash) return false;
    this.put({ ...entry, passwordHash });
    return true;
  }

  byEmail(email: string): Person | null {
    return [...this.#people.values()].find(({ person }) => person.email === email)?.person ?? null;
  }

  /** People past their date, the longest due first. */
  pastTheirDate(now: Instant): readonly Person[] {
    const due = [...this.#people.values()].flatMap(({ person, discardAt }) => (discardAt === null || discardAt > now ? [] : [{ person, discardAt }]));
    return due.toSorted((first, second) => first.discardAt - second.discardAt).map(({ person }) => person);
  }

  ownerOf(accountId: AccountId): Person | null {
    return [...this.#people.values()].find(({ person }) => person.accountId === accountId)?.person ?? null;
  }

  withRole(role: PersonRole): readonly Person[] {
    return [...this.#people.values()].map(({ person }) => person).filter((person) => person.role === role);
  }

  isLastOperator({ role }: Person): boolean {
    return role === 'operator' && this.withRole('operator').length === 1;
  }
}

export interface MemoryPeopleParts {
  readonly accounts: MemoryAccounts;
  readonly sessions: MemorySessions;
  readonly factors: MemoryFactors;
  readonly passkeys: MemoryPasskeys;
  readonly links: MemoryIssuerLinks;
  readonly signupCredits: MemorySignupCredits;
  readonly mail: MemoryMailOutbox;
  readonly audit: MemoryAuditTrail;
  /** Whether anything is booked on an account, or it has a key. */
  readonly isInUse: (id: AccountId) => boolean;
}

/** An act on a person as the trail records it. */
export interface PersonAct extends AuditedBy, Partial<Pick<AuditedAct, 'details' | 'texts'>> {}

/** What an effect works on. */
export interface Redeemed {
  readonly entry: PersonEntry;
  readonly token: StoredToken;
  readonly by: AuditedBy;
}

/** What people have elsewhere: sessions, factors, links, tokens and mail. */
export class MemoryPersonTraces {
  constructor(private readonly parts: MemoryPeopleParts, private readonly tokens: MemoryPersonTokens) {}

  withFactors(person: Person): Person {
    return { ...person, factors: [...this.parts.factors.kindsOf(person.id), ...this.parts.passkeys.hasAny(person.id) ? ['passkey' as const] : []] };
  }

  /** All but mail. */
  remove(id: PersonId): void {
    this.removeFactors(id);
    this.parts.links.removeAll(id);
    this.tokens.remove(id, null);
  }

  /** What a holder of the mailbox may remove. Of factors that stay, one that was begun and not proved is removed too. */
  removeByMailbox(person: Pick<Person, 'id' | 'role'>): void {
    const { id } = person;
    if (mailboxRemovesFactors(person)) return this.remove(id);
    this.parts.sessions.remove(id, 'all');
    this.parts.factors.removeBegun(id);
    this.parts.links.removeAll(id);
    this.tokens.remove(id, null);
  }

  /** Second factors and sessions, with a notice. `false`, and no effect, where there is no factor. */
  removeOwnFactors(id: PersonId, notice: StoredMail, record: () => void): boolean {
    if (this.parts.factors.kindsOf(id).length === 0 && !this.parts.passkeys.hasAny(id)) return false;
    this.removeFactors(id);
    record();
    void this.parts.mail.store(notice);
    return true;
  }

  private removeFactors(id: PersonId): void {
    this.parts.sessions.remove(id, 'all');
    this.parts.factors.remove(id);
    this.parts.passkeys.removeAll(id);
  }

  /** Mail that waits for its delivery. */
  removeMail({ id, email }: Person): void {
    this.parts.mail.removeTo(email);
    // Mail of another person to that address stays.
    this.parts.mail.removeAbout(newAddressReference(id));
  }
}

/** Books the credit of new accounts, once for each mailbox. */
export class MemorySignupCredits {
  readonly #credited = new Set<string>();
  /** Credits by day and network. */
  readonly #networks = new Map<string, number>();

  constructor(private readonly ledger: MemoryLedger) {}

  book(accountId: AccountId, credit: SignupCredit, at: Instant): void {
    const { addressHashes, networks } = credit;
    const isKnown = addressHashes.some((hash) => this.#credited.has(hash));
    const counts = networks.map(({ hash, most }) => ({ name: `${Math.floor(at / MILLISECONDS_PER_DAY)} ${hash}`, most }));
    if (!isKnown && counts.some(({ name, most }) => (this.#networks.get(name) ?? 0) >= most)) return;
    for (const hash of addressHashes) this.#credited.add(hash);
    if (isKnown) return;
    for (const { name } of counts) this.#networks.set(name, (this.#networks.get(name) ?? 0) + 1);
    this.ledger.bookAtOnce(signupCreditAct(accountId, credit, at));
  }
}
