import type { EventId } from '@tollgate/core';

/** The last event that a reader has received or skipped. */
export interface EventPosition {
  readonly position: bigint;
  /** Id of the event, by which a cursor of another feed is detected. */
  readonly id: EventId;
}

const CURSOR = /^(\d{1,18}) (evt_[0-9a-f]{32})$/;

/** Encodes a position as a cursor, whose contents readers do not interpret. */
export function eventCursorOf({ position, id }: EventPosition): string {
  return Buffer.from(`${position} ${id}`, 'latin1').toString('base64url');
}

/** Returns `null` if the text is not a cursor. */
export function readEventCursor(cursor: string): EventPosition | null {
  const [, position, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return position === undefined || id === undefined ? null : { position: BigInt(position), id: id as EventId };
}
