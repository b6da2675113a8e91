/** What the id of a response begins with. */
export const RESPONSE_ID_PREFIX = 'resp_';

/** What the id of an item begins with, by the kind of the item: a message, reasoning, a call of a function, of a custom tool, of a search. */
export type ItemIdPrefix = 'msg_' | 'rs_' | 'fc_' | 'ctc_' | 'tsc_';

const ITEM_ID = /^(?:msg|rs|fc|ctc|tsc)_(.+)_\d+$/;

/** The id of one item of a response: it names its response, so that a reference to the item finds it. */
export function itemIdOf(prefix: ItemIdPrefix, responseId: string, index: number): string {
  return `${prefix}${responseId.slice(RESPONSE_ID_PREFIX.length)}_${index}`;
}

/** The response that an item belongs to; `null` for an id that is not of this form. */
export function responseIdOf(itemId: string): string | null {
  const tail = ITEM_ID.exec(itemId)?.[1];
  return tail === undefined ? null : `${RESPONSE_ID_PREFIX}${tail}`;
}
