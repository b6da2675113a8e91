import type { PersonId } from '../primitives.js';
import { type Mail, MAIL_LIFETIME_MILLISECONDS, type MailContent, type MailRank, newAddressReference, type StoredMail } from '../mail/mail.js';
import {
  confirmAddressChangeMessage, type FactorChange, factorChangedMessage, invitationMessage, type LinkMessage, passwordChangedMessage,
  resetPasswordMessage, verifyAddressMessage, verifyNewAddressMessage,
} from '../mail/messages.js';
import { confirmSignInMessage, failuresMessage } from '../mail/failure-messages.js';
import type { Clock, IdentityIdGenerator } from '../ports/system.js';
import type { Mailer } from '../ports/mail.js';
import type { AddressPurpose, PersonDirectory } from '../ports/person-directory.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '../time.js';
import type { FailureNotice, FailureWarnings } from './failures-in-a-row.js';
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

export interface FactorNoticesParts {
  readonly ids: IdentityIdGenerator;
  /** Where browsers reach the installation. */
  readonly baseUrl: () => string;
  /** Called after a message was stored, so that it is delivered soon. */
  readonly onStored: () => void;
}

/** Mail about changes of second factors and about failures in a row, which the store keeps in the transaction of the change or of the count. */
export class FactorNotices {
  constructor(private readonly parts: FactorNoticesParts) {}

  of(person: Pick<Person, 'email' | 'role'>, change: FactorChange, at: Instant): StoredMail {
    return this.stampedFor(person, { reason: change, content: factorChangedMessage({ baseUrl: this.parts.baseUrl(), change, at }), at });
  }

  /** Of failures in a row. The store keeps the one that is due, if any. */
  warningsFor(person: Pick<Person, 'email' | 'role'>, at: Instant): FailureWarnings {
    const warning = (reason: FailureNotice) => this.stampedFor(person, { reason, content: failuresMessage({ baseUrl: this.parts.baseUrl(), notice: reason, at }), at });
    return { 'proofs-locked': warning('proofs-locked'), 'many-failures': warning('many-failures') };
  }

  private stampedFor({ email, role }: Pick<Person, 'email' | 'role'>, { reason, content, at }: { readonly reason: string; readonly content: MailContent; readonly at: Instant }): StoredMail {
    const id = this.parts.ids.mailId();
    return { ...content, id, to: email, rank: role === 'operator' ? 'operator' : 'verified', reference: `${reason}/${id}`, storedAt: at, expiresAt: later(at, MAIL_LIFETIME_MILLISECONDS) };
  }

  stored(): void {
    this.parts.onStored();
  }
}
