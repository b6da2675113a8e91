import type { TextBlock } from '@tollgate/core';

/** Blocks of one message are paragraphs of it. */
export function joinTexts(blocks: readonly TextBlock[]): string {
  return blocks.length === 1 ? blocks[0]?.text ?? '' : blocks.map(({ text }) => text).filter((text) => text !== '').join('\n\n');
}
