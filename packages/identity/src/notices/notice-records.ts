import type { AccountId, Instant, ModelSlug, PriceListId, UtcDay } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { StoredMail } from '../mail/mail.js';

/** The accounts that get a notice: those that are served, have a verified address, and have used one of the models. */
export interface NoticeAudience {
  /** Names the notice; each account gets it once. */
  readonly notice: string;
  readonly models: readonly ModelSlug[];
  readonly usedSince: UtcDay;
  /** `null` for all accounts. `othersThan`: accounts without a price list, or with one that is not named here. */
  readonly lists: { readonly only: PriceListId } | { readonly othersThan: readonly PriceListId[] } | null;
}

export interface NoticeRecipient {
  readonly accountId: AccountId;
  readonly to: string;
  /** Language of the account's person, if it is known. */
  readonly language: MailLanguage | null;
  /** The models of the notice that the account has used. */
  readonly used: ReadonlySet<ModelSlug>;
}

export interface NoticePass {
  readonly mails: number;
  /** `after` for the next call: that of this call if accounts remain to be considered; otherwise `null` if no account follows. */
  readonly next: AccountId | null;
  /** `full`: the outbox takes no more mail. `store-away`: the store failed meanwhile. The remaining accounts are then considered later. */
  readonly outcome: 'considered' | 'full' | 'store-away';
  /**
   * One error for each account whose mail could not be composed or stored. It is retried with the next search, and delays no other account. The last
   * error is that of the store if it failed.
   */
  readonly failures: readonly unknown[];
}

/** Which accounts were notified of announced changes of models. */
export interface NoticeRecords {
  /**
   * Considers some accounts, and stores each mail in the transaction that notes it. Each account gets a notice once, however many processes run. An
   * account that is no longer served, or has another address by then, gets none.
   */
  storeMails(audience: NoticeAudience, after: AccountId | null, compose: (recipient: NoticeRecipient) => StoredMail): Promise<NoticePass>;
  /** Number of accounts that are not deleted, by price list; accounts without one are not counted. */
  accountsByPriceList(): Promise<ReadonlyMap<PriceListId, number>>;
  /** Forgets notices sent before this time. */
  prune(before: Instant): Promise<void>;
}
