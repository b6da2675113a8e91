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
  /** The inviting operator. */
  readonly by: Actor;
}

/** `has-account`: the address is already verified; no message was sent. `closed`: `SIGN_UP` admits no new people. */
export type InvitationOutcome = 'invited' | 'has-account' | 'closed' | 'email-malformed' | 'name-malformed';

/** The mailed link lets the invited person choose a password. */
export class Invitations {
  constructor(private readonly parts: InvitationsParts) {}

  /** A repeated invitation replaces the previous link, also for a person who signed up and never verified the address. */
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
