import type { JsonValue } from '@tollgate/core';
import { asList, asObject, asText } from '../json-access.js';

/** The text of a reply's content: a string, or the text parts of a list. */
export function textOfContent(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return asList(content).map((part) => asText(asObject(part)?.['text']) ?? '').join('');
}
