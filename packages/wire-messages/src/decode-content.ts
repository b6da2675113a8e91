import {
  decodeBase64, decodeImageUrl, decodeListOf, decodeNonEmptyString, decodeObject, decodeOneOf, type Decoder, decodeString,
  DEFAULT_IMAGE_MEDIA_TYPE, type Fields, invalidField, optional, required,
} from '@tollgate/wire-kit';
import type { ImageBlock, ImageSource, TextBlock } from '@tollgate/core';

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

/** A text block as it came; `cache_control` and citations are left out. */
export function decodeTextBlock(block: Fields): TextBlock {
  return { type: 'text', text: required(block, 'text', decodeString) };
}

/** Like `decodeTextBlock`, where an empty text says nothing and is left out. */
export function decodeSpokenText(block: Fields): TextBlock | null {
  const decoded = decodeTextBlock(block);
  return decoded.text === '' ? null : decoded;
}

const decodeSource = decodeOneOf(new Map<string, (source: Fields) => ImageSource>([
  ['base64', (source) => ({
    kind: 'base64',
    mediaType: optional(source, 'media_type', decodeNonEmptyString) ?? DEFAULT_IMAGE_MEDIA_TYPE,
    data: required(source, 'data', decodeBase64),
  })],
  ['url', (source) => required(source, 'url', decodeImageUrl)],
]));

/** An image by its bytes or by its URL; a `data:` URL is its bytes. */
export function decodeImageBlock(block: Fields): ImageBlock {
  const source = required(block, 'source', decodeObject);
  return { type: 'image', source: required(source, 'type', decodeSource)(source) };
}

/** The text of a text block; `null` for a block of any other type. */
const decodeWords: Decoder<string | null> = (value, within, key) => {
  const block = decodeObject(value, within, key);
  return required(block, 'type', decodeString) === 'text' ? required(block, 'text', decodeString) : null;
};

const decodeWordList = decodeListOf(decodeWords);

/** Content in words: a string, or text blocks among others, which are left out. */
const decodeContent: Decoder<string> = (value, within, key) =>
  (typeof value === 'string' ? value : decodeWordList(value, within, key).filter((words) => words !== null).join('\n'));

/** The sources that are plain text, by their `type`. */
const PLAIN_SOURCES: ReadonlyMap<string, (source: Fields) => string> = new Map([
  ['text', (source: Fields) => required(source, 'data', decodeString)],
  ['content', (source: Fields) => required(source, 'content', decodeContent)],
]);

function tagged(name: string, text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [`<${name}>${text}</${name}>`];
}

function enclosed(name: string, lines: readonly string[]): TextBlock {
  return { type: 'text', text: [`<${name}>`, ...lines, `</${name}>`].join('\n') };
}

/** A plain-text document as text, its title and context ahead of it. A document of bytes, or of a file, is ignored. */
export function decodeDocumentBlock(block: Fields): TextBlock | null {
  const source = required(block, 'source', decodeObject);
  const decodeText = PLAIN_SOURCES.get(required(source, 'type', decodeString));
  if (decodeText === undefined) return null;
  const title = optional(block, 'title', decodeString);
  const context = optional(block, 'context', decodeString);
  return enclosed('document', [...tagged('title', title), ...tagged('context', context), decodeText(source)]);
}

/** A search result as text, where it was found ahead of it. */
export function decodeSearchResultBlock(block: Fields): TextBlock {
  const source = optional(block, 'source', decodeString);
  const title = optional(block, 'title', decodeString);
  return enclosed('search_result', [...tagged('source', source), ...tagged('title', title), required(block, 'content', decodeContent)]);
}
