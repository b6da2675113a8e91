import { type IssuerAdmissionOutcome, decideIssuerAdmission, type IssuerAdmission, type IssuerRecords, type IssuerSubject, ownAct, type PersonId } from '@tollgate/core';
import type { MemoryChallenges } from './memory-challenges.js';
import type { MemoryPeople } from './memory-people.js';

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
