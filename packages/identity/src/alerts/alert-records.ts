import { type AccountEvent, type AccountId, type AuditedBy, type Instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { StoredMail } from '../mail/mail.js';
import type { AlertKind, OptionalAlertKind } from './alert-kinds.js';

/** Pause between two mails of a kind to the owner of an account. Events during the pause are mailed together when it ends. */
export const ALERT_PAUSE_MILLISECONDS = MILLISECONDS_PER_HOUR;

/** Maximum number of events in a mail; the newest are listed. */
export const MAX_ALERT_EVENTS = 10;

export interface Alert {
  readonly kind: AlertKind;
  /** The account of the owner or operator who is notified. */
  readonly accountId: AccountId;
  /** The verified address of the account. */
  readonly to: string;
  /** Language of the account's person, if it is known. */
  readonly language: MailLanguage | null;
  /** Oldest first; at least one, at most `MAX_ALERT_EVENTS`. */
  readonly events: readonly AccountEvent[];
  /** Names of keys by id, without keys that have no name. */
  readonly keyNames: ReadonlyMap<string, string>;
  /** URLs of webhooks by id, without webhooks that were deleted meanwhile. */
  readonly webhookUrls: ReadonlyMap<string, string>;
  /** Pages of the provider where open payments are authenticated, by id of the payment. */
  readonly paymentUrls: ReadonlyMap<string, string>;
}

export interface AlertStep {
  readonly mails: number;
  /** `full`: the outbox takes no more mail, and the alert is kept. `more`: call again, because more is to be done. */
  readonly outcome: 'done' | 'more' | 'full';
  /** One for each mail that could not be made. It is tried again after `ALERT_PAUSE_MILLISECONDS`, and holds up no other. */
  readonly failures: readonly unknown[];
}

/** Which alerts owners want, and which events they were notified of. */
export interface AlertRecords {
  /**
   * Follows the feed from a cursor of its own, and stores due mails in a transaction that notes them. Each event is mailed at most once, however many
   * processes run. Accounts that are not served, or whose address is not verified, get no mail.
   */
  storeMails(compose: (alert: Alert) => StoredMail, at: Instant): Promise<AlertStep>;
  /** The kinds that the owner has turned off, in the order of `OPTIONAL_ALERT_KINDS`. */
  disabledKinds(id: AccountId): Promise<readonly OptionalAlertKind[]>;
  /** Turns these kinds off and all others on. False if the account does not exist or is deleted. */
  disable(id: AccountId, kinds: readonly OptionalAlertKind[], by: AuditedBy): Promise<boolean>;
}
