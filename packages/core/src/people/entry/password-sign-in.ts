import type { Clock } from '../../ports/clock.js';
import type { BrowserRequest, Sessions, SignInOutcome } from '../../ports/sessions.js';
import type { AnswerFloor } from './answer-floor.js';

export interface PasswordSignInParts {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
}

/** What a person typed. */
export interface SignInForm {
  readonly email: string;
  readonly password: string;
}

/** Sign-in by password. A refusal, and the time it takes, are the same whether or not the address is known. */
export class PasswordSignIn {
  constructor(private readonly parts: PasswordSignInParts) {}

  /** A success answers at once: it tells nothing that the right password does not. */
  async signIn(request: BrowserRequest, form: SignInForm): Promise<SignInOutcome> {
    const { sessions, clock, floor } = this.parts;
    const answer = floor.begin();
    const outcome = await sessions.signIn(request, { kind: 'password', ...form }, clock.now());
    if (outcome.outcome !== 'signed-in') await answer.due();
    return outcome;
  }
}
