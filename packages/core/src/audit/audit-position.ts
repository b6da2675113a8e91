import { type Instant, instant } from '../time/instant.js';

/** Where a page of the audit trail ended: the next one holds older entries. */
export interface AuditPosition {
  readonly at: Instant;
  readonly number: number;
}

const CURSOR = /^(\d{1,15})-(\d{1,15})$/;

export function auditCursorOf({ at, number }: AuditPosition): string {
  return `${at}-${number}`;
}

/** `null` when the text is no cursor. */
export function readAuditCursor(cursor: string): AuditPosition | null {
  const [, at, number] = CURSOR.exec(cursor) ?? [];
  return at === undefined || number === undefined ? null : { at: instant(Number(at)), number: Number(number) };
}
