import {
  decodeFileBytes, decodeImageUrl, decodeObject, decodeString, decodeTextPart, documentText, enclosed, type Fields, optional, plainDocument, required, tagged,
} from '@tollgate/wire-kit';
import type { ImageBlock, ImageSource, TextBlock } from '@tollgate/core';
import { decodeBlocks, decodeImageBlock } from './decode-blocks.js';

type Parts = readonly (TextBlock | ImageBlock)[];

/** Decodes a string, or the texts and images of a list. */
const decodeParts = decodeBlocks<TextBlock | ImageBlock>({ text: decodeTextPart, image: decodeImageBlock });

/** Decoders of sources that hold the content itself, by `type`. */
const PLAIN_SOURCES: ReadonlyMap<string, (source: Fields) => Parts> = new Map([
  ['text', (source: Fields): Parts => [{ type: 'text', text: required(source, 'data', decodeString) }]],
  ['content', (source: Fields): Parts => required(source, 'content', decodeParts)],
]);

/** Decoders of file sources, by `type`. */
const FILE_SOURCES: ReadonlyMap<string, (source: Fields) => ImageSource | null> = new Map([
  ['base64', (source: Fields) => ({ kind: 'base64', mediaType: optional(source, 'media_type', decodeString) ?? '', data: required(source, 'data', decodeFileBytes) })],
  ['url', (source: Fields) => required(source, 'url', decodeImageUrl)],
]);

/** Decodes a document. Texts and images keep title and context; a file is decoded by `documentText`. */
export function decodeDocumentBlock(block: Fields): TextBlock | Parts {
  const source = required(block, 'source', decodeObject);
  const type = required(source, 'type', decodeString);
  const decodeContent = PLAIN_SOURCES.get(type);
  const said = { title: optional(block, 'title', decodeString), context: optional(block, 'context', decodeString) };
  return decodeContent === undefined ? documentText({ ...said, source: FILE_SOURCES.get(type)?.(source) ?? null }) : plainDocument(said, decodeContent(source));
}

/** Decodes a search result, preceded by its source and title. */
export function decodeSearchResultBlock(block: Fields): Parts {
  const source = optional(block, 'source', decodeString);
  const title = optional(block, 'title', decodeString);
  return enclosed('search_result', [...tagged('source', source), ...tagged('title', title)], required(block, 'content', decodeParts));
}
