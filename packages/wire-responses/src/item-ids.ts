export const RESPONSE_ID_PREFIX = 'resp_';

/** Prefix of an item's id, by kind: message, reasoning, and calls of functions, custom tools and searches. */
export type ItemIdPrefix = 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'tsc_';

const ITEM_ID = /^(?:msg|rs|fc|ctc|tsc)_(.+)_\d+$/;

/** The id of an item. It contains the response's id, so that references can be resolved. */
export function itemIdOf(prefix: ItemIdPrefix, responseId: string, index: number): string {
  return `${prefix}${responseId.slice(RESPONSE_ID_PREFIX.length)}_${index}`;
}

/** The response's id in an item's id; `null` for an id of another form. */
export function responseIdOf(itemId: string): string | null {
  const tail = ITEM_ID.exec(itemId)?.[1];
  return tail === undefined ? null : `${RESPONSE_ID_PREFIX}${tail}`;
}
