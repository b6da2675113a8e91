import { foldEmail } from '../accounts/mail-address.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { Clock } from '../ports/system.js';
import type { PersonDirectory } from '../ports/person-directory.js';
import type { Person } from './person.js';
import type { AnswerFloor, AttemptLimits, InBackground } from './attempt-limits.js';
import type { PersonMails } from './person-mails.js';


export interface AddressVerificationParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly floor: AnswerFloor;
  readonly limits: AttemptLimits;
}

/** What a link's page sends: its token, and what was typed there. */
export interface TokenForm {
  readonly token: string;
  readonly password: string;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
  /** What the browser sent. */
  readonly cookie?: string | null;
}

/** For every token that is not live, whatever the reason. */
export function tokenInvalid(): GatewayError {
  return new GatewayError('token_invalid', 'This link was used already, has expired, or was replaced by a newer one.');
}

/** Proof that an address belongs to the person who signed up with it: the link in the mail, and the password of the sign-up. */
export class AddressVerification {
  constructor(private readonly parts: AddressVerificationParts) {}

  /** Mails the link once more, unless the address is unknown or verified. Resolves when the answer may leave, the same for every address. */
  async resend(email: string, inBackground: InBackground): Promise<void> {
    inBackground(() => this.sendAgain(email));
    await this.parts.floor.pass();
  }

  /** Throws `token_invalid` and `sign_up_closed`; with another password than that of the sign-up, `invalid_request`, and the link stays good. */
  async verify({ token, password, address, cookie = null }: TokenForm): Promise<Person> {
    const { people, clock } = this.parts;
    const person = await people.redeem({ purpose: 'verify-email', token, password, address, cookie }, clock.now());
    if (person !== null) return person;
    if (!await people.isTokenLive(token, 'verify-email', clock.now())) throw tokenInvalid();
    throw new GatewayError('invalid_request', 'password: is not the one of the sign-up.', { param: 'password' });
  }

  /** "This was not me": removes the person who signed up with the address. Throws `token_invalid`. */
  async disown(token: string, address?: string): Promise<void> {
    const { people, clock } = this.parts;
    if (!await people.disown(token, clock.now(), address)) throw tokenInvalid();
  }

  private async sendAgain(email: string): Promise<void> {
    const { people, limits, mails } = this.parts;
    const person = await people.findByEmail(email);
    if (person !== null && !person.emailVerified && await limits.mayMail('verification', person.email)) await mails.sendVerification(person);
  }
}

export interface AddressChangeParts {
  readonly people: PersonDirectory;
  readonly mails: PersonMails;
  readonly clock: Clock;
  readonly limits: AttemptLimits;
}

/** How far a link has brought a change of address. */
export type AddressChangeStep =
  /** A second link is on its way to the new address. */
  | 'confirmed'
  /** Person and account have the new address. */
  | 'changed';

/** A change of e-mail address: confirmed at the present address, then proved at the new one. A stolen session or password alone cannot move an account. */
export class AddressChange {
  constructor(private readonly parts: AddressChangeParts) {}

  /** Mails a link to the present address. Says nothing about whether the new one is taken. Throws `invalid_request` for one that is no address or the same. */
  async request(person: Person, typed: string): Promise<void> {
    const email = foldEmail(typed);
    if (email === person.email) throw new GatewayError('invalid_request', 'email: is your address already.', { param: 'email' });
    if (await this.parts.mails.sendChangeConfirmation(person, email)) return;
    throw new GatewayError('invalid_request', 'email: must be an e-mail address.', { param: 'email' });
  }

  /** Takes either link. Throws `token_invalid`, or `conflict` where another account has the new address by now. */
  async follow({ token, address }: Pick<TokenForm, 'token' | 'address'>): Promise<AddressChangeStep> {
    const { people, mails, clock, limits } = this.parts;
    const confirmed = await people.confirmChange(token, clock.now());
    if (confirmed !== null) {
      const { person, newEmail } = confirmed;
      // Anyone who has an account could have messages sent to any address with it.
      if (await limits.mayMail('change-email', newEmail)) await mails.sendNewAddressLink(person, newEmail);
      return 'confirmed';
    }
    if (await people.redeem({ purpose: 'change-email', token, address }, clock.now()) !== null) return 'changed';
    // A refused effect leaves the token as it is.
    if (await people.isTokenLive(token, 'change-email', clock.now())) throw new GatewayError('conflict', 'Another account has this address.');
    throw tokenInvalid();
  }
}
