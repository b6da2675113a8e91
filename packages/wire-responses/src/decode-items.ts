import { EMPTY_ARGUMENTS, type JsonObject, type RequestLimits, type TextBlock, type Tool, type ToolCallBlock, type Turn } from '@tollgate/core';
import {
  beyondLimit, checkMessageText, decodeArray, decodeDocument, decodeNonEmptyString, decodeObject, decodeOneOf, type Decoder, decodeString,
  type FieldPath, type Fields, invalidField, itemsWithin, optional, required, type ResultContent, saysSomething,
} from '@tollgate/wire-kit';
import {
  decodeAssistantContent, decodeInstructionContent, decodeOutput, decodeUserContent, type OpenSeal, thinkingIn,
} from './decode-content.js';
import { type ConfigurationUpdate, NO_UPDATE, updatedBy } from './configuration-update.js';
import { decodeToolListWithin, hasServerTools, SEARCH_TOOL, type ToolList } from './decode-tools.js';
import { upstreamToolName } from './tool-names.js';
import { isReference, type StoredItems } from './stored-items.js';
import { TurnBuilder } from './turn-builder.js';

/** Stored responses, the opener of sealed reasoning, and the limits for items. */
export interface ItemTerms {
  readonly limits: RequestLimits;
  readonly stored: StoredItems;
  readonly open: OpenSeal;
}

interface DecodedItems {
  readonly turns: readonly Turn[];
  /** Tool lists that items contain. */
  readonly toolLists: readonly ToolList[];
  /** True if they also contain tools that only a vendor can run, which are omitted. */
  readonly hasServerTools: boolean;
  /** The request's own items, in which references are replaced by the stored items. */
  readonly own: readonly unknown[];
  readonly update: ConfigurationUpdate;
}

const decodeCallId = (item: Fields): string => required(item, 'call_id', decodeNonEmptyString);

function decodeCallName(item: Fields): string {
  return upstreamToolName(optional(item, 'namespace', decodeString), required(item, 'name', decodeNonEmptyString));
}

/** Decodes arguments, which are an object or its JSON text. */
const decodeArguments: Decoder<string> = (value, within, key) =>
  (typeof value === 'string' ? value : decodeDocument(value, within, key).text);

/** Tells the model the result of a search: the tools that it can call now. */
function describeTools(tools: readonly Tool[]): string {
  if (tools.length === 0) return 'No tools were found.';
  return tools.map(({ name, description }) => (description === null ? name : `${name}: ${description}`)).join('\n');
}

const NO_TOOLS: readonly Tool[] = [];

class ItemDecoder {
  readonly turns = new TurnBuilder();
  update: ConfigurationUpdate = NO_UPDATE;
  readonly toolLists: ToolList[] = [];
  hasServerTools = false;
  readonly own: unknown[] = [];
  /** Item decoders by type. Items of other types are skipped, because new types appear with releases of agents. */
  static readonly #kinds: ReadonlyMap<string, (decoder: ItemDecoder, item: Fields, place: FieldPath) => void> = new Map([
    ['message', (decoder, item) => required(item, 'role', decodeRole)(decoder.turns, item, decoder.terms.limits)],
    ['reasoning', (decoder, item) => decoder.#addThinking(item)],
    ['function_call', (decoder, item, place) => decoder.#addCall(item, place, optional(item, 'arguments', decodeString) ?? '')],
    ['custom_tool_call', (decoder, item, place) => decoder.#addCall(item, place, JSON.stringify({ input: optional(item, 'input', decodeString) ?? '' }))],
    ['function_call_output', (decoder, item, place) => decoder.#addOutput(item, place)],
    ['custom_tool_call_output', (decoder, item, place) => decoder.#addOutput(item, place)],
    ['tool_search_call', (decoder, item, place) => decoder.#addSearch(item, place)],
    ['tool_search_output', (decoder, item, place) => decoder.#addSearchOutput(item, place)],
    ['additional_tools', (decoder, item, place) => decoder.#addTools(item, place)],
    ['configuration_update', (decoder, item) => { decoder.update = updatedBy(decoder.update, item); }],
  ]);

  constructor(private readonly terms: ItemTerms) {}

  decodeAll(items: readonly unknown[], list: FieldPath): void {
    for (const [index, item] of items.entries()) this.#decode(item, list, index);
  }

  /** Decodes the request's own items, which, unlike stored ones, may be references. */
  decodeOwn(items: readonly unknown[], list: FieldPath): void {
    for (const [index, value] of items.entries()) {
      const item = this.#dereference(value, list, index);
      if (item === null) continue;
      this.own.push(item);
      this.#decode(item, list, index);
    }
  }

  #dereference(value: unknown, list: FieldPath, index: number): unknown {
    const item = decodeObject(value, list, index);
    if (!isReference(item.values)) return value;
    const id = required(item, 'id', decodeNonEmptyString);
    const found = this.terms.stored.find(id, list, index);
    // A reasoning item that is not stored is omitted, because the turn is complete without it.
    if (found === null && !id.startsWith('rs_')) throw invalidField(list, index, NOT_KEPT);
    return found;
  }

  #decode(value: unknown, list: FieldPath, index: number): void {
    const item = decodeObject(value, list, index);
    const type = optional(item, 'type', decodeString) ?? (item.values['role'] === undefined ? required(item, 'type', decodeString) : 'message');
    const decode = ItemDecoder.#kinds.get(type);
    if (decode !== undefined) decode(this, item, { within: list, key: index });
    else if (typeof item.values['call_id'] === 'string') this.turns.skipCall(item.values['call_id']);
  }

  #addThinking(item: Fields): void {
    const block = thinkingIn(item, this.terms.open);
    if (block !== null) this.turns.addThinking(block);
  }

  #addCall(item: Fields, place: FieldPath, argumentsJson: string): void {
    const call: ToolCallBlock = { type: 'tool-call', id: decodeCallId(item), name: decodeCallName(item), argumentsJson };
    this.turns.addCall(call, place);
  }

  #addOutput(item: Fields, place: FieldPath): void {
    const content: ResultContent = (optional(item, 'output', decodeOutput) ?? []).filter(saysSomething);
    checkMessageText(content, { limits: this.terms.limits, message: place, field: 'output' });
    this.turns.addResult(decodeCallId(item), content, place);
  }

  /** Adds a search call. Skips one without a call id: it ran at the vendor, and needs no result. */
  #addSearch(item: Fields, place: FieldPath): void {
    const id = optional(item, 'call_id', decodeNonEmptyString);
    const argumentsJson = optional(item, 'arguments', decodeArguments) ?? EMPTY_ARGUMENTS;
    if (id !== null) this.turns.addCall({ type: 'tool-call', id, name: SEARCH_TOOL, argumentsJson }, place);
  }

  #addSearchOutput(item: Fields, place: FieldPath): void {
    const tools = this.#addTools(item, place);
    const id = optional(item, 'call_id', decodeNonEmptyString);
    if (id !== null) this.turns.addResult(id, [{ type: 'text', text: describeTools(tools) }], place);
  }

  #addTools(item: Fields, place: FieldPath): readonly Tool[] {
    const tools = optional(item, 'tools', decodeToolListWithin(this.terms.limits)) ?? NO_TOOLS;
    this.hasServerTools ||= hasServerTools(item);
    if (tools.length > 0) this.toolLists.push({ tools, within: place, key: 'tools' });
    return tools;
  }
}

const NOT_KEPT = "refers to an item that is not stored: send the item itself, as clients do with 'store': false";

function addInstructions(turns: TurnBuilder, item: Fields, limits: RequestLimits): void {
  const content: readonly TextBlock[] = required(item, 'content', decodeInstructionContent).filter(saysSomething);
  checkMessageText(content, { limits, message: item.place });
  turns.addTurn({ role: 'system', content });
}

function addUserMessage(turns: TurnBuilder, item: Fields, limits: RequestLimits): void {
  const content = required(item, 'content', decodeUserContent);
  checkMessageText(content, { limits, message: item.place });
  turns.addTurn({ role: 'user', content });
}

/** Adds an assistant's message, unless its content is empty. */
function addAssistantMessage(turns: TurnBuilder, item: Fields, limits: RequestLimits): void {
  const content = (optional(item, 'content', decodeAssistantContent) ?? []).filter(saysSomething);
  checkMessageText(content, { limits, message: item.place });
  for (const block of content) turns.addText(block);
}

const decodeRole = decodeOneOf(new Map<string, (turns: TurnBuilder, item: Fields, limits: RequestLimits) => void>([
  ['user', addUserMessage], ['assistant', addAssistantMessage], ['system', addInstructions], ['developer', addInstructions],
]));

/** Decodes `input`: a user's text, or a list of items. */
function decodeInputWithin(limits: RequestLimits): Decoder<readonly unknown[]> {
  return (value, within, key) => {
    if (typeof value === 'string') checkMessageText([{ type: 'text', text: value }], { limits, message: within, field: String(key) });
    const items = typeof value === 'string' ? itemsOf(value) : decodeArray(value, within, key);
    if (items.length === 0) throw invalidField(within, key, 'needs at least one item');
    const [count, most] = [items.length, itemsWithin(limits)];
    if (count > most) throw beyondLimit({ within, key, name: 'messages', most, noun: 'items', count });
    return items;
  };
}

function itemsOf(text: string): readonly JsonObject[] {
  return text === '' ? [] : [{ type: 'message', role: 'user', content: text }];
}

/** Decodes all items of a request, including those of continued responses. */
export function decodeItems(body: Fields, previousId: string | null, terms: ItemTerms): DecodedItems {
  const items = required(body, 'input', decodeInputWithin(terms.limits));
  const chain = previousId === null ? [] : terms.stored.chain(previousId);
  const [count, most] = [items.length + chain.length, itemsWithin(terms.limits)];
  if (count > most) {
    const noun = "items together with 'input'";
    throw beyondLimit({ within: null, key: 'previous_response_id', name: 'messages', most, noun, count });
  }
  const decoder = new ItemDecoder(terms);
  decoder.decodeAll(chain, { within: null, key: 'previous_response_id' });
  decoder.decodeOwn(items, { within: null, key: 'input' });
  const turns = decoder.turns.build();
  if (turns.length === 0) throw invalidField(null, 'input', 'needs at least one message');
  return { turns, toolLists: decoder.toolLists, hasServerTools: decoder.hasServerTools, own: decoder.own, update: decoder.update };
}
