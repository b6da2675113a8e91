import { type AccountId, countedNetworksOf, foldEmail, type Instant, type MoneyAct, type ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { AddressHashes } from './address-hashes.js';
import { mailboxNameOf } from './mailbox.js';

/** Credits that one network receives in a UTC day: an IPv4 address, or the /64 of an IPv6 address; larger networks of IPv6 receive more, by `countedNetworksOf`. */
export const SIGNUP_CREDITS_PER_NETWORK = 20;

/** A network that credits are counted by. */
export interface CreditedNetwork {
  /** Its keyed hash. */
  readonly hash: string;
  /** Credits in a UTC day. */
  readonly most: number;
}

/** What the owner of a new account is given when they verify their address, once for each mailbox. */
export interface SignupCredit {
  /** More than zero. */
  readonly amount: ServiceTokens;
  /** By which a store knows a mailbox that was credited before, also after it was erased; at least one, each once. */
  readonly addressHashes: readonly string[];
  /** Where the verification came from; empty where that is not known. */
  readonly networks: readonly CreditedNetwork[];
}

/** The credit of this installation, for the addresses of newcomers. */
export class SignupCredits {
  /** `amount` is more than zero. */
  constructor(private readonly amount: ServiceTokens, private readonly hashes: AddressHashes) {}

  /** `address` is the client's that verifies. The address itself is hashed too, as before mailboxes were told apart. */
  for(email: string, address?: string): SignupCredit {
    const folded = foldEmail(email);
    const addressHashes = [...new Set([mailboxNameOf(folded), folded].flatMap((each) => this.hashes.of(each)))];
    const counted = address === undefined ? [] : countedNetworksOf(address);
    const networks = counted.flatMap(({ name, times }) => this.hashes.of(`network ${name}`).slice(0, 1).map((hash) => ({ hash, most: SIGNUP_CREDITS_PER_NETWORK * times })));
    return { amount: this.amount, addressHashes, networks };
  }
}

/** How the credit is booked: by the gateway, under a reference that an account has once. */
export function signupCreditAct(accountId: AccountId, { amount }: SignupCredit, at: Instant): MoneyAct {
  return { kind: 'signup-credit', accountId, amount, reference: `sign-up of ${accountId}`, reason: null, actor: SYSTEM_ACTOR, at };
}
