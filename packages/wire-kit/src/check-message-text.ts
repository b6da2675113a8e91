import type { ContentBlock, RequestLimits } from '@tollgate/core';
import { characterCount, type FieldPath } from './decode-fields.js';
import { beyondLimit } from './request-limits.js';

function textsOf(blocks: readonly ContentBlock[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : block.type === 'tool-result' ? textsOf(block.content) : []));
}

function codeUnitsOf(blocks: readonly ContentBlock[]): number {
  let units = 0;
  for (const block of blocks) {
    if (block.type === 'text') units += block.text.length;
    else if (block.type === 'tool-result') units += codeUnitsOf(block.content);
  }
  return units;
}

interface TextPlace {
  readonly limits: RequestLimits;
  readonly message: FieldPath | null;
  /** Name of the field with the text; default `content`. */
  readonly field?: string;
}

/** Refuses a message with too much text in all its parts together. Counts characters only if the code units exceed the limit. */
export function checkMessageText(blocks: readonly ContentBlock[], { limits: { messageCharacters: most }, message, field = 'content' }: TextPlace): void {
  if (codeUnitsOf(blocks) <= most) return;
  const characters = textsOf(blocks).reduce((sum, text) => sum + characterCount(text), 0);
  if (characters > most) throw beyondLimit({ within: message, key: field, name: 'messageCharacters', most, noun: 'characters of text', count: characters });
}
