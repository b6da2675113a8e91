import { type ImageBlock, type ImageSource, type TextBlock, wholeCharacters } from '@tollgate/core';
import { hasHeader, textOfBase64 } from '@tollgate/json-text';
import { decodeBase64, decodeDataUrl, decodeImageUrl, registeredType } from './decode-shared-fields.js';
import { type Decoder, decodeString, type Fields, isPresent, optional } from './decode-fields.js';

/** The only file type that messages servers accept as bytes. */
const PDF = 'application/pdf';
/** Media types that clients use for PDF, including unspecific ones. */
const PDF_TYPES: ReadonlySet<string> = new Set([PDF, 'application/x-pdf', '', 'application/octet-stream']);
const PDF_HEADER = '%PDF-';
/** Maximum length of a title at vendors. */
const MAX_TITLE_CHARACTERS = 500;
const MAX_SHOWN_CHARACTERS = 200;
/** Longer text files are omitted: by default, no message may be longer. */
const MAX_TEXT_CHARACTERS = 1_000_000;

/** A file in a request. `source` is `null` if only a vendor has the file. */
export interface SentFile {
  readonly title: string | null;
  readonly context?: string | null;
  readonly source: ImageSource | null;
}

export function tagged(name: string, text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [`<${name}>${text}</${name}>`];
}

/** Texts and images between two tags, after the lines of `head`. Adjacent texts become one. */
export function enclosed(name: string, head: readonly string[], parts: readonly (TextBlock | ImageBlock)[]): readonly (TextBlock | ImageBlock)[] {
  const blocks: (TextBlock | ImageBlock)[] = [];
  let lines = [`<${name}>`, ...head];
  for (const part of parts) {
    if (part.type === 'text') {
      lines.push(part.text);
      continue;
    }
    if (lines.length > 0) blocks.push(textOf(lines));
    blocks.push(part);
    lines = [];
  }
  return [...blocks, textOf([...lines, `</${name}>`])];
}

function textOf(lines: readonly string[]): TextBlock {
  return { type: 'text', text: lines.join('\n') };
}

function headOf({ title, context = null }: Omit<SentFile, 'source'>): readonly string[] {
  return [...tagged('title', title), ...tagged('context', context)];
}

/** A document of texts and images, with title and context before its content. */
export function plainDocument(said: Omit<SentFile, 'source'>, parts: readonly (TextBlock | ImageBlock)[]): readonly (TextBlock | ImageBlock)[] {
  return enclosed('document', headOf(said), parts);
}

/**
 * A text file becomes its text. Other files become a note that they were omitted; a PDF or a URL is attached to the note for servers that read
 * documents.
 */
export function documentText({ title, context = null, source }: SentFile): TextBlock {
  const text = source?.kind === 'base64' && !isPdf(source) ? textIn(source.data) : null;
  if (text !== null) return documentOf([...headOf({ title, context }), text]);
  const standIn = standInFor(title, context);
  const isReadable = source !== null && (source.kind === 'url' || isPdf(source));
  if (!isReadable) return standIn;
  return {
    ...standIn,
    document: {
      title: title === null ? null : title.slice(0, wholeCharacters(title, MAX_TITLE_CHARACTERS)),
      ...(context === null || context === '' ? {} : { context }),
      source: source.kind === 'url' ? source : { ...source, mediaType: PDF },
    },
  };
}

function documentOf(lines: readonly string[]): TextBlock {
  return textOf(['<document>', ...lines, '</document>']);
}

function standInFor(title: string | null, context: string | null): TextBlock {
  const name = title === null || title === '' ? '' : ` ${JSON.stringify(title.slice(0, wholeCharacters(title, MAX_SHOWN_CHARACTERS)))}`;
  const note = `[The document${name} was left out here, because this model cannot read it.]`;
  return context === null || context === '' ? { type: 'text', text: note } : documentOf([...tagged('context', context), note]);
}

/** True if the media type may be PDF, and the data begins as a PDF does. The rest is not inspected, because vendors check it. */
function isPdf({ mediaType, data }: Extract<ImageSource, { kind: 'base64' }>): boolean {
  return PDF_TYPES.has(registeredType(mediaType)) && hasHeader(data, PDF_HEADER);
}

/** The file's text; `null` if it is not text, or too long. */
function textIn(data: string): string | null {
  const text = textOfBase64(data);
  return text === null || text.length > MAX_TEXT_CHARACTERS ? null : text;
}

export const decodeFileBytes: Decoder<string> = (value, within, key) => (value === '' ? '' : decodeBase64(value, within, key));

/** Decodes a `data:` URL or plain Base64. */
const decodeFileData: Decoder<ImageSource> = (value, within, key) => {
  const text = decodeString(value, within, key);
  const { mediaType, data } = decodeDataUrl(text, within, key) ?? { mediaType: '', data: text };
  return { kind: 'base64', mediaType, data: decodeFileBytes(data, within, key) };
};

/** Decodes a file of the chat and responses formats: `file_data`, `file_url`, `file_id` and `filename`. */
export function decodeFile(file: Fields): TextBlock {
  const title = optional(file, 'filename', decodeString);
  const url = optional(file, 'file_url', decodeImageUrl);
  const { file_data: data } = file.values;
  const isElsewhere = isPresent(file, 'file_url') || isPresent(file, 'file_id');
  if (typeof data !== 'string' || (data === '' && isElsewhere)) return documentText({ title, source: url });
  return documentText({ title, source: optional(file, 'file_data', decodeFileData) });
}
