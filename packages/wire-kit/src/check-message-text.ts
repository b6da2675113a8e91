import type { ContentBlock } from '@tollgate/core';
import { characterCount } from './characters.js';
import { invalidField } from './invalid-request.js';
import type { Place } from './place.js';
import { MAX_MESSAGE_CHARACTERS } from './request-limits.js';

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

/** Refuses a message whose text parts together exceed the limit. Characters are counted only where code units exceed it. */
export function checkMessageText(blocks: readonly ContentBlock[], message: Place): void {
  if (codeUnitsOf(blocks) <= MAX_MESSAGE_CHARACTERS) return;
  const characters = textsOf(blocks).reduce((sum, text) => sum + characterCount(text), 0);
  if (characters > MAX_MESSAGE_CHARACTERS) {
    throw invalidField(message, 'content', `must have at most ${MAX_MESSAGE_CHARACTERS} characters of text`);
  }
}
