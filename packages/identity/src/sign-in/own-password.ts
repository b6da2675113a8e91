import { type Clock, type GatewayError, refuseField } from '@tollgate/core';
import type { BrowserRequest } from '../cookies/browser-request.js';
import type { PasswordRules } from '../passwords/password-rules.js';
import type { PersonDirectory } from '../people/person-directory.js';
import type { PersonMails } from '../people/person-mails.js';
import type { ProveOutcome } from '../sessions/proof-outcomes.js';
import { ownerIn } from '../sessions/session.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { Sessions } from './sessions.js';

export interface OwnPasswordParts {
  readonly passwords: PasswordRules;
  readonly people: PersonDirectory;
  readonly sessions: Sessions;
  readonly mails: PersonMails;
  readonly clock: Clock;
}

export interface OwnPasswordForm {
  readonly current: string;
  readonly next: string;
}

/** Changes of one's own password, which need the current one. */
export class OwnPassword {
  constructor(private readonly parts: OwnPasswordParts) {}

  /**
   * Ends the other sessions, invalidates all mailed links, mails a notice and replaces the session's token, which invalidates copied cookies. A wrong
   * current password counts as a wrong proof. Throws `invalid_request` that names the field.
   */
  async change(request: BrowserRequest, { person, session }: SignedIn, { current, next: typed }: OwnPasswordForm): Promise<Exclude<ProveOutcome, { readonly outcome: 'refused' }>> {
    const { people, sessions, mails, clock } = this.parts;
    const next = await this.parts.passwords.require(typed, 'new_password', person.email);
    const proven = await sessions.prove(request, { kind: 'password', password: current }, clock.now());
    if (proven.outcome === 'refused') throw wrongPassword();
    if (proven.outcome !== 'proven') return proven;
    const changed = await people.changePassword({ id: person.id, current, next, keep: session.id, origin: ownerIn(session, request.address).origin, at: clock.now() });
    if (changed === 'wrong-password') throw wrongPassword();
    await mails.notifyOfPassword(person);
    return proven;
  }
}

function wrongPassword(): GatewayError {
  return refuseField('current_password', 'is not your password', { code: 'wrong_password' });
}
