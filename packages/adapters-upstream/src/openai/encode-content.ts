import type { ImageBlock, JsonObject, JsonValue, TextBlock, ToolResultBlock } from '@tollgate/core';
import { joinTexts } from '../encoding/join-texts.js';

/** Plain text where there are no images, since not every server takes a list of parts. */
export function encodeUserContent(blocks: readonly (TextBlock | ImageBlock)[]): JsonValue {
  const texts = blocks.filter((block) => block.type === 'text');
  if (texts.length === blocks.length) return joinTexts(texts);
  return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : encodeImage(block)));
}

/** The text of a tool's result, with what the format has no field for said in words. */
export function encodeToolResultText({ content, isError }: ToolResultBlock): string {
  const text = content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');
  const said = text === '' && content.some((block) => block.type === 'image') ? 'The result is an image. It follows in the next user message.' : text;
  return isError ? `Error: ${said}` : said;
}

function encodeImage({ source }: ImageBlock): JsonObject {
  const url = source.kind === 'url' ? source.url : `data:${source.mediaType || 'image/jpeg'};base64,${source.data}`;
  return { type: 'image_url', image_url: { url } };
}
