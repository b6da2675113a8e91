import { type AccountId, type Instant, later } from '@tollgate/core';
import type { MailId } from '../tokens/identity-id-generator.js';
import { MAIL_LIFETIME_MILLISECONDS, type MailContent, type MailRank, type StoredMail } from './mail.js';

export interface Notice {
  readonly to: string;
  readonly accountId: AccountId | null;
  readonly rank: MailRank;
  /** Prefix of the reference. */
  readonly reason: string;
  readonly content: MailContent;
  readonly at: Instant;
}

/** A notice to store in the transaction of the change that it reports. Its reference is unique. */
export function stampedNotice(id: MailId, { content, reason, at, ...recipient }: Notice): StoredMail {
  return { ...content, ...recipient, id, reference: `${reason}/${id}`, storedAt: at, expiresAt: later(at, MAIL_LIFETIME_MILLISECONDS) };
}
