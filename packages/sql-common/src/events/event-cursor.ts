import type { EventId } from '@tollgate/core';

/** The last event that a reader has considered. */
export interface EventPosition {
  readonly position: bigint;
  /** Detects a cursor of another feed. */
  readonly id: EventId;
}

const CURSOR = /^(\d{1,18}) (evt_[0-9a-f]{32})$/;

/** A cursor, which is opaque for readers. */
export function eventCursorOf({ position, id }: EventPosition): string {
  return Buffer.from(`${position} ${id}`, 'latin1').toString('base64url');
}

/** `null` if the text is not a cursor. */
export function readEventCursor(cursor: string): EventPosition | null {
  const [, position, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return position === undefined || id === undefined ? null : { position: BigInt(position), id: id as EventId };
}
