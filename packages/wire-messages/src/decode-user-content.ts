import type { ImageBlock, TextBlock, ToolResultBlock, UserBlock } from '@tollgate/core';
import { decodeBoolean, decodeNonEmptyString, type Fields, optional, required } from '@tollgate/wire-kit';
import { decodeBlocks } from './decode-blocks.js';
import { decodeDocumentBlock, decodeSearchResultBlock } from './decode-document-block.js';
import { decodeImageBlock } from './decode-image-block.js';
import { decodeSpokenText, decodeTextBlock } from './decode-text-block.js';

const decodeResultContent = decodeBlocks<TextBlock | ImageBlock>({
  text: decodeSpokenText,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
});

/** A result without content is a result all the same: the call is answered. */
function decodeToolResult(block: Fields): ToolResultBlock {
  return {
    type: 'tool-result',
    toolCallId: required(block, 'tool_use_id', decodeNonEmptyString),
    content: optional(block, 'content', decodeResultContent) ?? [],
    isError: optional(block, 'is_error', decodeBoolean) ?? false,
  };
}

/** A user turn's content: text, images, documents and tool results, in the order they came. */
export const decodeUserContent = decodeBlocks<UserBlock>({
  text: decodeTextBlock,
  image: decodeImageBlock,
  document: decodeDocumentBlock,
  search_result: decodeSearchResultBlock,
  tool_result: decodeToolResult,
});
