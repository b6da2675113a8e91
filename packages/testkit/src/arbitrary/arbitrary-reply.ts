import {
  type AssistantBlock, chargeOf, type CompletedGeneration, type GenerationEvent, type ModelSlug, ServiceTokens, type Settlement,
  type StopReason, tokenCount, type TokenRate, type Usage,
} from '@tollgate/core';
import * as fc from 'fast-check';
import { distinctUsage } from '../builders/builders.js';

/** Factor of `distinctUsage` for the classes without a count below; larger than every count below. */
const COUNTS_OF_OTHER_CLASSES = 4096;

/** The settlement of a request that cost 12.5 service tokens (0.00125 USD) and left a balance of 100.25, of which other requests hold 7.5. */
export function aSettlement(): Settlement {
  return {
    charge: chargeOf(ServiceTokens.parse('12.5'), '0.0001' as TokenRate),
    writeOff: ServiceTokens.ZERO,
    balance: { posted: ServiceTokens.parse('100.25'), reserved: ServiceTokens.parse('7.5') },
  };
}

/** Every token class has a different count, so that tests notice mixed-up classes. */
function aUsage(): Usage {
  return {
    ...distinctUsage(COUNTS_OF_OTHER_CLASSES),
    uncachedPromptTokens: tokenCount(100),
    cachedPromptTokens: tokenCount(10),
    cacheCreationTokens: tokenCount(1),
    reasoningTokens: tokenCount(300),
    visibleOutputTokens: tokenCount(2000),
  };
}

export function aCompletedGeneration(differences: Partial<CompletedGeneration> = {}): CompletedGeneration {
  return {
    servedBy: 'test-model' as ModelSlug,
    fallbackUsed: false,
    upstreamModel: 'upstream-model',
    blocks: [{ type: 'text', text: 'Hello' }],
    stopReason: 'end',
    usage: aUsage(),
    settlement: aSettlement(),
    ...differences,
  };
}

/** Cuts a text into non-empty pieces that together are the text. */
type Split = (text: string) => readonly string[];

function textOf(block: AssistantBlock): string {
  return block.type === 'tool-call' ? block.argumentsJson : block.text;
}

/** The events of a generation. `split` cuts the text of each block into deltas. */
export function eventsOf(generation: CompletedGeneration, split: Split): readonly GenerationEvent[] {
  const { servedBy, fallbackUsed, upstreamModel, blocks, stopReason, usage, settlement } = generation;
  return [
    { type: 'generation-start', servedBy, fallbackUsed, upstreamModel },
    ...blocks.flatMap((block, index): readonly GenerationEvent[] => [
      {
        type: 'block-start',
        index,
        block: block.type === 'tool-call' ? { type: 'tool-call', id: block.id, name: block.name } : { type: block.type },
      },
      ...split(textOf(block)).filter((delta) => delta !== '').map((delta): GenerationEvent => ({ type: 'block-delta', index, delta })),
      { type: 'block-end', index, signature: block.type === 'thinking' ? block.signature : null, ...(block.type === 'thinking' && block.form !== undefined ? { form: block.form } : {}) },
    ]),
    { type: 'generation-end', stopReason, usage, settlement },
  ];
}

/** Any Unicode code point, surrogates included. Replaces fast-check's own string units, which take half a second when the module loads. */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ff_ff }).map((codePoint) => String.fromCodePoint(codePoint));

/** Includes characters that could break framing or JSON: line breaks, quotes, lone surrogates, U+2028. */
export const arbitraryText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
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

interface ArbitraryReply {
  readonly generation: CompletedGeneration;
  readonly batches: readonly (readonly GenerationEvent[])[];
}

/** Cuts a text into pieces of the given lengths, and starts again with the first length after the last. A cut may split a surrogate pair. */
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

/** Any reply, cut into any pieces, which arrive in any batches. */
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
