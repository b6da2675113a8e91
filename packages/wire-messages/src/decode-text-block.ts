import type { TextBlock } from '@tollgate/core';
import { decodeString, type Fields, required } from '@tollgate/wire-kit';

/** A text block as it came; `cache_control` and citations are left out. */
export function decodeTextBlock(block: Fields): TextBlock {
  return { type: 'text', text: required(block, 'text', decodeString) };
}

/** Like `decodeTextBlock`, where an empty text says nothing and is left out. */
export function decodeSpokenText(block: Fields): TextBlock | null {
  const decoded = decodeTextBlock(block);
  return decoded.text === '' ? null : decoded;
}
