import {
  type DecodeTerms, GatewayError, type JsonObject, MAX_RESPONSE_CHAIN, MAX_STORED_BYTES_OF_REQUEST, MAX_STORED_RESPONSES, type StoredResponse,
  type StoredTexts,
} from '@tollgate/core';
import { type JsonSize, measureJson } from '@tollgate/json-text';
import { type FieldPath, invalidField, MAX_JSON_DEPTH, MAX_JSON_ITEMS, MAX_JSON_KEYS } from '@tollgate/wire-kit';
import { responseIdOf } from './item-ids.js';

/** Maximum characters loaded; a text never has more characters than bytes. */
const MAX_STORED_CHARACTERS = MAX_STORED_BYTES_OF_REQUEST;
const TOO_MUCH = `loads more than the ${MAX_STORED_BYTES_OF_REQUEST} bytes, ${MAX_JSON_KEYS} keys and ${MAX_JSON_ITEMS} list items of stored responses `
  + 'that a request may refer to; '
  + "send the needed items in 'input', or start again with a summary of the conversation";

/** Ids of the stored responses that a request refers to. */
export interface References {
  /** Id of the continued response; `null` if there is none. */
  readonly previousId: string | null;
  /** Ids of the responses to whose items the request refers. */
  readonly responseIds: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a reference to an item; an item with only an `id` is one too. */
export function isReference({ type, role, id }: Values): boolean {
  return type === 'item_reference' || ((type === undefined || type === null) && (role === undefined || role === null) && typeof id === 'string');
}

/** The references of a body, which may be invalid. */
export function referencesIn(body: unknown): References {
  if (!isObject(body)) return { previousId: null, responseIds: [] };
  const { previous_response_id: previousId, input } = body;
  const responseIds = new Set<string>();
  for (const item of Array.isArray(input) ? input as readonly unknown[] : []) {
    const id = isObject(item) && isReference(item) ? item['id'] : null;
    const responseId = typeof id === 'string' ? responseIdOf(id) : null;
    if (responseId !== null && responseIds.size < MAX_STORED_RESPONSES) responseIds.add(responseId);
  }
  return { previousId: typeof previousId === 'string' && previousId !== '' ? previousId : null, responseIds: [...responseIds] };
}

type ItemsField = 'inputItems' | 'outputItems';
type StoredText = readonly [response: StoredResponse, field: ItemsField];

const NO_REFERENCES: References = { previousId: null, responseIds: [] };

/** The items of stored responses. Each stored text is parsed at most once; all texts together must be within the limits of one body. */
export class StoredItems implements StoredTexts {
  /** Parsed texts by response id; `null` for a text beyond the limits of a request. */
  readonly #parsed: Readonly<Record<ItemsField, Map<string, readonly JsonObject[] | null>>> = { inputItems: new Map(), outputItems: new Map() };
  readonly #texts: Iterator<StoredText, undefined>;
  readonly #outputs = new Map<string, ReadonlyMap<unknown, JsonObject>>();
  readonly #used = new Set<string>();
  #charactersLeft = MAX_STORED_CHARACTERS;
  #left: JsonSize = { keys: MAX_JSON_KEYS, items: MAX_JSON_ITEMS };

  /** @param references name the responses whose texts `parseSome` parses. */
  constructor(private readonly terms: Pick<DecodeTerms, 'stored' | 'exceedsStored'>, references = NO_REFERENCES) {
    this.#texts = textsOf(references, terms.stored);
  }

  parseSome(characters: number): boolean {
    for (let left = characters; left > 0;) {
      const { value: text, done } = this.#texts.next();
      if (done === true) return false;
      this.#itemsOf(text);
      left -= text[0][text[1]].length;
    }
    return true;
  }

  /**
   * All items of a response and of those that it continues, the earliest first. Throws `not_found` if one of the responses is missing or there are
   * too many, and `invalid_request` if they are too large.
   */
  chain(id: string): readonly JsonObject[] {
    const tooMuch = (): GatewayError => invalidField(null, 'previous_response_id', TOO_MUCH);
    const chain: StoredResponse[] = [];
    for (let next: string | null = id; next !== null;) {
      const response = this.terms.stored.get(next);
      if (response === undefined && this.terms.exceedsStored) throw tooMuch();
      if (response === undefined || chain.length === MAX_RESPONSE_CHAIN) throw notKept();
      chain.push(response);
      next = response.previousId;
    }
    return chain.toReversed().flatMap((response) => [...this.#parse([response, 'inputItems'], tooMuch), ...this.#parse([response, 'outputItems'], tooMuch)]);
  }

  /**
   * The stored item with this id; `null` if it is not stored. Throws `invalid_request` for a second reference to the item, and if the responses are
   * too large.
   */
  find(id: string, within: FieldPath | null, key: string | number): JsonObject | null {
    const responseId = responseIdOf(id);
    const tooMuch = (): GatewayError => invalidField(within, key, TOO_MUCH);
    const response = responseId === null ? undefined : this.terms.stored.get(responseId);
    if (response === undefined && this.terms.exceedsStored) throw tooMuch();
    const item = response === undefined ? undefined : this.#outputsOf(response, tooMuch).get(id);
    if (item === undefined) return null;
    if (this.#used.has(id)) throw invalidField(within, key, 'refers to an item that the request already refers to');
    this.#used.add(id);
    return item;
  }

  #outputsOf(response: StoredResponse, tooMuch: () => GatewayError): ReadonlyMap<unknown, JsonObject> {
    const known = this.#outputs.get(response.id);
    if (known !== undefined) return known;
    const outputs = new Map(this.#parse([response, 'outputItems'], tooMuch).map((item) => [item['id'] as unknown, item]));
    this.#outputs.set(response.id, outputs);
    return outputs;
  }

  #parse(text: StoredText, tooMuch: () => GatewayError): readonly JsonObject[] {
    const items = this.#itemsOf(text);
    if (items === null) throw tooMuch();
    return items;
  }

  #itemsOf([response, field]: StoredText): readonly JsonObject[] | null {
    const known = this.#parsed[field].get(response.id);
    if (known !== undefined) return known;
    const items = this.#parseWithin(response[field]);
    this.#parsed[field].set(response.id, items);
    return items;
  }

  #parseWithin(items: string): readonly JsonObject[] | null {
    this.#charactersLeft -= items.length;
    const { keys, items: listItems } = this.#left;
    const size = this.#charactersLeft < 0 ? null : measureJson(items, { ...this.#left, depth: MAX_JSON_DEPTH });
    if (size === null) return null;
    this.#left = { keys: keys - size.keys, items: listItems - size.items };
    return JSON.parse(items) as readonly JsonObject[];
  }
}

/** The stored texts: those of the chain in order, then those of responses with referenced items. Missing responses are skipped. */
function* textsOf({ previousId, responseIds }: References, stored: DecodeTerms['stored']): Generator<StoredText, undefined> {
  const chain: StoredResponse[] = [];
  for (let next = previousId; next !== null && chain.length < MAX_RESPONSE_CHAIN;) {
    const response = stored.get(next);
    if (response !== undefined) chain.push(response);
    next = response?.previousId ?? null;
  }
  for (const response of chain.toReversed()) {
    yield [response, 'inputItems'];
    yield [response, 'outputItems'];
  }
  for (const id of responseIds) {
    const response = stored.get(id);
    if (response !== undefined) yield [response, 'outputItems'];
  }
  return undefined;
}

function notKept(): GatewayError {
  return new GatewayError(
    'not_found',
    `'previous_response_id' names a response that is not stored, continues one that is no longer stored, or continues more than ${MAX_RESPONSE_CHAIN - 1}. `
      + "Send the whole conversation in 'input'.",
    { param: 'previous_response_id' },
  );
}
