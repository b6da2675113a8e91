import { GatewayError } from '../../errors/gateway-error.js';
import type { Clock } from '../../ports/clock.js';
import type { PersonDirectory } from '../../ports/person-directory.js';
import type { BrowserRequest, Sessions, SignedIn } from '../../ports/sessions.js';
import { type Password, requirePassword } from '../password.js';
import type { PersonMails } from './person-mails.js';

export interface OwnPasswordParts {
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
   * nothing. Returns the `Set-Cookie` header. Throws `invalid_request` that names the field.
   */
  async change(request: BrowserRequest, { person, session }: SignedIn, { current, next: typed }: OwnPasswordForm): Promise<string> {
    const { people, mails, clock } = this.parts;
    const next = requirePassword(typed, 'new_password');
    const outcome = await people.changePassword({ id: person.id, current, next, keep: session.id, address: request.address, at: clock.now() });
    if (outcome === 'wrong-password') throw new GatewayError('invalid_request', 'current_password: is not your password.', { param: 'current_password' });
    // A message that cannot be stored must not keep the old token alive.
    const setCookie = await this.renew(request, { person, session, next });
    await mails.notifyOfPassword(person);
    return setCookie;
  }

  /** Gives the session a new token, or ends it. */
  private async renew(request: BrowserRequest, { person, session, next }: Pick<SignedIn, 'person' | 'session'> & { readonly next: Password }): Promise<string> {
    const { sessions, clock } = this.parts;
    const renewed = await sessions.prove(request, { kind: 'password', password: next }, clock.now());
    if (renewed.outcome === 'proven') return renewed.setCookie;
    await sessions.end(person.id, session.id);
    return sessions.forgetCookie();
  }
}
