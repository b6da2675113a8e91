import type { ImageBlock, JsonObject, TextBlock, ToolResultBlock, UserTurn } from '@tollgate/core';
import { type JsonText, type Printable, printList, printObject } from '@tollgate/json-text';
import { encodeText, isSentText, type TurnTerms } from './sent-blocks.js';
import { encodeToolCallId } from './tool-call-id.js';

/** Stands where a user said nothing: the format has no empty turns. */
const NOTHING_SAID = '(nothing was said)';
/** A failure without a word is refused. */
const UNEXPLAINED_ERROR = 'Error';

/** A user's turn as a message: results first, as the format demands, then the rest in order. */
export function encodeUserTurn({ content }: UserTurn, terms: TurnTerms): JsonText {
  const results = content.filter((block) => block.type === 'tool-result').map((result) => encodeResult(result, terms));
  const rest = content.filter((block) => block.type !== 'tool-result');
  const blocks = [...results, ...encodeParts(rest, terms)];
  return printObject({ role: 'user', content: printList(blocks.length === 0 ? [encodeText({ text: NOTHING_SAID }, terms)] : blocks) });
}

function encodeResult({ toolCallId, content, isError }: ToolResultBlock, terms: TurnTerms): JsonText {
  const parts = encodeParts(content, terms);
  const said = parts.length === 0 && isError ? [encodeText({ text: UNEXPLAINED_ERROR }, terms)] : parts;
  return printObject({
    type: 'tool_result',
    tool_use_id: encodeToolCallId(toolCallId),
    content: said.length === 0 ? undefined : printList(said),
    is_error: isError ? true : undefined,
  });
}

function encodeParts(parts: readonly (TextBlock | ImageBlock)[], terms: TurnTerms): readonly Printable[] {
  return parts.filter((part) => part.type === 'image' || isSentText(part)).map((part) => (part.type === 'text' ? encodeText(part, terms) : encodeImage(part)));
}

function encodeImage({ source }: ImageBlock): JsonObject {
  if (source.kind === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  return { type: 'image', source: { type: 'base64', media_type: source.mediaType || 'image/jpeg', data: source.data } };
}
