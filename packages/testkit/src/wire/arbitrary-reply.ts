import type { AssistantBlock, CompletedGeneration, GenerationEvent, StopReason } from '@tollgate/core';
import * as fc from 'fast-check';
import { aCompletedGeneration, eventsOf, type Split } from './a-completed-generation.js';

/** Text a model might write, with what could break framing or JSON: line breaks, quotes, lone surrogates, separators. */
export const arbitraryText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.constantFrom('a', ' ', '\n', '\n\n', '\r', 'data: ', 'event: x\n', '"', '\\', '\u2028', '\u{1F600}', '\uD83D', '\uDE00', '\0', '[DONE]'), { maxLength: 12 })
    .map((pieces) => pieces.join('')),
);

const arbitraryBlock: fc.Arbitrary<AssistantBlock> = fc.oneof(
  arbitraryText.map((text): AssistantBlock => ({ type: 'text', text })),
  fc.record({ text: arbitraryText, signature: fc.option(fc.string({ minLength: 1 })) })
    .map((thinking): AssistantBlock => ({ type: 'thinking', ...thinking })),
  fc.record({
    id: fc.string({ minLength: 1 }),
    name: fc.string({ minLength: 1 }),
    argumentsJson: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()).map((input) => JSON.stringify(input)), fc.constantFrom('', ' ', '{"cut', '[1]')),
  }).map((call): AssistantBlock => ({ type: 'tool-call', ...call })),
);

export interface ArbitraryReply {
  readonly generation: CompletedGeneration;
  /** The reply's events in the batches they arrive in. */
  readonly batches: readonly (readonly GenerationEvent[])[];
}

/** Cuts at every offset that `cuts`, read round and round, gives; inside a surrogate pair too. */
function splitBy(cuts: readonly number[]): Split {
  let next = 0;
  const cut = (): number => cuts[next++ % cuts.length] ?? 1;
  return (text) => {
    const pieces: string[] = [];
    for (let at = 0; at < text.length;) {
      const size = cut();
      pieces.push(text.slice(at, at + size));
      at += size;
    }
    return pieces;
  };
}

function batched(events: readonly GenerationEvent[], sizes: readonly number[]): readonly (readonly GenerationEvent[])[] {
  const batches: (readonly GenerationEvent[])[] = [];
  for (let at = 0; at < events.length;) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(events.slice(at, at + size));
    at += size;
  }
  return batches;
}

const arbitrarySizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

/** Any reply, arriving in any pieces and batches. */
export const arbitraryReply: fc.Arbitrary<ArbitraryReply> = fc.record({
  blocks: fc.array(arbitraryBlock, { maxLength: 6 }),
  stopReason: fc.constantFrom<StopReason>('end', 'max-tokens', 'tool-call', 'content-filter', 'capacity'),
  fallbackUsed: fc.boolean(),
  cuts: arbitrarySizes,
  batchSizes: arbitrarySizes,
}).map(({ blocks, stopReason, fallbackUsed, cuts, batchSizes }) => {
  const generation = aCompletedGeneration({ blocks, stopReason, fallbackUsed });
  return { generation, batches: batched(eventsOf(generation, splitBy(cuts)), batchSizes) };
});
