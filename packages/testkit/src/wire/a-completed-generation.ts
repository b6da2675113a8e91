import {
  type AssistantBlock, chargeOf, type CompletedGeneration, type GenerationEvent, type ModelSlug, ServiceTokens, type Settlement, tokenCount,
  type TokenRate, type Usage,
} from '@tollgate/core';

/** 12.5 service tokens charged, worth 0.00125 USD; 7.5 of 100.25 left are reserved. */
export function aSettlement(): Settlement {
  return {
    charge: chargeOf(ServiceTokens.parse('12.5'), '0.0001' as TokenRate),
    writeOff: ServiceTokens.ZERO,
    balance: { posted: ServiceTokens.parse('100.25'), reserved: ServiceTokens.parse('7.5') },
  };
}

/** Every class different, so that a mix-up shows: a prompt of 111 with 10 cached and 1 creating the cache, an output of 2,300. */
export function aUsage(): Usage {
  return {
    uncachedPromptTokens: tokenCount(100),
    cachedPromptTokens: tokenCount(10),
    cacheCreationTokens: tokenCount(1),
    reasoningTokens: tokenCount(300),
    visibleOutputTokens: tokenCount(2000),
    source: 'reported',
    reasoningWithheld: false,
  };
}

/** A reply of one text, unless said otherwise. */
export function aCompletedGeneration(differences: Partial<CompletedGeneration> = {}): CompletedGeneration {
  return {
    servedBy: 'test-model' as ModelSlug,
    fallbackUsed: false,
    blocks: [{ type: 'text', text: 'Hello' }],
    stopReason: 'end',
    usage: aUsage(),
    settlement: aSettlement(),
    ...differences,
  };
}

/** Cuts a text into the pieces it arrives in; together they are the text, and none is empty. */
export type Split = (text: string) => readonly string[];

function textOf(block: AssistantBlock): string {
  return block.type === 'tool-call' ? block.argumentsJson : block.text;
}

/** The events that a reply arrives as, when each block's text is cut into pieces by `split`. */
export function eventsOf(generation: CompletedGeneration, split: Split): readonly GenerationEvent[] {
  const { servedBy, fallbackUsed, blocks, stopReason, usage, settlement } = generation;
  return [
    { type: 'generation-start', servedBy, fallbackUsed },
    ...blocks.flatMap((block, index): readonly GenerationEvent[] => [
      {
        type: 'block-start',
        index,
        block: block.type === 'tool-call' ? { type: 'tool-call', id: block.id, name: block.name } : { type: block.type },
      },
      ...split(textOf(block)).filter((delta) => delta !== '').map((delta): GenerationEvent => ({ type: 'block-delta', index, delta })),
      { type: 'block-end', index, signature: block.type === 'thinking' ? block.signature : null },
    ]),
    { type: 'generation-end', stopReason, usage, settlement },
  ];
}
