import type { Settlement } from '../billing/settlement.js';
import type { AssistantBlock } from '../conversation/conversation.js';
import type { ModelSlug } from '../ids.js';
import { assertNever, invariant } from '../invariant.js';
import type { BlockEvent, BlockOpening, GenerationEventBatch, StopReason } from './generation-event.js';
import type { Usage } from './usage.js';

/** A whole reply: the same events that a stream sends, collected. */
export interface CompletedGeneration {
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  readonly blocks: readonly AssistantBlock[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly settlement: Settlement;
}

function blockOf(opening: BlockOpening, text: string, signature: string | null): AssistantBlock {
  switch (opening.type) {
    case 'thinking': return { type: 'thinking', text, signature };
    case 'text': return { type: 'text', text };
    case 'tool-call': return { type: 'tool-call', id: opening.id, name: opening.name, argumentsJson: text };
    default: return assertNever(opening);
  }
}

/** Builds blocks from their events. Pieces are joined once, at the end of a block. */
export class BlockCollector {
  readonly blocks: AssistantBlock[] = [];
  #open: BlockOpening | null = null;
  #pieces: string[] = [];

  add(event: BlockEvent): void {
    switch (event.type) {
      case 'block-start':
        this.#open = event.block;
        this.#pieces = [];
        return;
      case 'block-delta':
        this.#pieces.push(event.delta);
        return;
      case 'block-end':
        invariant(this.#open !== null, 'a block ends only after it began');
        this.blocks.push(blockOf(this.#open, this.#pieces.join(''), event.signature));
        this.#open = null;
        return;
      default: assertNever(event);
    }
  }
}

/** Reads a generation to its end. Throws what the generation throws. */
export async function collectGeneration(events: AsyncIterable<GenerationEventBatch>): Promise<CompletedGeneration> {
  const collector = new BlockCollector();
  let start: { readonly servedBy: ModelSlug; readonly fallbackUsed: boolean } | null = null;
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'generation-start') start = event;
      else if (event.type !== 'generation-end') collector.add(event);
      else {
        invariant(start !== null, 'a generation ends only after it began');
        return {
          servedBy: start.servedBy,
          fallbackUsed: start.fallbackUsed,
          blocks: collector.blocks,
          stopReason: event.stopReason,
          usage: event.usage,
          settlement: event.settlement,
        };
      }
    }
  }
  throw new Error('the generation ended without its end event');
}
