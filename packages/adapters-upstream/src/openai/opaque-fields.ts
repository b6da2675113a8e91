import { isSignedBy, type JsonObject, type JsonValue, type SignatureForm, type ThinkingBlock } from '@tollgate/core';
import { measureJson } from '@tollgate/json-text';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';
import type { BlockWriter } from '../reply/block-writer.js';

/** Fields that are concatenated in streams; in other fields, later values replace earlier ones. */
const PIECEWISE = ['text', 'summary'] as const;

/** True if both are pieces of one detail. */
function continues(last: JsonObject, detail: JsonObject): boolean {
  return asNumber(detail['index']) !== null && detail['index'] === last['index'] && detail['type'] === last['type'];
}

function joined(last: JsonObject, detail: JsonObject): JsonObject {
  const stated = Object.entries(detail).filter(([, value]) => value !== null);
  const texts = PIECEWISE.flatMap((field) => (asText(detail[field]) === null ? [] : [[field, (asText(last[field]) ?? '') + (asText(detail[field]) ?? '')] as const]));
  return { ...last, ...Object.fromEntries(stated), ...Object.fromEntries(texts) };
}

/** Bounds of one opaque value, so that it fits in a request, which allows depth 64 and 32,768 keys. */
const OPAQUE_BOUNDS = { depth: 56, keys: 4_096, items: 4_096 };

/** JSON of the value; `null` if it exceeds the bounds, since the client sends it back, and all its later requests would be refused. */
function opaqueText(value: JsonObject | readonly JsonObject[]): string | null {
  const text = JSON.stringify(value);
  return measureJson(text, OPAQUE_BOUNDS) === null ? null : text;
}

/** Writes opaque data after the thinking to which it belongs. Data that exceeds the bounds is dropped. */
export function writeOpaque(writer: BlockWriter, value: JsonObject | readonly JsonObject[], form: SignatureForm): void {
  const text = opaqueText(value);
  if (text !== null) writer.closeThinking(text, form);
}

/** Collects the opaque data of a reply: `reasoning_details`, and the message's `extra_content`. */
export class OpaqueFields {
  #details: JsonObject[] = [];
  #extra: JsonObject | null = null;

  /** Reads a delta, whose details may continue earlier ones, or a whole message, whose details are complete. */
  read(fields: JsonObject, isDelta: boolean): void {
    const { reasoning_details: details, extra_content: extra } = fields;
    if (details !== undefined) for (const value of asList(details)) this.#addDetail(asObject(value), isDelta);
    if (extra !== undefined) this.#extra = asObject(extra) ?? this.#extra;
  }

  /** Writes the details since the last call. */
  writeDetails(writer: BlockWriter): void {
    if (this.#details.length === 0) return;
    writeOpaque(writer, this.#details, 'reasoning-details');
    this.#details = [];
  }

  /** Writes everything since the last call. */
  writeAll(writer: BlockWriter): void {
    this.writeDetails(writer);
    if (this.#extra !== null) writeOpaque(writer, this.#extra, 'message-extra');
    this.#extra = null;
  }

  #addDetail(detail: JsonObject | null, isDelta: boolean): void {
    if (detail === null) return;
    const last = this.#details.at(-1);
    if (isDelta && last !== undefined && continues(last, detail)) this.#details[this.#details.length - 1] = joined(last, detail);
    else this.#details.push(detail);
  }
}

/** Parses opaque data, which may come from a client; `null` if it is invalid, too deep or too large. */
export function parseOpaque(data: string | null): JsonValue {
  try {
    return data === null || measureJson(data, OPAQUE_BOUNDS) === null ? null : JSON.parse(data) as JsonValue;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return null;
  }
}

/** The details of a list that are objects; empty if the value is not a list. */
export function detailsIn(value: JsonValue): readonly JsonObject[] {
  return asList(value).map(asObject).filter((detail) => detail !== null);
}

/** Fields whose strings a model does not read as text: encrypted or signed data, and labels. */
const WORDLESS: ReadonlySet<string> = new Set(['data', 'signature', 'thought_signature', 'encrypted_content', 'id', 'type', 'format']);

/** The words that a model reads in opaque data, which a client may have written. */
export function wordsInOpaque(block: ThinkingBlock): string {
  return isSignedBy('openai', block) ? wordsIn(parseOpaque(block.signature)) : '';
}

function wordsIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value).map(([key, member]) => (WORDLESS.has(key) ? '' : wordsIn(member as JsonValue))).filter((words) => words !== '').join('\n');
}
