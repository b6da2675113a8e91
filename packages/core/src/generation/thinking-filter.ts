import type { BlockEvent } from './generation-event.js';
import type { MeteredBatch } from './metered-stream.js';

/** Removes thinking blocks and renumbers the other blocks. */
export class ThinkingFilter {
  #removed = 0;
  #isInside = false;

  /** Returns the same object until the first thinking block. */
  apply(batch: MeteredBatch): MeteredBatch {
    if (this.#removed === 0 && !batch.blocks.some(startsThinking)) return batch;
    const blocks: BlockEvent[] = [];
    for (const event of batch.blocks) {
      if (startsThinking(event)) {
        this.#removed += 1;
        this.#isInside = true;
      } else if (!this.#isInside) blocks.push({ ...event, index: event.index - this.#removed });
      else if (event.type === 'block-end') this.#isInside = false;
    }
    return { blocks, end: batch.end };
  }
}

function startsThinking(event: BlockEvent): boolean {
  return event.type === 'block-start' && event.block.type === 'thinking';
}
