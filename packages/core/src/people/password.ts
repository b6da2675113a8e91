import { GatewayError } from '../errors/gateway-error.js';
import type { Brand } from '../primitives.js';
import type { Clock } from '../ports/system.js';
import type { BrowserRequest, ProveOutcome, Sessions, SignedIn, SignInOutcome } from '../ports/sessions.js';
import type { AnswerFloor, AttemptLimits, InBackground } from './attempt-limits.js';
import type { PersonDirectory } from '../ports/person-directory.js';
import type { PasswordRules } from './password-rules.js';
import type { PersonMails } from './person-mails.js';
import type { Person } from './person.js';
import { type TokenForm, tokenInvalid } from './address-verification.js';

/** A password that may be set, in the one form in which it is hashed. Never logged, never stored. */
export type Password = Brand<string, 'Password'>;

export const PASSWORD_MINIMUM_LENGTH = 8;
export const PASSWORD_MAXIMUM_LENGTH = 128;
/** In UTF-16 units: a longer text is refused before any work is done on it. */
const LONGEST_READ = 1024;

export type PasswordRefusal = 'too-short' | 'too-long';

export type ReadPassword =
  | { readonly outcome: 'read'; readonly password: Password }
  | { readonly outcome: PasswordRefusal };

/** Reads what a person typed. Keyboards differ in how they compose a character, so it is normalised (NFKC); lengths count characters. */
export function readPassword(typed: string): ReadPassword {
  if (typed.length > LONGEST_READ) return { outcome: 'too-long' };
  const password = typed.normalize('NFKC');
  const length = Array.from(password).length;
  if (length < PASSWORD_MINIMUM_LENGTH) return { outcome: 'too-short' };
  if (length > PASSWORD_MAXIMUM_LENGTH) return { outcome: 'too-long' };
  return { outcome: 'read', password: password as Password };
}

const REFUSALS: Readonly<Record<PasswordRefusal, string>> = {
  'too-short': `must have at least ${PASSWORD_MINIMUM_LENGTH} characters`,
  'too-long': `must have at most ${PASSWORD_MAXIMUM_LENGTH} characters`,
};

/** Reads a password that a person wants to have. Throws `invalid_request` that names the field. */
export function requirePassword(typed: string, param: string): Password {
  const read = readPassword(typed);
  if (read.outcome === 'read') return read.password;
  throw new GatewayError('invalid_request', `${param}: ${REFUSALS[read.outcome]}.`, { param });
}

export interface PasswordSignInParts {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
  readonly mails: PersonMails;
}

/** Of the request of a sign-in. */
export interface SignInRequest extends BrowserRequest {
  readonly inBackground: InBackground;
}

/** What a person typed. */
export interface SignInForm {
  readonly email: string;
  readonly password: string;
}

/** Sign-in by password. A refusal, and the time it takes, are the same whether or not the address is known. */
export class PasswordSignIn {
  constructor(private readonly parts: PasswordSignInParts) {}

  /**
   * A success answers at once: it tells nothing that the right password does not. The delay after many failures comes before the password is looked
   * at, so that a guesser cannot take a slow answer for a failure and go on. `isKnown`: the person has signed in with this browser before.
   */
  async signIn({ inBackground, ...request }: SignInRequest, form: SignInForm, isKnown = false): Promise<SignInOutcome> {
    const { sessions, clock, floor, limits } = this.parts;
    const delay = isKnown ? null : await limits.delaySignIn(form.email);
    if (delay !== null) await this.wait(delay.milliseconds);
    const answer = floor.begin();
    const outcome = await sessions.signIn(request, { kind: 'password', ...form, onHashed: () => answer.fix() }, clock.now());
    if (outcome.outcome === 'unconfirmed') this.sendLink(outcome.person, inBackground);
    if (outcome.outcome === 'signed-in') await delay?.giveBack();
    else await answer.due();
    return outcome;
  }

  /** Mails the link that a proof from a browser that is not known needs besides. Never throws: that would tell that the proof was right. */
  sendLink(person: Person, inBackground: InBackground): void {
    const { limits, mails } = this.parts;
    try {
      inBackground(async () => {
        if (await limits.mayMail('confirm-sign-in', person.email)) await mails.sendLink(person, 'confirm-sign-in');
      });
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown;
    }
  }

  private wait(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.parts.clock.schedule(milliseconds, resolve);
    });
  }
}

export interface OwnPasswordParts {
  readonly passwords: PasswordRules;
  readonly people: PersonDirectory;
  readonly sessions: Sessions;
  readonly mails: PersonMails;
  readonly clock: Clock;
}

/** What a person who is signed in typed. */
export interface OwnPasswordForm {
  readonly current: string;
  readonly next: string;
}

/** A change of password by someone who knows the present one. */
export class OwnPassword {
  constructor(private readonly parts: OwnPasswordParts) {}

  /**
   * Ends the person's other sessions and all links, tells them by mail, and gives the session a new token, so that a copy of its cookie is worth
   * nothing. A wrong present password counts as a wrong proof. Throws `invalid_request` that names the field.
   */
  async change(request: BrowserRequest, { person, session }: SignedIn, { current, next: typed }: OwnPasswordForm): Promise<Exclude<ProveOutcome, { readonly outcome: 'refused' }>> {
    const { people, sessions, mails, clock } = this.parts;
    const next = await this.parts.passwords.require(typed, 'new_password', person.email);
    const proven = await sessions.prove(request, { kind: 'password', password: current }, clock.now());
    if (proven.outcome === 'refused') throw wrongPassword();
    if (proven.outcome !== 'proven') return proven;
    const changed = await people.changePassword({ id: person.id, current, next, keep: session.id, address: request.address, at: clock.now() });
    if (changed === 'wrong-password') throw wrongPassword();
    await mails.notifyOfPassword(person);
    return proven;
  }
}

function wrongPassword(): GatewayError {
  return new GatewayError('invalid_request', 'current_password: is not your password.', { param: 'current_password' });
}

export interface PasswordResetParts {
  readonly passwords: PasswordRules;
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
  async request(email: string, inBackground: InBackground, isKnown = false): Promise<void> {
    inBackground(() => this.sendLink(email, isKnown));
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
