import type { Settlement } from '../billing/settlement.js';
import type { AssistantBlock } from '../conversation/conversation.js';
import type { ModelSlug } from '../ids.js';
import { assertNever, invariant } from '../invariant.js';
import type { BlockEvent, BlockOpening, GenerationEnd, GenerationEventBatch, GenerationStart, StopReason } from './generation-event.js';
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

/** Builds a whole reply from its events. */
class ReplyCollector {
  readonly #collector = new BlockCollector();
  #start: GenerationStart | null = null;

  /** The reply when its end is among the events, else `null`. */
  add(batch: GenerationEventBatch): CompletedGeneration | null {
    for (const event of batch) {
      if (event.type === 'generation-end') return this.complete(event);
      if (event.type === 'generation-start') this.#start = event;
      else this.#collector.add(event);
    }
    return null;
  }

  private complete({ stopReason, usage, settlement }: GenerationEnd): CompletedGeneration {
    invariant(this.#start !== null, 'a generation ends only after it began');
    const { servedBy, fallbackUsed } = this.#start;
    return { servedBy, fallbackUsed, blocks: this.#collector.blocks, stopReason, usage, settlement };
  }
}

/** Reads a generation to its end. Throws what the generation throws. */
export async function collectGeneration(events: AsyncIterable<GenerationEventBatch>): Promise<CompletedGeneration> {
  const reply = new ReplyCollector();
  for await (const batch of events) {
    const completed = reply.add(batch);
    if (completed !== null) return completed;
  }
  throw new Error('the generation ended without its end event');
}
