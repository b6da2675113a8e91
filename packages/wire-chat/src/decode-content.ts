import type { ImageBlock, TextBlock } from '@tollgate/core';
import {
  type Decoder, decodeImageUrl, decodeListOf, decodeObject, decodeString, type Fields, invalidField, optional, required,
} from '@tollgate/wire-kit';

/** What a part of a message turns into, by the part's `type`. */
type PartDecoders<Block> = Readonly<Record<string, (part: Fields) => Block>>;

function decodeTextPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'text', decodeString) };
}

/** A refusal that an assistant gave earlier is text it said. */
function decodeRefusalPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'refusal', decodeString) };
}

/** `detail` says how closely to look and has no canonical meaning. */
function decodeImagePart(part: Fields): ImageBlock {
  const image = part.values['image_url'];
  if (typeof image === 'string') return { type: 'image', source: required(part, 'image_url', decodeImageUrl) };
  return { type: 'image', source: required(required(part, 'image_url', decodeObject), 'url', decodeImageUrl) };
}

/** A message's content: a string stands for one text part. Parts of other types are refused, since leaving one out would change what was said. */
function decodeContentOf<Block>(decoders: PartDecoders<Block>): Decoder<readonly (Block | TextBlock)[]> {
  const types = Object.keys(decoders).map((type) => `'${type}'`).join(', ');
  const decodeParts = decodeListOf((value, within, key) => {
    const part = decodeObject(value, within, key);
    const type = required(part, 'type', decodeString);
    const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
    if (decode === undefined) throw invalidField(part.place, 'type', `must be one of ${types} here`);
    return decode(part);
  });
  return (value, within, key) => {
    if (typeof value === 'string') return [{ type: 'text', text: value }];
    if (!Array.isArray(value)) throw invalidField(within, key, 'must be a string or an array of parts');
    return decodeParts(value, within, key);
  };
}

const decodeUserParts = decodeContentOf<TextBlock | ImageBlock>({ text: decodeTextPart, image_url: decodeImagePart });
const decodeInstructionParts = decodeContentOf({ text: decodeTextPart });
const decodeAssistantParts = decodeContentOf({ text: decodeTextPart, refusal: decodeRefusalPart });

function isNotEmpty(block: TextBlock): boolean {
  return block.text !== '';
}

/** What a user said; kept as it came, an empty text too, since it may be all there is. */
export function decodeUserContent(message: Fields): readonly (TextBlock | ImageBlock)[] {
  return required(message, 'content', decodeUserParts);
}

/** Instructions; empty ones instruct nothing and are left out. */
export function decodeInstructionContent(message: Fields): readonly TextBlock[] {
  return required(message, 'content', decodeInstructionParts).filter(isNotEmpty);
}

/** What an assistant said; `null`, as beside tool calls, is nothing, and so is an empty text. */
export function decodeAssistantContent(message: Fields): readonly TextBlock[] {
  return (optional(message, 'content', decodeAssistantParts) ?? []).filter(isNotEmpty);
}

/** What a tool returned: text, images or nothing at all. */
export function decodeToolContent(message: Fields): readonly (TextBlock | ImageBlock)[] {
  return (optional(message, 'content', decodeUserParts) ?? []).filter((block) => block.type !== 'text' || isNotEmpty(block));
}
