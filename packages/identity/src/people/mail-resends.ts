import { type AuditedBy, type Clock, foldEmail, later } from '@tollgate/core';
import { MAIL_BOUND } from '../attempts/attempt-limits.js';
import type { MailSite } from '../mail/dashboard-links.js';
import { Mailer, type MailerPorts } from '../mail/mailer.js';
import type { MailName } from '../mail/mail-names.js';
import type { ListedMail } from '../mail/mail-outbox.js';
import { existingAccountMessage } from '../mail/messages.js';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { PersonLinks } from './person-links.js';
import { PersonMails, type PersonMailsParts } from './person-mails.js';
import type { PersonRecords, StoredToken } from './person-records.js';
import type { Person } from './person.js';

export interface MailResendsParts extends Omit<MailerPorts, 'onDropped'> {
  readonly records: PersonRecords;
  readonly links: PersonLinks;
  readonly clock: Clock;
  readonly site: () => MailSite;
}

/**
 * `waiting`: delivery is still being attempted. `contents-gone`: what the message said is not stored. `no-recipient`: no person has the address now.
 * `not-needed`: the person has verified the address. `not-admitted`: `SIGN_UP` does not admit the person. `too-many`: `MAIL_BOUND` is reached.
 */
export type MailResendRefusal = 'no-such-mail' | 'waiting' | 'contents-gone' | 'no-recipient' | 'not-needed' | 'not-admitted' | 'too-many';

/** Explanation of each refusal, as operators read it. */
export const MAIL_RESEND_EXPLANATIONS: Readonly<Record<MailResendRefusal, string>> = {
  'no-such-mail': 'There is no such message; mail is listed for 30 days.',
  waiting: 'The message is not delivered yet; delivery is tried again without you.',
  'contents-gone': 'This kind of message cannot be sent again, because its contents are erased.',
  'no-recipient': 'No person signs in with this address now.',
  'not-needed': 'The address is confirmed already, so the message is not needed.',
  'not-admitted': 'SIGN_UP does not admit this person, so the link would not work.',
  'too-many': `${MAIL_BOUND.most} messages of this kind were sent to the address within an hour; try again later.`,
};

export type MailResendOutcome = { readonly outcome: 'sent'; readonly to: string } | { readonly outcome: MailResendRefusal };

type Remade = (person: Person, mails: PersonMails) => Promise<void>;

/** The kinds of mail that can be made again; for other kinds, the contents are not stored. */
const REMADE: Readonly<Partial<Record<MailName, Remade>>> = {
  'verify-address': (person, mails) => mails.sendVerification(person),
  invitation: (person, mails) => mails.sendVerification(person),
  'reset-password': (person, mails) => mails.sendLink(person, 'reset-password'),
  'existing-account': (person, mails) => mails.notify(person, 'existing-account', existingAccountMessage(mails.siteFor(person))),
};

const FOR_UNVERIFIED: ReadonlySet<MailName> = new Set(['verify-address', 'invitation']);

export function isResendable({ kind, state }: Pick<ListedMail, 'kind' | 'state'>): boolean {
  return state !== 'waiting' && REMADE[kind] !== undefined;
}

/** Lets operators send a delivered or given-up message again, with a new link that replaces the former. */
export class MailResends {
  private readonly mailer: Mailer;

  constructor(private readonly parts: MailResendsParts) {
    this.mailer = new Mailer(parts);
  }

  /** Throws `MailRefused` if too many messages wait. */
  async resend(id: MailId, by: AuditedBy): Promise<MailResendOutcome> {
    const { outbox, records } = this.parts;
    const mail = await outbox.find(id);
    if (mail === null) return { outcome: 'no-such-mail' };
    const remake = REMADE[mail.kind];
    if (remake === undefined) return { outcome: 'contents-gone' };
    if (mail.state === 'waiting') return { outcome: 'waiting' };
    const person = (await records.findByEmail(foldEmail(mail.to)))?.person ?? null;
    if (person === null) return { outcome: 'no-recipient' };
    if (FOR_UNVERIFIED.has(mail.kind) && person.emailVerified) return { outcome: 'not-needed' };
    const outcome = await this.remake(remake, { person, of: id, by });
    return outcome === 'sent' ? { outcome, to: person.email } : { outcome };
  }

  /** The token of a new link is stored with its message, so that a refusal leaves the former link valid. */
  private async remake(remake: Remade, { person, of, by }: { readonly person: Person; readonly of: MailId; readonly by: AuditedBy }): Promise<'sent' | MailResendRefusal> {
    const { records, links, ids, clock, site } = this.parts;
    const pace = { most: MAIL_BOUND.most, since: later(by.at, -MAIL_BOUND.windowMilliseconds) };
    let token: StoredToken | null = null;
    let outcome: 'sent' | MailResendRefusal = 'not-admitted';
    const people: PersonMailsParts['people'] = {
      hasPassword: (id) => links.hasPassword(id),
      issueToken: async (command) => {
        const draft = await links.draftToken(command);
        token = draft?.stored ?? null;
        return draft?.issued ?? null;
      },
    };
    const mailer: PersonMailsParts['mailer'] = {
      send: async (mail) => {
        const sent = await this.mailer.sendBy(mail, (stored) => records.mailAgain(stored, { of, personId: person.id, by, token, pace }));
        outcome = sent === 'no-person' ? 'no-recipient' : sent;
      },
    };
    await remake(person, new PersonMails({ people, mailer, ids, clock, site }));
    return outcome;
  }
}
