import type { Actor, Clock } from '@tollgate/core';
import type { PersonDirectory } from './person-directory.js';
import type { PersonMails } from './person-mails.js';

export interface InvitationsParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
}

export interface InvitationCommand {
  readonly email: string;
  readonly name: string;
  /** Operator who invites. */
  readonly by: Actor;
}

/** `has-account`: the address is verified, and no message was sent. `closed`: `SIGN_UP` does not permit invitations. */
export type InvitationOutcome = 'invited' | 'has-account' | 'closed' | 'email-malformed' | 'name-malformed';

/** Invites people, who choose a password on the page of the mailed link. */
export class Invitations {
  constructor(private readonly parts: InvitationsParts) {}

  /** Replaces the link of an earlier invitation, or of a sign-up that was never verified. */
  async invite({ email, name, by }: InvitationCommand): Promise<InvitationOutcome> {
    const { people, mails, clock } = this.parts;
    const registered = await people.invite({ email, name, by, at: clock.now() });
    if (registered.outcome !== 'created' && registered.outcome !== 'existing') return registered.outcome;
    const person = await people.find(registered.id);
    if (person === null || person.emailVerified) return 'has-account';
    await mails.sendLink(person, 'invitation');
    return 'invited';
  }
}
