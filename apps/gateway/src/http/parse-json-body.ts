import { GatewayError, MAX_REQUEST_LIMITS } from '@tollgate/core';
import { JsonParser, type JsonProblem, JsonRefusal, type ParsedJson } from '@tollgate/json-text';
import {
  DOCUMENT_FIELDS, INPUT_FIELD, MAX_JSON_DEPTH, MAX_JSON_ITEMS, MAX_JSON_KEYS, itemsWithin, MESSAGES_FIELD, RECURRING_FIELD,
} from '@tollgate/wire-kit';

/** Minimum depth of a tool's schema in a request. Values at smaller depths are never forwarded verbatim. */
const DOCUMENT_DEPTH = 4;

const parser = new JsonParser({
  maximumDepth: MAX_JSON_DEPTH,
  maximumKeys: MAX_JSON_KEYS,
  maximumItems: MAX_JSON_ITEMS,
  exactFields: DOCUMENT_FIELDS,
  exactDepth: DOCUMENT_DEPTH,
  copiedList: { field: MESSAGES_FIELD, maximumMembers: MAX_REQUEST_LIMITS.messages },
  cachedField: RECURRING_FIELD,
  writtenList: { field: INPUT_FIELD, maximumMembers: itemsWithin(MAX_REQUEST_LIMITS) },
});

const PROBLEMS: Readonly<Record<JsonProblem, string>> = {
  'empty': 'The request body is empty; it must be a JSON object.',
  'not-utf8': 'The request body is not valid UTF-8.',
  'malformed': 'The request body is not valid JSON.',
  'too-deep': `The request body nests arrays and objects deeper than ${MAX_JSON_DEPTH} levels.`,
  'too-many-keys': `The request body has more than ${MAX_JSON_KEYS} keys in its objects.`,
  'too-many-items': `The request body has more than ${MAX_JSON_ITEMS} items in its lists.`,
  'too-many-tokens': 'The request body is not valid JSON, or has too many keys or list items.',
};

/** Parses a JSON body. Throws `invalid_request` for invalid UTF-8 or JSON, and beyond the limits on depth, keys and items. */
export function parseJsonBody(bytes: Buffer): ParsedJson {
  try {
    return parser.parse(bytes);
  } catch (cause) {
    if (!(cause instanceof JsonRefusal)) throw cause;
    throw new GatewayError('invalid_request', PROBLEMS[cause.problem], { cause });
  }
}
