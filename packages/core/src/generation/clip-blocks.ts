import type { BlockEvent } from './generation-event.js';

const LOW_SURROGATES_FROM = 0xdc00;
const LOW_SURROGATES_TO = 0xdfff;

function beginsInsideCharacter(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code >= LOW_SURROGATES_FROM && code <= LOW_SURROGATES_TO;
}

/** The largest cut up to `length`, in UTF-16 code units, that splits no surrogate pair. */
export function wholeCharacters(text: string, length: number): number {
  return length > 0 && length < text.length && beginsInsideCharacter(text, length) ? length - 1 : length;
}

/** In UTF-16 code units. */
export function textLength(events: readonly BlockEvent[]): number {
  let length = 0;
  for (const event of events) if (event.type === 'block-delta') length += event.delta.length;
  return length;
}

/** Keeps at most `length` UTF-16 code units; omits all blocks after the cut. */
export function clipBlocks(events: readonly BlockEvent[], length: number): readonly BlockEvent[] {
  const kept: BlockEvent[] = [];
  let left = length;
  for (const event of events) {
    if (event.type === 'block-start' && left === 0) break;
    if (event.type !== 'block-delta') {
      kept.push(event);
      continue;
    }
    const cut = wholeCharacters(event.delta, Math.min(event.delta.length, left));
    if (cut > 0) kept.push({ ...event, delta: event.delta.slice(0, cut) });
    if (cut < event.delta.length) break;
    left -= cut;
  }
  return kept;
}
