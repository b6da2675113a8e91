import type { JsonDocument, JsonObject } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import type { Decoder } from './decoder.js';
import { decodeObject } from './decode-fields.js';

/** The fields of either format that hold an object of the client's own, which is passed on as it was written. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'input', 'schema']);

/** An object that the format passes on without reading it. */
export const decodeDocument: Decoder<JsonDocument> = (value, within, key) => jsonDocument(decodeObject(value, within, key).values as JsonObject);
