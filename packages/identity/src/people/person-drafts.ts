import { type Account, foldEmail, type Instant, newAccount, type PlanId } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { Person } from './person.js';
import type { SignupCredit, SignupCredits } from './signup-credits.js';

export interface Newcomer {
  readonly email: string;
  readonly name: string;
  readonly language?: MailLanguage | null | undefined;
  readonly at: Instant;
}

/** The local part of an address, which names a person whose name is unknown or untrusted. */
export function mailboxOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** Drafts of people and accounts, for all ways of signing up. */
export class PersonDrafts {
  /**
   * @param planId The plan of new accounts.
   * @param credits Booked when the address is verified.
   */
  constructor(private readonly ids: IdentityIdGenerator, private readonly planId: PlanId, private readonly credits: SignupCredits | null = null) {}

  /** An unverified person, to whom the store assigns an account. */
  person({ email, name, language = null, at }: Newcomer): Person {
    return { id: this.ids.personId(), accountId: null, email: foldEmail(email), emailVerified: false, name, role: 'owner', factors: [], language, createdAt: at };
  }

  /** A new account, for an address without one. */
  accountFor({ email, name }: Pick<Person, 'email' | 'name'>, at: Instant): Account {
    return newAccount({ id: this.ids.accountId(), email, name, planId: this.planId, emailVerified: false, createdAt: at });
  }

  /** `null` if there is no sign-up credit. */
  creditFor({ email }: Pick<Person, 'email'>, address?: string): SignupCredit | null {
    return this.credits?.for(email, address) ?? null;
  }
}
