import { type JsonDocument, jsonDocument, type JsonObject } from '@tollgate/core';
import type { Decoder } from './decoder.js';
import { decodeObject } from './decode-fields.js';

/** The fields of either format that hold an object of the client's own, which is passed on as it was written. */
export const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'input', 'schema']);

/** An object that is none of the format's business. */
export const decodeDocument: Decoder<JsonDocument> = (value, within, key) => jsonDocument(decodeObject(value, within, key).values as JsonObject);
