import type { TextBlock } from '@tollgate/core';

/** Joins blocks as paragraphs. */
export function joinTexts(blocks: readonly TextBlock[]): string {
  return blocks.length === 1 ? blocks[0]?.text ?? '' : blocks.map(({ text }) => text).filter((text) => text !== '').join('\n\n');
}
