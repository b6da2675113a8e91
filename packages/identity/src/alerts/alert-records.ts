import { type AccountEvent, type AccountId, type AuditedBy, type Instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { StoredMail } from '../mail/mail.js';
import type { AlertKind, OptionalAlertKind } from './alert-kinds.js';

/** Between two mails of a kind to the owner of an account. Events in between are told of in one mail, once it has passed. */
export const ALERT_PAUSE_MILLISECONDS = MILLISECONDS_PER_HOUR;

/** Of one mail: the newest ones. */
export const MAX_ALERT_EVENTS = 10;

export interface Alert {
  readonly kind: AlertKind;
  /** Of the owner or operator who is told. */
  readonly accountId: AccountId;
  /** The verified address of the account. */
  readonly to: string;
  /** Of the account's person, if it is known. */
  readonly language: MailLanguage | null;
  /** Oldest first; at least one, at most `MAX_ALERT_EVENTS`. */
  readonly events: readonly AccountEvent[];
  /** By id; without keys that have no name. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** Addresses by id; without webhooks that were deleted meanwhile. */
  readonly webhookUrls: ReadonlyMap<string, string>;
  /** Pages of the provider where open payments are authenticated, by id of the payment. */
  readonly paymentUrls: ReadonlyMap<string, string>;
}

export interface AlertStep {
  readonly mails: number;
  /** `full`: the outbox takes no more mail, and the alert is kept. `more`: another step has something to do. */
  readonly outcome: 'done' | 'more' | 'full';
}

/** What owners want to be told of, and which events they were told of. */
export interface AlertRecords {
  /**
   * Follows the feed from its own cursor, and stores mails in the transaction that moves the cursor. No event is told of twice, by however
   * many processes. Accounts that are not served, or whose address is not verified, get no mail.
   */
  storeMails(compose: (alert: Alert) => StoredMail, at: Instant): Promise<AlertStep>;
  /** In the order of `OPTIONAL_ALERT_KINDS`. */
  disabledKinds(id: AccountId): Promise<readonly OptionalAlertKind[]>;
  /** Enables all others. False if there is no such account, or it is deleted. */
  disable(id: AccountId, kinds: readonly OptionalAlertKind[], by: AuditedBy): Promise<boolean>;
}
