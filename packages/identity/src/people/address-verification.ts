import { type Clock, GatewayError, refuseField } from '@tollgate/core';
import type { AnswerFloor, InBackground } from '../attempts/answer-floor.js';
import type { AttemptLimits } from '../attempts/attempt-limits.js';
import type { PersonDirectory } from './person-directory.js';
import type { PersonMails } from './person-mails.js';
import type { Person } from './person.js';

export interface AddressVerificationParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
}

export interface TokenForm {
  readonly token: string;
  readonly password: string;
  /** Address of the client, for the audit log. */
  readonly address?: string | undefined;
  /** `Cookie` header. */
  readonly cookie?: string | null;
}

/** The same error for every invalid token. */
export function tokenInvalid(): GatewayError {
  return new GatewayError('token_invalid', 'This link was already used, has expired, or was replaced by a newer one.');
}

/** Verifies addresses, by the mailed link and the password chosen at sign-up. */
export class AddressVerification {
  constructor(private readonly parts: AddressVerificationParts) {}

  /**
   * Mails a link if an unverified person has the address and `MAIL_BOUND` permits it. Resolves when the answer may leave, which does not depend on
   * the address.
   */
  async resend(email: string, inBackground: InBackground): Promise<void> {
    inBackground(() => this.sendAgain(email));
    await this.parts.floor.pass();
  }

  /** Throws `token_invalid` or `sign_up_closed`; for a wrong password `invalid_request`, and the link stays valid. */
  async verify({ token, password, address, cookie = null }: TokenForm): Promise<Person> {
    const { people, clock } = this.parts;
    const person = await people.redeem({ purpose: 'verify-email', token, password, address, cookie }, clock.now());
    if (person !== null) return person;
    if (!await people.isTokenLive(token, 'verify-email', clock.now())) throw tokenInvalid();
    throw refuseField('password', 'is not the one that you chose when you signed up', { code: 'other_password' });
  }

  /** "This was not me": deletes the unverified person. Throws `token_invalid`. */
  async disown(token: string, address?: string): Promise<void> {
    const { people, clock } = this.parts;
    if (!await people.disown(token, clock.now(), address)) throw tokenInvalid();
  }

  private async sendAgain(email: string): Promise<void> {
    const { people, limits, mails } = this.parts;
    const person = await people.findByEmail(email);
    if (person !== null && !person.emailVerified && await limits.mayMail('verification', person.email)) await mails.sendVerification(person);
  }
}
