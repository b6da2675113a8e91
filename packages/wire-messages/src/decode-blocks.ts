import {
  decodeBase64, decodeImageUrl, decodeListOf, decodeNonEmptyString, decodeObject, decodeOneOf, type Decoder, decodeString, decodeTextPart, type Fields, imageOf,
  invalidField, optional, required, saysSomething, withCacheMark,
} from '@tollgate/wire-kit';
import type { ImageBlock, ImageSource, TextBlock } from '@tollgate/core';

/** What a block becomes: a block, several, or `null` if it is omitted. */
type Decoded<Block> = Block | readonly Block[] | null;

/** Decoders of blocks by `type`. */
type BlockDecoders<Block> = Readonly<Record<string, (block: Fields) => Decoded<Block>>>;

/** Types that are refused in the wrong place, because omitting such a block would change the message. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result', 'thinking']);

function isList<Block>(decoded: Block | readonly Block[]): decoded is readonly Block[] {
  return Array.isArray(decoded);
}

/** Applies the block's cache mark to the last block that it becomes. */
function marked<Block extends object>(decoded: Decoded<Block>, block: Fields): Decoded<Block> {
  if (decoded === null) return null;
  if (!isList(decoded)) return withCacheMark(decoded, block);
  return decoded.map((part, index) => (index === decoded.length - 1 ? withCacheMark(part, block) : part));
}

/** Decodes content; a string is one text block. Blocks of unknown types are omitted. */
export function decodeBlocks<Block extends object>(decoders: BlockDecoders<Block>): Decoder<readonly Block[]> {
  const decodeList = decodeListOf<Decoded<Block>>((value, within, key) => {
    const block = decodeObject(value, within, key);
    const type = required(block, 'type', decodeString);
    const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
    if (decode !== undefined) return marked(decode(block), block);
    if (KNOWN_TYPES.has(type)) throw invalidField(block.place, 'type', `must not be '${type}' here`);
    return null;
  });
  return (value, within, key) => {
    const blocks = typeof value === 'string' ? [{ type: 'text', text: value }] : value;
    if (!Array.isArray(blocks)) throw invalidField(within, key, 'must be a string or an array of blocks');
    return decodeList(blocks, within, key).flatMap((decoded): readonly Block[] => {
      if (decoded === null) return [];
      return isList(decoded) ? decoded : [decoded];
    });
  };
}

/** Decodes text; `null` if it is empty. */
export function decodeSpokenText(block: Fields): TextBlock | null {
  const decoded = decodeTextPart(block);
  return saysSomething(decoded) ? decoded : null;
}

const decodeSource = decodeOneOf(new Map<string, (source: Fields) => ImageSource>([
  ['base64', (source) => imageOf(optional(source, 'media_type', decodeNonEmptyString), required(source, 'data', decodeBase64))],
  ['url', (source) => required(source, 'url', decodeImageUrl)],
]));

/** Decodes an image; a `data:` URL becomes its bytes. */
export function decodeImageBlock(block: Fields): ImageBlock {
  const source = required(block, 'source', decodeObject);
  return { type: 'image', source: required(source, 'type', decodeSource)(source) };
}
