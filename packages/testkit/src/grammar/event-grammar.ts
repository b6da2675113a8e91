import type { BlockOpening, GenerationEvent, GenerationEventBatch, ProviderEvent, ProviderEventBatch } from '@tollgate/core';
import { type Demand, GrammarBreach } from './grammar-breach.js';

type Event = GenerationEvent | ProviderEvent;

class EventReading {
  #open: BlockOpening['type'] | null = null;
  #nextIndex = 0;
  #started: boolean;
  ended = false;

  constructor(private readonly kind: 'provider' | 'generation') {
    this.#started = kind === 'provider';
  }

  read(event: Event, demand: Demand): void {
    demand(!this.ended, 'nothing follows the end');
    demand(this.#started === (event.type !== 'generation-start'), 'a generation begins with its start, and only once');
    switch (event.type) {
      case 'generation-start': this.#started = true; return;
      case 'block-start': return this.#startBlock(event.index, event.block.type, demand);
      case 'block-delta':
        demand(this.#open !== null && event.index === this.#nextIndex, 'a delta belongs to the open block');
        return demand(event.delta !== '', 'a delta is not empty');
      case 'block-end': return this.#endBlock(event.index, event.signature, demand);
      case 'provider-report': return demand(this.kind === 'provider' && (this.#open !== null || this.#nextIndex > 0), 'a report comes from a provider, after an event');
      case 'provider-end': return this.#end('provider', demand);
      case 'generation-end': return this.#end('generation', demand);
    }
  }

  #startBlock(index: number, type: BlockOpening['type'], demand: Demand): void {
    demand(this.#open === null, 'blocks do not interleave');
    demand(index === this.#nextIndex, 'indices count blocks from 0 without gaps');
    this.#open = type;
  }

  #endBlock(index: number, signature: string | null, demand: Demand): void {
    demand(this.#open !== null && index === this.#nextIndex, 'the block that ends is the open one');
    demand(signature === null || this.#open === 'thinking', 'only thinking is signed');
    this.#open = null;
    this.#nextIndex += 1;
  }

  #end(kind: 'provider' | 'generation', demand: Demand): void {
    demand(kind === this.kind, 'the end is of the same kind as the sequence');
    demand(this.#open === null, 'the end comes after the last block has ended');
    this.ended = true;
  }
}

function check(batches: readonly (readonly Event[])[], kind: 'provider' | 'generation'): EventReading {
  const reading = new EventReading(kind);
  let number = 0;
  for (const batch of batches) {
    if (batch.length === 0 && kind === 'provider') throw new GrammarBreach(number, 'a batch is not empty', '');
    for (const event of batch) {
      reading.read(event, (condition, why) => {
        if (!condition) throw new GrammarBreach(number, why, JSON.stringify(event));
      });
      number += 1;
    }
  }
  return reading;
}

/** Throws `GrammarBreach` at the first event that violates the contract of providers, or after the last one if there is no end event. */
export function checkProviderEvents(batches: readonly ProviderEventBatch[]): void {
  if (!check(batches, 'provider').ended) throw new GrammarBreach(batches.flat().length, 'the events stop before the end event', '');
}

/** Throws `GrammarBreach` at the first event that encoders must not receive. */
export function checkGenerationEvents(batches: readonly GenerationEventBatch[]): 'ended' | 'broken-off' {
  return check(batches, 'generation').ended ? 'ended' : 'broken-off';
}
