import { type AccountId, countedNetworksOf, foldEmail, type Instant, later, MILLISECONDS_PER_DAY, type MoneyAct, type ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { AddressHashes } from './address-hashes.js';
import { mailboxNameOf } from './mailbox.js';

/** Maximum number of sign-up credits per UTC day and IPv4 address or IPv6 /64; for larger networks see `countedNetworksOf`. */
export const SIGNUP_CREDITS_PER_NETWORK = 20;

export interface CreditedNetwork {
  /** Keyed hash of the network. */
  readonly hash: string;
  /** Maximum number of credits per UTC day. */
  readonly most: number;
}

/** A credit that is booked when the owner of a new account verifies the address, once per mailbox. */
export interface SignupCredit {
  /** Greater than zero. */
  readonly amount: ServiceTokens;
  /** `null` for never. */
  readonly expiresAfterDays: number | null;
  /** Hashes under which the credit is remembered, even after the owner is erased. Distinct, at least one. */
  readonly addressHashes: readonly string[];
  /** Networks of the verifying client; empty if unknown. */
  readonly networks: readonly CreditedNetwork[];
}

export class SignupCredits {
  /** @param amount Greater than zero. @param days Days after which the credit expires; `null` for never. */
  constructor(private readonly amount: ServiceTokens, private readonly hashes: AddressHashes, private readonly days: number | null = null) {}

  /**
   * `address`: the network address of the client that verifies. Hashes the full e-mail address too, for credits booked before mailboxes were
   * normalized.
   */
  for(email: string, address?: string): SignupCredit {
    const folded = foldEmail(email);
    const addressHashes = [...new Set([mailboxNameOf(folded), folded].flatMap((each) => this.hashes.of(each)))];
    const counted = address === undefined ? [] : countedNetworksOf(address);
    const networks = counted.flatMap(({ name, times }) => this.hashes.of(`network ${name}`).slice(0, 1).map((hash) => ({ hash, most: SIGNUP_CREDITS_PER_NETWORK * times })));
    return { amount: this.amount, expiresAfterDays: this.days, addressHashes, networks };
  }
}

/** The act that books the credit; its reference is unique per account. */
export function signupCreditAct(accountId: AccountId, { amount, expiresAfterDays: days }: SignupCredit, at: Instant): MoneyAct {
  const expiresAt = days === null ? null : later(at, days * MILLISECONDS_PER_DAY);
  return { kind: 'signup-credit', expiresAt, accountId, amount, reference: `sign-up of ${accountId}`, reason: null, actor: SYSTEM_ACTOR, at };
}
