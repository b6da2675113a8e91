import { type Clock, GatewayError } from '@tollgate/core';
import type { AnswerFloor, InBackground } from '../attempts/answer-floor.js';
import type { AttemptLimits } from '../attempts/attempt-limits.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import type { PersonMails } from '../people/person-mails.js';
import type { Person } from '../people/person.js';
import type { SignInOutcome } from '../sessions/proof-outcomes.js';
import type { Sessions } from './sessions.js';

export interface PasswordSignInParts {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
  readonly mails: PersonMails;
}

export interface SignInRequest extends BrowserRequest {
  readonly inBackground: InBackground;
}

export interface SignInForm {
  readonly email: string;
  readonly password: string;
}

/** Sign-in by password. A refusal and its time do not depend on whether a person has the address. */
export class PasswordSignIn {
  constructor(private readonly parts: PasswordSignInParts) {}

  /**
   * A success is answered immediately: it reveals no more than the right password does. After many failures, the delay precedes the check,
   * so that a slow answer is no sign of a wrong password. `isKnown`: the person has signed in with this browser before.
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

  /** Mails the link that an unknown browser needs in addition to the password. Never throws: an error would reveal that the password was right. */
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
