import type { ImageBlock, TextBlock } from '@tollgate/core';
import { decodeListOf, decodeObject, type Decoder, decodeString, type Fields, invalidField, required } from './decode-fields.js';

/** Decoders of content parts, by their `type`. */
export type PartDecoders<Block> = Readonly<Record<string, (part: Fields) => Block>>;

export function decodeTextPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'text', decodeString) };
}

/** Decodes an earlier refusal as text. */
export function decodeRefusalPart(part: Fields): TextBlock {
  return { type: 'text', text: required(part, 'refusal', decodeString) };
}

/**
 * Decodes content of the chat and responses formats; a string is one text part. `others` says whether unknown parts are refused or omitted, which may
 * change the message.
 */
export function decodeContentOf<Block extends object>(decoders: PartDecoders<Block>, others: 'refused' | 'left-out' = 'refused'): Decoder<readonly (Block | TextBlock)[]> {
  const types = Object.keys(decoders).map((type) => `'${type}'`).join(', ');
  const decodeParts = decodeListOf<Block | null>((value, within, key) => {
    const part = decodeObject(value, within, key);
    const type = required(part, 'type', decodeString);
    const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
    if (decode !== undefined) return decode(part);
    if (others === 'refused') throw invalidField(part.place, 'type', `must be one of ${types} here`);
    return null;
  });
  return (value, within, key) => {
    if (typeof value === 'string') return [{ type: 'text', text: value }];
    if (!Array.isArray(value)) throw invalidField(within, key, 'must be a string or an array of parts');
    return decodeParts(value, within, key).filter((block) => block !== null);
  };
}

/** False if the block is an empty text. */
export function saysSomething(block: TextBlock | ImageBlock): boolean {
  return block.type !== 'text' || block.text !== '';
}
