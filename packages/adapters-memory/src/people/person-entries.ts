import type { AccountId, Instant, Person, PersonId, PersonRole } from '@tollgate/core';

/** What is kept of a person besides their sessions, tokens and factors. */
export interface PersonEntry {
  readonly person: Person;
  readonly passwordHash: string | null;
  /** When someone who has not verified the address is removed; `null` once it is. */
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

  /** Another hash in the place of this one; `false` where it is there no longer. */
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
