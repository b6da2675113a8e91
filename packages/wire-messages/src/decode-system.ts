import type { TextBlock } from '@tollgate/core';
import type { Decoder, Fields } from '@tollgate/wire-kit';
import { decodeBlocks } from './decode-blocks.js';
import { decodeSpokenText } from './decode-text-block.js';

/** Coding agents lead with a block of this; it changes per request and would defeat the upstream's prefix cache. */
const BILLING_HEADER = 'x-anthropic-billing-header';
const BILLING_LINE = /^x-anthropic-billing-header[^\n]*\n?/;

function decodeInstruction(block: Fields): TextBlock | null {
  const text = decodeSpokenText(block);
  return text === null || text.text.startsWith(BILLING_HEADER) ? null : text;
}

const decodeInstructions = decodeBlocks<TextBlock>({ text: decodeInstruction });

/** Instructions: text blocks, or a string, which may hold real instructions after its billing line. */
export const decodeSystem: Decoder<readonly TextBlock[]> = (value, within, key) =>
  decodeInstructions(typeof value === 'string' ? value.replace(BILLING_LINE, '') : value, within, key);
