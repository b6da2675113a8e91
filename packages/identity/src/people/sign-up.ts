import { checkFields, type Clock, type GatewayError, isMailAddress, type PersonId, refuseField, refuseName, requireDisplayName } from '@tollgate/core';
import type { AnswerFloor, InBackground } from '../attempts/answer-floor.js';
import type { AttemptLimits } from '../attempts/attempt-limits.js';
import type { MailLanguage } from '../mail/mail-language.js';
import { existingAccountMessage } from '../mail/messages.js';
import type { PasswordRules } from '../passwords/password-rules.js';
import type { RegisterOutcome } from './person-commands.js';
import type { PersonDirectory } from './person-directory.js';
import type { PersonMails } from './person-mails.js';
import { permitsRegistration, signUpClosed, type SignUpPolicy } from './sign-up-policy.js';

export interface SignUpParts {
  readonly passwords: PasswordRules;
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
  readonly policy: SignUpPolicy;
}

export interface SignUpForm {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** Language of the page; an existing person's language stays. */
  readonly language?: MailLanguage | undefined;
  /** IP address of the client, for the audit log. */
  readonly address?: string | undefined;
}

/** The new or existing person's id. Throws for refusals, which depend only on the form. */
function idOf(outcome: RegisterOutcome): PersonId {
  switch (outcome.outcome) {
    case 'created': case 'existing': return outcome.id;
    case 'closed': throw signUpClosed();
    case 'email-malformed': throw refuseAddress();
    case 'name-malformed': throw refuseName();
  }
}

export function refuseAddress(): GatewayError {
  return refuseField('email', 'must be an e-mail address', { code: 'not_an_address' });
}

function requireAddress(email: string): void {
  if (!isMailAddress(email)) throw refuseAddress();
}

/** Signs people up. Answer and time do not depend on whether a person has the address; only the message does. */
export class SignUp {
  constructor(private readonly parts: SignUpParts) {}

  /** Resolves when the answer may leave. Throws `sign_up_closed`, or `invalid_request` with all fields at fault. */
  async register({ email, name, password: typed, language, address }: SignUpForm, inBackground: InBackground): Promise<void> {
    const { people, clock, floor, policy } = this.parts;
    if (!permitsRegistration(policy, 'sign-up')) throw signUpClosed();
    const [, , password] = await checkFields(() => requireAddress(email), () => requireDisplayName(name), () => this.parts.passwords.require(typed, 'password', email));
    const answer = floor.begin();
    const id = idOf(await people.register({ email, name, password, language, address, at: clock.now(), onHashed: () => answer.fix() }));
    inBackground(() => this.sendMail(id));
    await answer.due();
  }

  /** Mails a verification link, or a note about the existing account. */
  private async sendMail(id: PersonId): Promise<void> {
    const { people, mails, limits } = this.parts;
    const person = await people.find(id);
    if (person === null || !await limits.mayMail(person.emailVerified ? 'existing-account' : 'verification', person.email)) return;
    if (person.emailVerified) await mails.notify(person, 'existing-account', existingAccountMessage(mails.siteFor(person)));
    else await mails.sendVerification(person);
  }
}
