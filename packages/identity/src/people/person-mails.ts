import { type AuditedBy, type Clock, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PersonId } from '@tollgate/core';
import { confirmSignInMessage } from '../attempts/failure-messages.js';
import { type LinkMessage, type MailSite, siteIn } from '../mail/dashboard-links.js';
import { type Mail, type MailContent, type MailRank, newAddressReference } from '../mail/mail.js';
import type { Mailer } from '../mail/mailer.js';
import {
  confirmAddressChangeMessage, confirmRequestedChangeMessage, invitationMessage, passwordChangedMessage, resetPasswordMessage, verifyAddressMessage, verifyNewAddressMessage,
} from '../mail/messages.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { AddressPurpose } from './person-commands.js';
import type { PersonDirectory } from './person-directory.js';
import { type Person, TOKEN_LIFETIMES } from './person.js';

export interface PersonMailsParts {
  readonly people: Pick<PersonDirectory, 'issueToken' | 'hasPassword'>;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  readonly site: () => MailSite;
}

/** Purposes whose link is mailed to the person's current address. */
export type MailedPurpose = 'verify-email' | 'reset-password' | 'invitation' | 'confirm-sign-in';

const MESSAGES: Readonly<Record<MailedPurpose, (link: LinkMessage) => MailContent>> = {
  'verify-email': verifyAddressMessage,
  'reset-password': resetPasswordMessage,
  invitation: invitationMessage,
  'confirm-sign-in': confirmSignInMessage,
};

type Issue = { readonly personId: PersonId; readonly by?: AuditedBy | undefined } & ({ readonly purpose: MailedPurpose } | { readonly purpose: AddressPurpose; readonly newEmail: string });

/** The lifetime as the message states it: rounded to minutes; from an hour on, rounded down to hours, and from a day on, to days. */
function toldLifetime(milliseconds: number): number {
  const minutes = Math.max(1, Math.round(milliseconds / MILLISECONDS_PER_MINUTE)) * MILLISECONDS_PER_MINUTE;
  const unit = [MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR].find((each) => minutes >= each) ?? MILLISECONDS_PER_MINUTE;
  return minutes - minutes % unit;
}

type Addressee = Pick<Person, 'id' | 'accountId' | 'email' | 'role' | 'emailVerified' | 'language'>;

/** Invited people count as verified: an operator vouches for them. A new address is unverified. */
function rankOf({ role, emailVerified }: Pick<Person, 'role' | 'emailVerified'>, purpose: Issue['purpose']): MailRank {
  if (purpose === 'change-email') return 'unverified';
  if (role === 'operator') return 'operator';
  return emailVerified || purpose === 'invitation' ? 'verified' : 'unverified';
}

/** Mails links with single-use tokens, and notices. Methods resolve once a message is stored or, as in `Mailer.send`, dropped. */
export class PersonMails {
  constructor(private readonly parts: PersonMailsParts) {}

  siteFor({ language }: Pick<Person, 'language'>): MailSite {
    return siteIn(this.parts.site(), language);
  }

  /** Replaces the earlier token for the purpose. Does nothing if no token can be issued; see `PersonLinks.issueToken`. */
  async sendLink(person: Addressee, purpose: MailedPurpose): Promise<void> {
    await this.issueAndSend({ personId: person.id, purpose }, { person, to: person.email }, MESSAGES[purpose]);
  }

  /** Mails the link that verifies the address; the link of an invited person also sets the password. */
  async sendVerification(person: Addressee): Promise<void> {
    await this.sendLink(person, await this.parts.people.hasPassword(person.id) ? 'verify-email' : 'invitation');
  }

  notifyOfPassword(person: Addressee): Promise<void> {
    const { email, accountId, role } = person;
    const rank = role === 'operator' ? 'operator' : 'verified';
    return this.send({ to: email, accountId, rank }, 'password-changed/', passwordChangedMessage({ ...this.siteFor(person), at: this.parts.clock.now() }));
  }

  /** `reason` is a prefix of the reference; each call sends one message. */
  notify({ email: to, accountId }: Addressee, reason: string, content: MailContent): Promise<void> {
    return this.send({ to, accountId, rank: 'verified' }, `${reason}/`, content);
  }

  /** Mails a link to the current address. False if no token can be issued, as for an invalid new address; see `PersonLinks.issueToken`. */
  sendChangeConfirmation(person: Addressee, newEmail: string): Promise<boolean> {
    return this.confirmChange({ personId: person.id, purpose: 'confirm-change', newEmail }, person, confirmAddressChangeMessage);
  }

  /** Like `sendChangeConfirmation`, for a change that a program of the operator requested; audited. */
  sendRequestedChange(person: Addressee, newEmail: string, by: AuditedBy): Promise<boolean> {
    return this.confirmChange({ personId: person.id, purpose: 'confirm-change', newEmail, by }, person, confirmRequestedChangeMessage);
  }

  async sendNewAddressLink(person: Addressee, newEmail: string): Promise<void> {
    await this.issueAndSend({ personId: person.id, purpose: 'change-email', newEmail }, { person, to: newEmail }, verifyNewAddressMessage);
  }

  private confirmChange(issue: Issue & { readonly newEmail: string }, person: Addressee, message: typeof confirmAddressChangeMessage): Promise<boolean> {
    return this.issueAndSend(issue, { person, to: person.email }, (link) => message({ ...link, newAddress: issue.newEmail }));
  }

  private send(recipient: Pick<Mail, 'to' | 'accountId' | 'rank'>, referencePrefix: string, content: MailContent): Promise<void> {
    const mail: Mail = { ...content, ...recipient, reference: `${referencePrefix}${this.parts.ids.mailId()}` };
    return this.parts.mailer.send(mail);
  }

  private async issueAndSend(issue: Issue, { person, to }: { readonly person: Addressee; readonly to: string }, message: (link: LinkMessage) => MailContent): Promise<boolean> {
    const at = this.parts.clock.now();
    const issued = await this.parts.people.issueToken({ ...issue, expiresAt: later(at, TOKEN_LIFETIMES[issue.purpose]), at });
    if (issued === null) return false;
    const reason = issue.purpose === 'change-email' ? newAddressReference(issue.personId) : `${issue.purpose}/`;
    await this.send({ to, accountId: person.accountId, rank: rankOf(person, issue.purpose) }, reason, message({ ...this.siteFor(person), token: issued.token, lifetimeMilliseconds: toldLifetime(issued.expiresAt - at) }));
    return true;
  }
}
