import { describe, expect, it } from '@jest/globals';
import type { ScriptedReply } from '@tollgate/testkit';
import * as fc from 'fast-check';
import type { ReadReply } from '../test-support/calls.js';
import { arbitraryScriptedReply, readAs, REPLY_KINDS } from '../test-support/every-kind.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { FINISH_WORDS, type FinishMeaning, readFinish } from './finish-words.js';

const MEANINGS = Object.entries(FINISH_WORDS) as readonly (readonly [FinishMeaning, readonly string[]])[];
const KNOWN = new Map(MEANINGS.flatMap(([meaning, words]) => words.map((word) => [word, meaning] as const)));

/** A known word in a variant of its spelling. */
const arbitrarySpelling = fc.tuple(
  fc.constantFrom(...KNOWN.keys()),
  fc.constantFrom((word: string) => word, (word: string) => word.toUpperCase(), (word: string) => word.replaceAll('_', '-'), (word: string) => ` ${word.replaceAll('_', ' ')}\n`, (word: string) => `${word}: WHY`),
).map(([word, spell]) => ({ word: spell(word), meaning: KNOWN.get(word) ?? null }));
const arbitraryUnknown = fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'other', 'FINISH_REASON_UNSPECIFIED', 'language'))
  .filter((word) => word.trim() !== '' && word.trim().toLowerCase() !== 'null' && word.split(':').every((part) => !KNOWN.has(part.trim().toLowerCase().replace(/[\s-]+/g, '_'))))
  .map((word) => ({ word, meaning: null }));

/** The reply's stop reason; `null` if the reply failed. */
function endOf(read: () => ReadReply): string | null {
  try {
    return read().end?.stopReason ?? null;
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure && thrown.reason === 'server-error') return null;
    throw thrown;
  }
}

function expected(meaning: FinishMeaning | null, { toolCalls = [] }: ScriptedReply): string | null {
  if (meaning === 'failed') return null;
  if (meaning === null) return 'max-tokens';
  if (meaning !== 'end' && meaning !== 'tool-call') return meaning;
  return toolCalls.length > 0 ? 'tool-call' : 'end';
}

describe.each(Object.entries(REPLY_KINDS))('a reply of an upstream of kind %s', (_name, kind) => {
  it.each(['whole', 'stream'] as const)('is complete only with a known finish reason, in any spelling (%s)', (delivery) => {
    fc.assert(fc.property(arbitraryScriptedReply, fc.oneof(arbitrarySpelling, arbitraryUnknown), (reply, { word, meaning }) => {
      expect(endOf(() => readAs(delivery, kind, { ...reply, finishReason: word }))).toBe(expected(meaning, reply));
    }));
  });

  it.each(['whole', 'stream'] as const)('fails without a finish reason (%s)', (delivery) => {
    fc.assert(fc.property(arbitraryScriptedReply, (reply) => {
      expect(() => readAs(delivery, kind, { ...reply, finishReason: null })).toThrow(expect.objectContaining({ reason: 'cut-off' }));
    }));
  });
});

describe('finish reasons', () => {
  it('have one meaning each, and are listed in lower case with underscores', () => {
    const words = MEANINGS.flatMap(([, all]) => all);
    expect([...new Set(words)]).toEqual(words);
    for (const word of words) expect(word).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it.each<[unknown, string | null]>([
    ['', null], [' ', null], ['null', null], [null, null], [undefined, null], [{}, null], [7, null],
    [{ type: 'length' }, 'max-tokens'], ['content_filter: RECITATION', 'content-filter'], ['finish: stop', 'end'],
  ])('%j means %s', (value, stopReason) => {
    expect(readFinish(value as string, null)?.stopReason ?? null).toBe(stopReason);
  });

  it('are read only up to a bounded length', () => {
    expect(readFinish(`${'x'.repeat(64)}: stop`, null)).toEqual({ stopReason: 'max-tokens', unknownWord: 'x'.repeat(64) });
    expect(() => readFinish(`error: ${'x'.repeat(1_000)}`, null)).toThrow(expect.objectContaining({ cause: `error: ${'x'.repeat(1_000)}` }));
  });

  it.each(['function_call_filter: MALFORMED_FUNCTION_CALL', { type: 'abort' }])('such as %j make a reply fail', (value) => {
    expect(() => readFinish(value, null)).toThrow(expect.objectContaining({ reason: 'server-error' }));
  });
});
