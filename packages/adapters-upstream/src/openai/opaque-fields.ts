import { isSignedBy, type JsonObject, type JsonValue, type SignatureForm, type ThinkingBlock } from '@tollgate/core';
import { measureJson } from '@tollgate/json-text';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';
import type { BlockWriter } from '../reply/block-writer.js';

/** Fields whose pieces add up in a stream; a later value of any other field replaces the earlier one. */
const PIECEWISE = ['text', 'summary'] as const;

/** Whether two details are pieces of one. */
function continues(last: JsonObject, detail: JsonObject): boolean {
  return asNumber(detail['index']) !== null && detail['index'] === last['index'] && detail['type'] === last['type'];
}

function joined(last: JsonObject, detail: JsonObject): JsonObject {
  const stated = Object.entries(detail).filter(([, value]) => value !== null);
  const texts = PIECEWISE.flatMap((field) => (asText(detail[field]) === null ? [] : [[field, (asText(last[field]) ?? '') + (asText(detail[field]) ?? '')] as const]));
  return { ...last, ...Object.fromEntries(stated), ...Object.fromEntries(texts) };
}

/** Of one piece of opaque data, so that it has room in a request, which may be 64 deep and have 32,768 keys. */
const OPAQUE_BOUNDS = { depth: 56, keys: 4_096, items: 4_096 };

/** The JSON that travels to the client; `null` for more than could come back in a request: its client would be refused ever after. */
function opaqueText(value: JsonObject | readonly JsonObject[]): string | null {
  const text = JSON.stringify(value);
  return measureJson(text, OPAQUE_BOUNDS) === null ? null : text;
}

/** Writes opaque data, if there is any, behind the thinking it belongs to. */
export function writeOpaque(writer: BlockWriter, value: JsonObject | readonly JsonObject[] | null, form: SignatureForm): void {
  const text = value === null ? null : opaqueText(value);
  if (text !== null) writer.closeThinking(text, form);
}

/** What a reply holds beside its texts and calls to be brought back: `reasoning_details`, and `extra_content` of the message. */
export class OpaqueFields {
  #details: JsonObject[] = [];
  #extra: JsonObject | null = null;

  /** Reads a delta, or a whole message, whose details are complete. */
  read(fields: JsonObject, isDelta: boolean): void {
    for (const value of asList(fields['reasoning_details'])) this.#addDetail(asObject(value), isDelta);
    this.#extra = asObject(fields['extra_content']) ?? this.#extra;
  }

  /** Writes the details that came since the last time, behind the thinking they belong to. */
  writeDetails(writer: BlockWriter): void {
    writeOpaque(writer, this.#details.length === 0 ? null : this.#details, 'reasoning-details');
    this.#details = [];
  }

  /** Writes all that was read since the last time. */
  writeAll(writer: BlockWriter): void {
    this.writeDetails(writer);
    writeOpaque(writer, this.#extra, 'message-extra');
    this.#extra = null;
  }

  #addDetail(detail: JsonObject | null, isDelta: boolean): void {
    if (detail === null) return;
    const last = this.#details.at(-1);
    if (isDelta && last !== undefined && continues(last, detail)) this.#details[this.#details.length - 1] = joined(last, detail);
    else this.#details.push(detail);
  }
}

/** The value that opaque data is the JSON of. It may be a client's: `null` for what is no JSON, or deeper or of more parts than servers give. */
export function parseOpaque(data: string | null): JsonValue {
  try {
    return data === null || measureJson(data, OPAQUE_BOUNDS) === null ? null : JSON.parse(data) as JsonValue;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return null;
  }
}

/** The objects in a list of details; none in any other value. */
export function detailsIn(value: JsonValue): readonly JsonObject[] {
  return asList(value).map(asObject).filter((detail) => detail !== null);
}

/** Strings that servers read as words are all but these: what they encrypted or signed themselves, and labels. */
const WORDLESS: ReadonlySet<string> = new Set(['data', 'signature', 'thought_signature', 'encrypted_content', 'id', 'type', 'format']);

/** What a model reads of opaque data that a client brings back: its words, which the client may have written itself. */
export function wordsInOpaque(block: ThinkingBlock): string {
  return isSignedBy('openai', block) ? wordsIn(parseOpaque(block.signature)) : '';
}

function wordsIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value).map(([key, member]) => (WORDLESS.has(key) ? '' : wordsIn(member as JsonValue))).filter((words) => words !== '').join('\n');
}
