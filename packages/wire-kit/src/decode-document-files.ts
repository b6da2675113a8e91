import type { ImageSource, TextBlock } from '@tollgate/core';
import { decodeBase64, decodeImageUrl, registeredType } from './decode-shared-fields.js';
import { decodeString, type Fields, optional } from './decode-fields.js';

/** The only kind of file that servers of the messages format take by its bytes. */
const PDF = 'application/pdf';
const MAX_SHOWN_CHARACTERS = 200;

/** A file as its client sent it: what it is called, what it is, and what can be sent of it; `null` for a file that only a vendor has. */
export interface SentFile {
  readonly title: string | null;
  readonly source: ImageSource | null;
}

/** A text that says that a document was left out, with the document for servers that read it. */
export function documentText({ title, source }: SentFile): TextBlock {
  const isReadable = source !== null && (source.kind === 'url' || isPdf(source.mediaType, title));
  const name = title === null || title === '' ? '' : ` ${JSON.stringify(title.slice(0, MAX_SHOWN_CHARACTERS))}`;
  const text = `[The document${name} was left out here, because this model cannot read it.]`;
  if (!isReadable) return { type: 'text', text };
  return { type: 'text', text, document: { title, source: source.kind === 'url' ? source : { ...source, mediaType: PDF } } };
}

/** By its type; where that says nothing, by its name. */
function isPdf(mediaType: string, title: string | null): boolean {
  const type = registeredType(mediaType);
  if (type === PDF || type === 'application/x-pdf') return true;
  return (type === '' || type === 'application/octet-stream') && (title === null || title.toLowerCase().endsWith('.pdf'));
}

/** A file of the chat and responses formats: `file_data` as a `data:` URL or as base64 alone, `file_url`, `file_id` and `filename`. */
export function decodeFile(file: Fields): TextBlock {
  const title = optional(file, 'filename', decodeString);
  const url = optional(file, 'file_url', decodeImageUrl);
  const data = file.values['file_data'];
  if (typeof data !== 'string' || data === '') return documentText({ title, source: url });
  if (/^data:/i.test(data)) return documentText({ title, source: optional(file, 'file_data', decodeImageUrl) });
  return documentText({ title, source: { kind: 'base64', mediaType: '', data: decodeBase64(data, file.place, 'file_data') } });
}
