import { type AuditedBy, type Clock, foldEmail, GatewayError, isMailAddress, MILLISECONDS_PER_SECOND, refuseField } from '@tollgate/core';
import { type AttemptLimits, MAIL_BOUND } from '../attempts/attempt-limits.js';
import { type TokenForm, tokenInvalid } from './address-verification.js';
import type { PersonDirectory } from './person-directory.js';
import type { PersonMails } from './person-mails.js';
import { type AccountAccess, mayChangeAddress, type Person } from './person.js';
import { refuseAddress } from './sign-up.js';

export interface AddressChangeParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly limits: AttemptLimits;
}

export type AddressChangeStep =
  /** The first link was followed. A second one is mailed to the new address, unless `MAIL_BOUND` is reached. */
  | 'confirmed'
  /** Person and account now have the new address. */
  | 'changed';

/** An account and its owner; `person` is `null` while no person owns the account. */
export interface OwnedAccount {
  readonly account: AccountAccess;
  readonly person: Person | null;
}

/**
 * Why a change cannot be requested. `operator`: the person is an operator. `inactive`: the account is suspended, blocked or to be deleted, or the
 * person has not verified the address.
 */
export type RequestedChangeRefusal = 'no-person' | 'operator' | 'inactive';

export type RequestedChange =
  | { readonly outcome: 'mailed' }
  | { readonly outcome: RequestedChangeRefusal };

/** A change needs a link sent to the current address, then a link sent to the new one: a stolen session or password is not sufficient. */
export class AddressChange {
  constructor(private readonly parts: AddressChangeParts) {}

  /**
   * Mails the first link. Does not reveal whether the new address is taken. Throws `invalid_request` if the new address is invalid or equals the
   * current one.
   */
  async request(person: Person, typed: string): Promise<void> {
    const email = foldEmail(typed);
    if (email === person.email) throw refuseField('email', 'is already your address', { code: 'own_address' });
    if (!await this.parts.mails.sendChangeConfirmation(person, email)) throw refuseAddress();
  }

  /**
   * Like `request`, for a program of the operator. The owner confirms the change in the same way. Throws `too_many_attempts` beyond `MAIL_BOUND`, and
   * `invalid_request` as `request` does.
   */
  async requestFor({ account, person }: OwnedAccount, typed: string, by: AuditedBy): Promise<RequestedChange> {
    if (person === null) return { outcome: 'no-person' };
    if (person.role === 'operator') return { outcome: 'operator' };
    if (!mayChangeAddress(person, account)) return { outcome: 'inactive' };
    const email = foldEmail(typed);
    if (!isMailAddress(email)) throw refuseAddress();
    if (email === person.email) throw refuseField('email', 'is already the address of the account', { code: 'own_address' });
    const { limits, mails } = this.parts;
    if (!await limits.mayMail('confirm-change', person.email)) throw tooManyMessages();
    if (!await mails.sendRequestedChange(person, email, by)) throw refuseAddress();
    return { outcome: 'mailed' };
  }

  /** Follows either link. Throws `token_invalid`, or `conflict` if another account has taken the address or the person's account is not active. */
  async follow({ token, address }: Pick<TokenForm, 'token' | 'address'>): Promise<AddressChangeStep> {
    const { people, mails, clock, limits } = this.parts;
    const confirmed = await people.confirmChange(token, clock.now());
    if (confirmed !== null) {
      const { person, newEmail } = confirmed;
      // Limited, because any account could otherwise send messages to arbitrary addresses.
      if (await limits.mayMail('change-email', newEmail)) await mails.sendNewAddressLink(person, newEmail);
      return 'confirmed';
    }
    if (await people.redeem({ purpose: 'change-email', token, address }, clock.now()) !== null) return 'changed';
    // A refused change leaves the token valid. The mailbox may be a stranger's, so the answer does not say why.
    if (await people.isTokenLive(token, 'change-email', clock.now())) {
      throw new GatewayError('conflict', 'The address cannot be changed: another account has it, or the account that asked for it is not active.');
    }
    throw tokenInvalid();
  }
}

function tooManyMessages(): GatewayError {
  return new GatewayError('too_many_attempts', `The owner has had ${MAIL_BOUND.most} messages about a change of address within an hour. Try again later.`, {
    retryAfterSeconds: MAIL_BOUND.windowMilliseconds / MILLISECONDS_PER_SECOND,
  });
}
