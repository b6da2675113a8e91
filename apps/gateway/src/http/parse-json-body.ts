import { GatewayError, GREATEST_REQUEST_LIMITS } from '@tollgate/core';
import { JsonParser, type JsonProblem, JsonRefusal, type ParsedJson } from '@tollgate/json-text';
import {
  DOCUMENT_FIELDS, INPUT_FIELD, JSON_MAXIMUM_DEPTH, JSON_MAXIMUM_ITEMS, JSON_MAXIMUM_KEYS, itemsWithin, MESSAGES_FIELD, RECURRING_FIELD,
} from '@tollgate/wire-kit';

/** The schema of a tool is this deep in a request, and nothing that is passed on as it was written is higher. */
const DOCUMENT_DEPTH = 4;

const parser = new JsonParser({
  maximumDepth: JSON_MAXIMUM_DEPTH,
  maximumKeys: JSON_MAXIMUM_KEYS,
  maximumItems: JSON_MAXIMUM_ITEMS,
  exactFields: DOCUMENT_FIELDS,
  exactDepth: DOCUMENT_DEPTH,
  copiedList: { field: MESSAGES_FIELD, maximumMembers: GREATEST_REQUEST_LIMITS.messages },
  cachedField: RECURRING_FIELD,
  writtenList: { field: INPUT_FIELD, maximumMembers: itemsWithin(GREATEST_REQUEST_LIMITS) },
});

const PROBLEMS: Readonly<Record<JsonProblem, string>> = {
  'empty': 'The request body is empty; it must be a JSON object.',
  'not-utf8': 'The request body is not valid UTF-8.',
  'malformed': 'The request body is not valid JSON.',
  'too-deep': `The request body nests arrays and objects deeper than ${JSON_MAXIMUM_DEPTH} levels.`,
  'too-many-keys': `The request body has more than ${JSON_MAXIMUM_KEYS} keys in its objects.`,
  'too-many-items': `The request body has more than ${JSON_MAXIMUM_ITEMS} items in its lists.`,
  'too-many-tokens': 'The request body is not valid JSON, or has too many keys or list items.',
};

/** Throws `invalid_request` for anything that is not UTF-8, not JSON, nested too deep or of too many keys or items. */
export function parseJsonBody(bytes: Buffer): ParsedJson {
  try {
    return parser.parse(bytes);
  } catch (cause) {
    if (!(cause instanceof JsonRefusal)) throw cause;
    throw new GatewayError('invalid_request', PROBLEMS[cause.problem], { cause });
  }
}
