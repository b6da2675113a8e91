import { type RequestId, USAGE_ENTRY_KINDS, type UsageEntryKind } from '@tollgate/core';

/** The last entry that a reader has received. */
export interface UsageFeedPosition {
  readonly position: bigint;
  /** `kind` and `requestId` of the entry, by which a cursor of another feed is detected. */
  readonly kind: UsageEntryKind;
  readonly requestId: RequestId;
}

const CURSOR = new RegExp(`^(\\d{1,18}) (${USAGE_ENTRY_KINDS.join('|')}) ([\\x21-\\x7e]{1,100})$`);

/** Encodes a position as a cursor, whose contents readers do not interpret. */
export function usageFeedCursorOf({ position, kind, requestId }: UsageFeedPosition): string {
  return Buffer.from(`${position} ${kind} ${requestId}`, 'latin1').toString('base64url');
}

/** Returns `null` if the text is not a cursor. */
export function readUsageFeedCursor(cursor: string): UsageFeedPosition | null {
  const [, position, kind, requestId] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (position === undefined || kind === undefined || requestId === undefined) return null;
  return { position: BigInt(position), kind: kind as UsageEntryKind, requestId: requestId as RequestId };
}
