import type { Clock } from '../../ports/clock.js';
import type { BrowserRequest, Sessions, SignInOutcome } from '../../ports/sessions.js';
import type { AnswerFloor } from './answer-floor.js';
import type { AttemptLimits } from './attempt-limits.js';

export interface PasswordSignInParts {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
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
   * at, so that a guesser cannot take a slow answer for a failure and go on.
   */
  async signIn(request: BrowserRequest, form: SignInForm): Promise<SignInOutcome> {
    const { sessions, clock, floor, limits } = this.parts;
    const delay = await limits.delaySignIn(form.email);
    await this.wait(delay.milliseconds);
    const answer = floor.begin();
    const outcome = await sessions.signIn(request, { kind: 'password', ...form }, clock.now());
    if (outcome.outcome === 'signed-in') await delay.giveBack();
    else await answer.due();
    return outcome;
  }

  private wait(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.parts.clock.schedule(milliseconds, resolve);
    });
  }
}
