import { foldEmail } from '../accounts/email.js';
import type { MoneyAct } from '../billing/money-act.js';
import type { AccountId } from '../ids.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AddressHashes } from '../ports/address-hashes.js';
import { SYSTEM_ACTOR } from '../ports/audit.js';
import type { Instant } from '../time/instant.js';

/** What the owner of a new account is given when they verify their address, once for each address. */
export interface SignupCredit {
  /** More than zero. */
  readonly amount: ServiceTokens;
  /** By which a store knows an address that was credited before, also after it was erased; at least one. */
  readonly addressHashes: readonly string[];
}

/** The credit of this installation, for the addresses of newcomers. */
export class SignupCredits {
  /** `amount` is more than zero. */
  constructor(private readonly amount: ServiceTokens, private readonly hashes: AddressHashes) {}

  for(email: string): SignupCredit {
    return { amount: this.amount, addressHashes: this.hashes.of(foldEmail(email)) };
  }
}

/** How the credit is booked: by the gateway, under a reference that an account has once. */
export function signupCreditAct(accountId: AccountId, { amount }: SignupCredit, at: Instant): MoneyAct {
  return { kind: 'signup-credit', accountId, amount, reference: `sign-up of ${accountId}`, reason: null, actor: SYSTEM_ACTOR, at };
}
