import type { ImageBlock, JsonObject, TextBlock, ToolResultBlock, UserTurn } from '@tollgate/core';
import { isSentText } from './sent-blocks.js';
import { encodeToolCallId } from './tool-call-id.js';

/** Stands where a user said nothing: the format has no empty turns. */
const NOTHING_SAID = '(nothing was said)';
/** A failure without a word is refused. */
const UNEXPLAINED_ERROR = 'Error';

/** A user's turn as a message: results first, as the format demands, then the rest in order. */
export function encodeUserTurn({ content }: UserTurn): JsonObject {
  const results = content.filter((block) => block.type === 'tool-result').map(encodeResult);
  const rest = content.filter((block) => block.type !== 'tool-result');
  const blocks = [...results, ...encodeParts(rest)];
  return { role: 'user', content: blocks.length === 0 ? [{ type: 'text', text: NOTHING_SAID }] : blocks };
}

function encodeResult({ toolCallId, content, isError }: ToolResultBlock): JsonObject {
  const parts = encodeParts(content);
  const said = parts.length === 0 && isError ? [{ type: 'text', text: UNEXPLAINED_ERROR }] : parts;
  return {
    type: 'tool_result',
    tool_use_id: encodeToolCallId(toolCallId),
    ...(said.length === 0 ? {} : { content: said }),
    ...(isError ? { is_error: true } : {}),
  };
}

function encodeParts(parts: readonly (TextBlock | ImageBlock)[]): readonly JsonObject[] {
  return parts.filter((part) => part.type === 'image' || isSentText(part)).map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : encodeImage(part)));
}

function encodeImage({ source }: ImageBlock): JsonObject {
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType || 'image/jpeg', data: source.data } };
}
