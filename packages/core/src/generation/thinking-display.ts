import type { Model } from '../models/catalogue.js';
import type { BlockEvent } from './generation-event.js';
import type { GenerationRequest } from './generation-request.js';

/** Whether the client sees the model's thinking. It is counted and charged as output either way. */
export type ThinkingDisplay = 'shown' | 'withheld';

/** Thinking is shown where the request left it on and the model is declared as reasoning. */
export function thinkingDisplay({ reasoning }: GenerationRequest, model: Model): ThinkingDisplay {
  return model.reasoning && reasoning !== 'off' ? 'shown' : 'withheld';
}

/** Removes thinking blocks from a reply and renumbers the blocks that remain. */
export class ThinkingFilter {
  #removed = 0;
  #isInside = false;

  /** The events without those of thinking blocks: the same array when there are none. */
  apply(blocks: readonly BlockEvent[]): readonly BlockEvent[] {
    if (this.#removed === 0 && !blocks.some(startsThinking)) return blocks;
    const visible: BlockEvent[] = [];
    for (const event of blocks) {
      if (startsThinking(event)) {
        this.#removed += 1;
        this.#isInside = true;
      } else if (!this.#isInside) visible.push({ ...event, index: event.index - this.#removed });
      else if (event.type === 'block-end') this.#isInside = false;
    }
    return visible;
  }
}

function startsThinking(event: BlockEvent): boolean {
  return event.type === 'block-start' && event.block.type === 'thinking';
}
