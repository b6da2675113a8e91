import type { Clock } from '@tollgate/core';
import type { AnswerFloor, InBackground } from '../attempts/answer-floor.js';
import type { AttemptLimits } from '../attempts/attempt-limits.js';
import type { PasswordRules } from '../passwords/password-rules.js';
import { requirePassword } from '../passwords/password.js';
import { type TokenForm, tokenInvalid } from '../people/address-verification.js';
import type { PersonDirectory } from '../people/person-directory.js';
import type { PersonMails } from '../people/person-mails.js';
import type { Person } from '../people/person.js';

export interface PasswordResetParts {
  readonly passwords: PasswordRules;
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
}

/** Password reset by mail; also sets first passwords of invited people. */
export class PasswordReset {
  constructor(private readonly parts: PasswordResetParts) {}

  /**
   * Mails a link if a person whom `SIGN_UP` admits has the address and `MAIL_BOUND` permits it. Resolves when the answer may leave, which does not
   * depend on the address.
   */
  async request(email: string, inBackground: InBackground, isKnown = false): Promise<void> {
    inBackground(() => this.sendLink(email, isKnown));
    await this.parts.floor.pass();
  }

  /**
   * Ends all sessions, removes factors (not an operator's) and links, also those to issuers, and mails a notice. Throws `token_invalid`,
   * `sign_up_closed`, or `invalid_request` for an invalid password.
   */
  async reset(form: TokenForm, afterAct: InBackground): Promise<Person> {
    const person = await this.setPassword('reset-password', form);
    afterAct(() => this.parts.mails.notifyOfPassword(person));
    return person;
  }

  /** Sets the first password of an invited person, and verifies the address. Throws as `reset` does. */
  acceptInvitation(form: TokenForm): Promise<Person> {
    return this.setPassword('invitation', form);
  }

  private async sendLink(email: string, isKnown: boolean): Promise<void> {
    const { people, limits, mails } = this.parts;
    const person = await people.findByEmail(email);
    if (person !== null && await limits.mayMail('reset', person.email, isKnown)) await mails.sendLink(person, 'reset-password');
  }

  private async setPassword(purpose: 'reset-password' | 'invitation', { token, password: typed, address, cookie = null }: TokenForm): Promise<Person> {
    const { people, passwords, clock } = this.parts;
    requirePassword(typed, 'password');
    const owner = await people.ownerOf(token, purpose, clock.now());
    if (owner === null) throw tokenInvalid();
    const password = await passwords.require(typed, 'password', owner.email);
    const person = await people.redeem({ purpose, token, password, address, cookie }, clock.now());
    if (person === null) throw tokenInvalid();
    return person;
  }
}
