import { type Account, type AccountId, type AccountRepository, type AuditedBy, foldEmail, isMailAddress } from '@tollgate/core';
import { addressChangedMessage, type ChangedAddress } from '../mail/address-changed-message.js';
import { siteIn } from '../mail/dashboard-links.js';
import type { StoredMail } from '../mail/mail.js';
import { Mailer } from '../mail/mailer.js';
import { stampedNotice } from '../mail/stamped-notice.js';
import type { MailResendsParts } from './mail-resends.js';
import { PersonMails } from './person-mails.js';
import type { AddressReplacementOutcome } from './person-records.js';
import type { Person } from './person.js';

export interface OwnerAddressesParts extends MailResendsParts {
  readonly accounts: AccountRepository;
}

export interface ReplaceAddressCommand {
  readonly accountId: AccountId;
  readonly email: string;
  readonly by: AuditedBy;
}

/** `operator`: the owner is an operator. */
export type ReplaceAddressOutcome =
  | { readonly outcome: 'changed' | 'unchanged'; readonly account: Account }
  | { readonly outcome: 'no-such-account' | 'email-malformed' | Exclude<AddressReplacementOutcome, 'changed'> };

export type ReplaceAddressRefusal = Exclude<ReplaceAddressOutcome['outcome'], 'changed' | 'unchanged'>;

/** Explanation of each refusal, as operators read it. */
export const ADDRESS_REFUSALS: Readonly<Record<Exclude<ReplaceAddressRefusal, 'no-such-account' | 'email-malformed'>, string>> = {
  'email-taken': 'Another account has this address.',
  operator: 'The owner of the account is an operator, who can change the address in the settings of the dashboard.',
  'changed-meanwhile': 'The account was changed at the same time, or is deleted. Reload it and try again.',
};

/** Changes of address by operators. They vouch for the new address, as they do when they create an account. */
export class OwnerAddresses {
  constructor(private readonly parts: OwnerAddressesParts) {}

  /** Idempotent. Notifies both addresses; if the owner had not confirmed the former one, mails a new link instead. */
  async replace({ accountId, email, by }: ReplaceAddressCommand): Promise<ReplaceAddressOutcome> {
    const { accounts, records, onStored } = this.parts;
    if (!isMailAddress(email)) return { outcome: 'email-malformed' };
    const account = await accounts.findById(accountId);
    if (account === null) return { outcome: 'no-such-account' };
    const to = foldEmail(email);
    if (foldEmail(account.email) === to) return { outcome: 'unchanged', account };
    const person = await this.ownerOf(account);
    const notices = (person ?? account).emailVerified ? this.noticesFor(account, person, { to, by }) : [];
    const outcome = await records.replaceAddress({ accountId, from: account.email, to, notices }, by);
    if (outcome !== 'changed') return { outcome };
    if (notices.length > 0) onStored();
    if (person !== null && !person.emailVerified) await this.mails().sendVerification({ ...person, email: to });
    return { outcome, account: { ...account, email: to } };
  }

  private async ownerOf({ id, email }: Account): Promise<Person | null> {
    const person = (await this.parts.records.findByEmail(foldEmail(email)))?.person ?? null;
    return person?.accountId === id ? person : null;
  }

  private noticesFor(account: Account, person: Person | null, { to, by }: { readonly to: string; readonly by: AuditedBy }): readonly StoredMail[] {
    const site = siteIn(this.parts.site(), person?.language ?? null);
    const notice = (address: ChangedAddress, recipient: string) => stampedNotice(this.parts.ids.mailId(), {
      to: recipient, accountId: account.id, rank: 'verified', reason: 'address-changed', content: addressChangedMessage({ ...site, address, at: by.at }), at: by.at,
    });
    return [notice('former', account.email), notice('new', to)];
  }

  private mails(): PersonMails {
    const { links, ids, clock, site } = this.parts;
    return new PersonMails({ people: links, mailer: new Mailer(this.parts), ids, clock, site });
  }
}
