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

/** `has-account`: the address is verified; no message was sent. `closed`: by `SIGN_UP`. */
export type InvitationOutcome = 'invited' | 'has-account' | 'closed' | 'email-malformed' | 'name-malformed';

/** The invited person chooses a password at the mailed link. */
export class Invitations {
  constructor(private readonly parts: InvitationsParts) {}

  /** Repeating it replaces the previous link, also for someone who signed up and never verified. */
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
