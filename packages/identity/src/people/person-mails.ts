import { type Clock, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PersonId } from '@tollgate/core';
import { confirmSignInMessage } from '../attempts/failure-messages.js';
import type { LinkMessage } from '../mail/dashboard-links.js';
import { type Mail, type MailContent, type MailRank, newAddressReference } from '../mail/mail.js';
import type { Mailer } from '../mail/mailer.js';
import {
  confirmAddressChangeMessage, invitationMessage, passwordChangedMessage, resetPasswordMessage, verifyAddressMessage, verifyNewAddressMessage,
} from '../mail/messages.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { AddressPurpose, PersonDirectory } from './person-directory.js';
import { type Person, TOKEN_LIFETIMES } from './person.js';

/** Where browsers reach the installation. */
export interface Site {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
}

export interface PersonMailsParts {
  readonly people: PersonDirectory;
  readonly mailer: Mailer;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  readonly site: Site;
}

/** Purposes whose link goes to the person's own address and needs nothing besides. */
export type MailedPurpose = 'verify-email' | 'reset-password' | 'invitation' | 'confirm-sign-in';

const MESSAGES: Readonly<Record<MailedPurpose, (link: LinkMessage) => MailContent>> = {
  'verify-email': verifyAddressMessage,
  'reset-password': resetPasswordMessage,
  invitation: invitationMessage,
  'confirm-sign-in': confirmSignInMessage,
};

type Issue = { readonly personId: PersonId } & ({ readonly purpose: MailedPurpose } | { readonly purpose: AddressPurpose; readonly newEmail: string });

/** As the message tells it: to the minute, and in whole days or hours where it is so long. */
function toldLifetime(milliseconds: number): number {
  const minutes = Math.max(1, Math.round(milliseconds / MILLISECONDS_PER_MINUTE)) * MILLISECONDS_PER_MINUTE;
  const unit = [MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR].find((each) => minutes >= each) ?? MILLISECONDS_PER_MINUTE;
  return minutes - minutes % unit;
}

type Addressee = Pick<Person, 'id' | 'email' | 'role' | 'emailVerified'>;

/** Operators vouch for those whom they invite. A new address is not verified. */
function rankOf({ role, emailVerified }: Pick<Person, 'role' | 'emailVerified'>, purpose: Issue['purpose']): MailRank {
  if (purpose === 'change-email') return 'unverified';
  if (role === 'operator') return 'operator';
  return emailVerified || purpose === 'invitation' ? 'verified' : 'unverified';
}

/** Mail to people: links with single-use tokens, and notices. A message is stored when a promise resolves, and delivered later. */
export class PersonMails {
  constructor(private readonly parts: PersonMailsParts) {}

  get baseUrl(): string {
    return this.parts.site.origin;
  }

  /** Issues a token in place of the person's earlier one for the same purpose, and mails its link. Does nothing for a person who is gone. */
  async sendLink(person: Addressee, purpose: MailedPurpose): Promise<void> {
    await this.issueAndSend({ personId: person.id, purpose }, { person, to: person.email }, MESSAGES[purpose]);
  }

  /** The link by which a person proves an address that is not verified: invited people have no password yet, and set one with it. */
  async sendVerification(person: Addressee): Promise<void> {
    await this.sendLink(person, await this.parts.people.hasPassword(person.id) ? 'verify-email' : 'invitation');
  }

  /** Tells a person that their password is another now. */
  notifyOfPassword({ email, role }: Addressee): Promise<void> {
    const rank = role === 'operator' ? 'operator' : 'verified';
    return this.send({ to: email, rank }, 'password-changed/', passwordChangedMessage({ baseUrl: this.baseUrl, at: this.parts.clock.now() }));
  }

  /** `reason` names the kind of message; each call sends one. */
  notify(to: string, reason: string, content: MailContent): Promise<void> {
    return this.send({ to, rank: 'verified' }, `${reason}/`, content);
  }

  /** Asks at the present address whether it is to be replaced. `false` when the new one is none that mail can be sent to. */
  sendChangeConfirmation(person: Addressee, newEmail: string): Promise<boolean> {
    return this.issueAndSend({ personId: person.id, purpose: 'confirm-change', newEmail }, { person, to: person.email }, (link) => confirmAddressChangeMessage({ ...link, newAddress: newEmail }));
  }

  /** Asks at the new address. */
  async sendNewAddressLink(person: Addressee, newEmail: string): Promise<void> {
    await this.issueAndSend({ personId: person.id, purpose: 'change-email', newEmail }, { person, to: newEmail }, verifyNewAddressMessage);
  }

  private send(recipient: Pick<Mail, 'to' | 'rank'>, referencePrefix: string, content: MailContent): Promise<void> {
    const mail: Mail = { ...content, ...recipient, reference: `${referencePrefix}${this.parts.ids.mailId()}` };
    return this.parts.mailer.send(mail);
  }

  private async issueAndSend(issue: Issue, { person, to }: { readonly person: Addressee; readonly to: string }, message: (link: LinkMessage) => MailContent): Promise<boolean> {
    const at = this.parts.clock.now();
    const issued = await this.parts.people.issueToken({ ...issue, expiresAt: later(at, TOKEN_LIFETIMES[issue.purpose]), at });
    if (issued === null) return false;
    const reason = issue.purpose === 'change-email' ? newAddressReference(issue.personId) : `${issue.purpose}/`;
    await this.send({ to, rank: rankOf(person, issue.purpose) }, reason, message({ baseUrl: this.baseUrl, token: issued.token, lifetimeMilliseconds: toldLifetime(issued.expiresAt - at) }));
    return true;
  }
}
