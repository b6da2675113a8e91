import type { AccountId, Instant, ModelSlug, PriceListId, UtcDay } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { StoredMail } from '../mail/mail.js';

/** Accounts that have used one of the models, served and with a verified address. */
export interface NoticeAudience {
  /** Names the notice; each account gets it once. */
  readonly notice: string;
  readonly models: readonly ModelSlug[];
  readonly usedSince: UtcDay;
  /** `null` for all accounts; `othersThan` for accounts with no price list or one that is not named. */
  readonly lists: { readonly only: PriceListId } | { readonly othersThan: readonly PriceListId[] } | null;
}

export interface NoticeRecipient {
  readonly accountId: AccountId;
  readonly to: string;
  /** Language of the account's person, if it is known. */
  readonly language: MailLanguage | null;
  /** Those of the audience's models that the account has used. */
  readonly used: ReadonlySet<ModelSlug>;
}

export interface NoticePass {
  readonly mails: number;
  /** Pass it as `after`; `null` at the end of the accounts. */
  readonly next: AccountId | null;
  /** The outbox is full; the other accounts are notified later. */
  readonly isFull: boolean;
}

/** Which accounts were notified of announced changes of models. */
export interface NoticeRecords {
  /** Considers some accounts, and stores each mail in the transaction that notes it. Each account gets a notice once, by however many processes. */
  storeMails(audience: NoticeAudience, after: AccountId | null, compose: (recipient: NoticeRecipient) => StoredMail): Promise<NoticePass>;
  /** Numbers of accounts that are not deleted, without those of no list. */
  accountsByPriceList(): Promise<ReadonlyMap<PriceListId, number>>;
  /** Forgets notices that were sent before. */
  prune(before: Instant): Promise<void>;
}
