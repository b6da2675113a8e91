import type { Settlement } from '../billing/reservation.js';
import type { Usage } from '../money/usage.js';
import { assertNever } from '../primitives/assert-never.js';
import { invariant } from '../primitives/invariant.js';
import type { ModelSlug } from '../primitives/ids.js';
import type { AssistantBlock } from './conversation.js';
import type { BlockEnd, BlockEvent, BlockOpening, GenerationEnd, GenerationEventBatch, GenerationStart, StopReason } from './generation-event.js';

export interface CompletedGeneration {
  readonly servedBy: ModelSlug;
  readonly fallbackUsed: boolean;
  readonly upstreamModel: string;
  readonly blocks: readonly AssistantBlock[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  readonly settlement: Settlement;
}

function blockOf(opening: BlockOpening, text: string, { signature, form }: BlockEnd): AssistantBlock {
  switch (opening.type) {
    case 'thinking': return { type: 'thinking', text, signature, ...(form === undefined ? {} : { form }) };
    case 'text': return opening.isRefusal === true ? { type: 'text', text, isRefusal: true } : { type: 'text', text };
    case 'tool-call': return { type: 'tool-call', id: opening.id, name: opening.name, argumentsJson: text };
    default: return assertNever(opening);
  }
}

/** Joins the deltas of each block once, at the end of the block. */
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
        this.blocks.push(blockOf(this.#open, this.#pieces.join(''), event));
        this.#open = null;
        return;
      default: assertNever(event);
    }
  }
}

export class ReplyCollector {
  readonly #collector = new BlockCollector();
  #start: GenerationStart | null = null;

  /** `null` until the end of the generation has arrived. */
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
    const { servedBy, fallbackUsed, upstreamModel } = this.#start;
    return { servedBy, fallbackUsed, upstreamModel, blocks: this.#collector.blocks, stopReason, usage, settlement };
  }
}

/** Throws the errors of the generation. */
export async function collectGeneration(events: AsyncIterable<GenerationEventBatch>): Promise<CompletedGeneration> {
  const reply = new ReplyCollector();
  for await (const batch of events) {
    const completed = reply.add(batch);
    if (completed !== null) return completed;
  }
  throw new Error('the generation ended without its end event');
}
