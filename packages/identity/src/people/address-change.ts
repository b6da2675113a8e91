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

/** How far a link has brought a change of address. */
export type AddressChangeStep =
  /** A second link is on its way to the new address. */
  | 'confirmed'
  /** Person and account have the new address. */
  | 'changed';

/** A change of e-mail address: confirmed at the present address, then proved at the new one. A stolen session or password alone cannot move an account. */
export class AddressChange {
  constructor(private readonly parts: AddressChangeParts) {}

  /** Mails a link to the present address. Says nothing about whether the new one is taken. Throws `invalid_request` for one that is no address or the same. */
  async request(person: Person, typed: string): Promise<void> {
    const email = foldEmail(typed);
    if (email === person.email) throw new GatewayError('invalid_request', 'email: is your address already.', { param: 'email' });
    if (await this.parts.mails.sendChangeConfirmation(person, email)) return;
    throw new GatewayError('invalid_request', 'email: must be an e-mail address.', { param: 'email' });
  }

  /** Takes either link. Throws `token_invalid`, or `conflict` where another account has the new address by now. */
  async follow({ token, address }: Pick<TokenForm, 'token' | 'address'>): Promise<AddressChangeStep> {
    const { people, mails, clock, limits } = this.parts;
    const confirmed = await people.confirmChange(token, clock.now());
    if (confirmed !== null) {
      const { person, newEmail } = confirmed;
      // Anyone who has an account could have messages sent to any address with it.
      if (await limits.mayMail('change-email', newEmail)) await mails.sendNewAddressLink(person, newEmail);
      return 'confirmed';
    }
    if (await people.redeem({ purpose: 'change-email', token, address }, clock.now()) !== null) return 'changed';
    // A refused effect leaves the token as it is.
    if (await people.isTokenLive(token, 'change-email', clock.now())) throw new GatewayError('conflict', 'Another account has this address.');
    throw tokenInvalid();
  }
}
