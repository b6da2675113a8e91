import { describe, expect, it } from '@jest/globals';
import type { GenerationEvent, ProviderEvent } from '@tollgate/core';
import { aCompletedGeneration, eventsOf } from '../arbitrary/arbitrary-reply.js';
import { checkGenerationEvents, checkProviderEvents } from './event-grammar.js';
import { GrammarBreach } from './grammar-breach.js';

const GENERATION: readonly GenerationEvent[] = eventsOf(aCompletedGeneration({
  blocks: [{ type: 'thinking', text: 'hm', signature: 'signed' }, { type: 'text', text: 'yes' }, { type: 'tool-call', id: 'call_1', name: 'look', argumentsJson: '' }],
}), (text) => text.split(''));
const END: ProviderEvent = { type: 'provider-end', stopReason: 'end', usage: null };
const PROVIDER: readonly ProviderEvent[] = [...GENERATION.slice(1, -1) as readonly ProviderEvent[], END];

/** The number of the event at which the check fails, or `null` if it succeeds. */
function breachOf(check: () => unknown): number | null {
  try {
    check();
    return null;
  } catch (thrown) {
    if (!(thrown instanceof GrammarBreach)) throw thrown;
    return thrown.frame;
  }
}

function at<Event>(events: readonly Event[], position: number): Event {
  const event = events[position];
  if (event === undefined) throw new Error(`there is no event ${position}`);
  return event;
}

describe('the grammar of a provider’s events', () => {
  it('accepts blocks in any batches before the end event, and a stream without blocks', () => {
    expect(breachOf(() => checkProviderEvents([PROVIDER]))).toBeNull();
    expect(breachOf(() => checkProviderEvents(PROVIDER.map((event) => [event])))).toBeNull();
    expect(breachOf(() => checkProviderEvents([[END]]))).toBeNull();
  });

  it.each<readonly [name: string, events: readonly ProviderEvent[], breach: number]>([
    ['no end', PROVIDER.slice(0, -1), PROVIDER.length - 1],
    ['nothing', [], 0],
    ['something after the end', [...PROVIDER, END], PROVIDER.length],
    ['an end within a block', [at(PROVIDER, 0), END], 1],
    ['a delta before any block', [{ type: 'block-delta', index: 0, delta: 'x' }, END], 0],
    ['an empty delta', PROVIDER.with(1, { type: 'block-delta', index: 0, delta: '' }), 1],
    ['a delta of another block', PROVIDER.with(1, { type: 'block-delta', index: 1, delta: 'x' }), 1],
    ['a block within a block', PROVIDER.toSpliced(1, 0, { type: 'block-start', index: 1, block: { type: 'text' } }), 1],
    ['a block that ends twice', PROVIDER.toSpliced(4, 0, at(PROVIDER, 3)), 4],
    ['an end of another block', PROVIDER.with(3, { type: 'block-end', index: 1, signature: null }), 3],
    ['a gap in the indices', PROVIDER.with(4, { type: 'block-start', index: 2, block: { type: 'text' } }), 4],
    ['an index used again', PROVIDER.with(4, { type: 'block-start', index: 0, block: { type: 'text' } }), 4],
    ['a signed text', PROVIDER.with(8, { type: 'block-end', index: 1, signature: 'signed' }), 8],
    ['a generation’s end', [...PROVIDER.slice(0, -1), at(GENERATION, GENERATION.length - 1) as unknown as ProviderEvent], PROVIDER.length - 1],
    ['a generation’s start', [at(GENERATION, 0) as unknown as ProviderEvent, ...PROVIDER], 0],
  ])('reports the first invalid event: %s', (_name, events, breach) => {
    expect(breachOf(() => checkProviderEvents([events]))).toBe(breach);
  });

  it('rejects an empty batch', () => {
    expect(breachOf(() => checkProviderEvents([[], PROVIDER]))).toBe(0);
  });
});

describe('the grammar of a generation’s events', () => {
  it('reports a complete generation as ended, and every prefix of it as broken off', () => {
    expect(checkGenerationEvents([GENERATION])).toBe('ended');
    for (let length = 0; length < GENERATION.length; length += 1) expect(checkGenerationEvents([GENERATION.slice(0, length)])).toBe('broken-off');
  });

  it.each<readonly [name: string, events: readonly GenerationEvent[], breach: number]>([
    ['no start', GENERATION.slice(1), 0],
    ['a second start', GENERATION.toSpliced(1, 0, at(GENERATION, 0)), 1],
    ['something after the end', [...GENERATION, at(GENERATION, 1)], GENERATION.length],
    ['a provider’s end', [at(GENERATION, 0), END as unknown as GenerationEvent], 1],
  ])('reports the first invalid event: %s', (_name, events, breach) => {
    expect(breachOf(() => checkGenerationEvents([events]))).toBe(breach);
  });
});
