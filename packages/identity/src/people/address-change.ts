import { type Clock, foldEmail, GatewayError } from '@tollgate/core';
import type { AttemptLimits } from '../attempts/attempt-limits.js';
import { type TokenForm, tokenInvalid } from './address-verification.js';
import type { PersonDirectory } from './person-directory.js';
import type { PersonMails } from './person-mails.js';
import type { Person } from './person.js';

export interface AddressChangeParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly limits: AttemptLimits;
}

export type AddressChangeStep =
  /** A second link was mailed to the new address. */
  | 'confirmed'
  /** Person and account have the new address. */
  | 'changed';

/** Needs a link sent to the current address, then one to the new address: a stolen session or password is not sufficient. */
export class AddressChange {
  constructor(private readonly parts: AddressChangeParts) {}

  /** Mails the first link. Does not reveal whether the new address is taken. Throws `invalid_request` if it is invalid or unchanged. */
  async request(person: Person, typed: string): Promise<void> {
    const email = foldEmail(typed);
    if (email === person.email) throw new GatewayError('invalid_request', 'email: is already your address.', { param: 'email' });
    if (await this.parts.mails.sendChangeConfirmation(person, email)) return;
    throw new GatewayError('invalid_request', 'email: must be an e-mail address.', { param: 'email' });
  }

  /** Either link. Throws `token_invalid`, or `conflict` if another account has taken the address. */
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
    // A refused change leaves the token valid.
    if (await people.isTokenLive(token, 'change-email', clock.now())) throw new GatewayError('conflict', 'Another account has this address.');
    throw tokenInvalid();
  }
}
