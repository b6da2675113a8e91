import { newAddressReference, type Person, type PersonId } from '@tollgate/core';
import type { MemoryPeopleParts } from './memory-people-parts.js';
import type { MemoryPersonTokens } from './memory-person-tokens.js';

/** What people have elsewhere: sessions, factors, links, tokens and mail. */
export class MemoryPersonTraces {
  constructor(private readonly parts: MemoryPeopleParts, private readonly tokens: MemoryPersonTokens) {}

  withFactors(person: Person): Person {
    return { ...person, factors: [...this.parts.factors.kindsOf(person.id), ...this.parts.passkeys.hasAny(person.id) ? ['passkey' as const] : []] };
  }

  /** All but mail. */
  remove(id: PersonId): void {
    this.parts.sessions.remove(id, 'all');
    this.parts.factors.remove(id);
    this.parts.passkeys.removeAll(id);
    this.parts.links.removeAll(id);
    this.tokens.remove(id, null);
  }

  /** Mail that waits for its delivery. */
  removeMail({ id, email }: Person): void {
    this.parts.mail.removeTo(email);
    // Mail of another person to that address stays.
    this.parts.mail.removeAbout(newAddressReference(id));
  }
}
