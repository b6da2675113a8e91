import type { Reply } from '../../../api/call';

export type PriceList = Reply<'listPriceLists'>['data'][number];
export type PriceEntry = PriceList['entries'][number];
export type EntryState = 'past' | 'in-force' | 'to-come';

/** States of entries, which are in order of their dates. One is in force, or none if all are in the future. */
export function entryStates(entries: readonly Pick<PriceEntry, 'from'>[], now: Date): readonly EntryState[] {
  const current = entries.findLastIndex(({ from }) => from === null || Date.parse(from) <= now.getTime());
  return entries.map((_, place) => (place === current ? 'in-force' : place < current ? 'past' : 'to-come'));
}
