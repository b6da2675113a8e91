import type { Clock } from '../../ports/clock.js';
import type { PersonDirectory } from '../../ports/person-directory.js';
import { requirePassword } from '../password.js';
import type { Person } from '../person.js';
import type { AnswerFloor, InBackground } from './answer-floor.js';
import type { AttemptLimits } from './attempt-limits.js';
import { type TokenForm, tokenInvalid } from './address-verification.js';
import type { PersonMails } from './person-mails.js';

export interface PasswordResetParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
}

/** A new password by mail, and passwords of people who were invited. */
export class PasswordReset {
  constructor(private readonly parts: PasswordResetParts) {}

  /** Mails a link to an address that is known. Resolves when the answer may leave, the same for every address. */
  async request(email: string, inBackground: InBackground): Promise<void> {
    inBackground(() => this.sendLink(email));
    await this.parts.floor.pass();
  }

  /** Ends every session, factor and link from before, and tells the person. Throws `token_invalid`, `sign_up_closed`, or `invalid_request` for a password that may not be set. */
  async reset(form: TokenForm, afterAct: InBackground): Promise<Person> {
    const person = await this.setPassword('reset-password', form);
    afterAct(() => this.parts.mails.notifyOfPassword(person));
    return person;
  }

  /** The first password of an invited person; verifies the address. Throws as `reset` does. */
  acceptInvitation(form: TokenForm): Promise<Person> {
    return this.setPassword('invitation', form);
  }

  private async sendLink(email: string): Promise<void> {
    const { people, limits, mails } = this.parts;
    const person = await people.findByEmail(email);
    if (person !== null && await limits.mayMail('reset', person.email)) await mails.sendLink(person, 'reset-password');
  }

  private async setPassword(purpose: 'reset-password' | 'invitation', { token, password: typed, address }: TokenForm): Promise<Person> {
    const { people, clock } = this.parts;
    const password = requirePassword(typed, 'password');
    const person = await people.redeem({ purpose, token, password, address }, clock.now());
    if (person === null) throw tokenInvalid();
    return person;
  }
}
