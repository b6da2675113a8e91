import { type Account, foldEmail, type Instant, type PlanId } from '@tollgate/core';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { Person } from './person.js';
import type { SignupCredit, SignupCredits } from './signup-credits.js';

export interface Newcomer {
  readonly email: string;
  readonly name: string;
  readonly at: Instant;
}

/** Names a person of whom no name is known that can be trusted. */
export function mailboxOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** People and accounts as they begin, on every way of signing up. */
export class PersonDrafts {
  /** `planId`: the plan that new accounts are on. `credits`: what they are given at the verification of their address. */
  constructor(private readonly ids: IdentityIdGenerator, private readonly planId: PlanId, private readonly credits: SignupCredits | null = null) {}

  /** Whose address is not verified, and whose account the store decides. */
  person({ email, name, at }: Newcomer): Person {
    return { id: this.ids.personId(), accountId: null, email: foldEmail(email), emailVerified: false, name, role: 'owner', factors: [], createdAt: at };
  }

  /** A new account in the person's name, for where none with the address exists. */
  accountFor({ email, name }: Pick<Person, 'email' | 'name'>, at: Instant): Account {
    return {
      id: this.ids.accountId(), email, name, planId: this.planId, status: 'active', emailVerified: false, blocked: false, deletion: null, createdAt: at,
    };
  }

  /** `null`: accounts begin with nothing. */
  creditFor({ email }: Pick<Person, 'email'>, address?: string): SignupCredit | null {
    return this.credits?.for(email, address) ?? null;
  }
}
