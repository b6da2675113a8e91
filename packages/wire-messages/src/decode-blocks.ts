import {
  type Decoder, decodeListOf, decodeObject, decodeString, type Fields, invalidField, required,
} from '@tollgate/wire-kit';

/** What a block turns into, by its `type`; `null` leaves it out. */
export type BlockDecoders<Block> = Readonly<Record<string, (block: Fields) => Block | null>>;

/** Types with a meaning somewhere: left out where they do not belong, they would change what was said. */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['text', 'image', 'tool_use', 'tool_result', 'thinking']);

/** Content blocks in order. A string stands for one text block; types that nobody knows are ignored. */
export function decodeBlocks<Block>(decoders: BlockDecoders<Block>): Decoder<readonly Block[]> {
  const decodeList = decodeListOf<Block | null>((value, within, key) => {
    const block = decodeObject(value, within, key);
    const type = required(block, 'type', decodeString);
    const decode = Object.hasOwn(decoders, type) ? decoders[type] : undefined;
    if (decode !== undefined) return decode(block);
    if (KNOWN_TYPES.has(type)) throw invalidField(block.place, 'type', `must not be '${type}' here`);
    return null;
  });
  return (value, within, key) => {
    const blocks = typeof value === 'string' ? [{ type: 'text', text: value }] : value;
    if (!Array.isArray(blocks)) throw invalidField(within, key, 'must be a string or an array of blocks');
    return decodeList(blocks, within, key).filter((block) => block !== null);
  };
}
