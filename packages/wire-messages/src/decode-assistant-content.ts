import { type AssistantBlock, EMPTY_ARGUMENTS, type ThinkingBlock, type ToolCallBlock } from '@tollgate/core';
import { decodeDocument, decodeNonEmptyString, decodeString, type Fields, optional, required } from '@tollgate/wire-kit';
import { decodeBlocks } from './decode-blocks.js';
import { decodeSpokenText } from './decode-text-block.js';
import { decodeSignature } from './signature.js';

function decodeToolUse(block: Fields): ToolCallBlock {
  return {
    type: 'tool-call',
    id: required(block, 'id', decodeNonEmptyString),
    name: required(block, 'name', decodeNonEmptyString),
    argumentsJson: optional(block, 'input', decodeDocument)?.text ?? EMPTY_ARGUMENTS,
  };
}

/** Thinking that is kept from the client has no text but a signature, and goes back as it came. */
function decodeThinkingBlock(block: Fields): ThinkingBlock | null {
  const text = optional(block, 'thinking', decodeString) ?? '';
  const signature = decodeSignature(optional(block, 'signature', decodeString));
  return text === '' && signature === null ? null : { type: 'thinking', text, signature };
}

/** An assistant turn's content. Redacted thinking can be read by its own vendor only, and is ignored like unknown types. */
export const decodeAssistantContent = decodeBlocks<AssistantBlock>({
  thinking: decodeThinkingBlock,
  text: decodeSpokenText,
  tool_use: decodeToolUse,
});
