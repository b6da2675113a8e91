import type { TextBlock } from '@tollgate/core';
import {
  decodeListOf, decodeObject, decodeString, type Decoder, type Fields, optional, required,
} from '@tollgate/wire-kit';

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
