import {
  type AssistantBlock, assertNever, type BlockOpening, EMPTY_ARGUMENTS, isBlank, type JsonObject, type ReasoningSeal, type SignatureForm, type ToolDeclaration,
} from '@tollgate/core';
import { argumentsObject, JsonText, printObject } from '@tollgate/json-text';
import type { SealedReasoning } from './decode-content.js';
import type { ResponsesEcho } from './decode-request.js';
import { type ItemIdPrefix, itemIdOf } from './item-ids.js';

/** Kind of an item. The format writes a refusal as a message. A call has the kind of the declaration of its tool. */
export type ItemKind = 'message' | 'refusal' | 'reasoning' | ToolDeclaration['kind'];
/** `incomplete` items were truncated with the reply; clients must not run incomplete calls. */
export type ItemEnd = 'completed' | 'incomplete';

/** The start of an item, the same in streams and whole replies. */
export interface ItemOpening {
  readonly kind: ItemKind;
  readonly id: string;
  /** `call_id`, `name` and `namespace` as the client declared the tool; empty for other items. */
  readonly call: JsonObject;
}

const ID_PREFIXES: Readonly<Record<ItemKind, ItemIdPrefix>> = { message: 'msg_', refusal: 'msg_', reasoning: 'rs_', function: 'fc_', custom: 'ctc_', search: 'tsc_' };

export interface ItemPosition {
  readonly responseId: string;
  readonly index: number;
}

function messageKindOf({ isRefusal }: Extract<BlockOpening, { type: 'text' }>): ItemKind {
  return isRefusal === true ? 'refusal' : 'message';
}

function openItem(block: BlockOpening, { responseId, index }: ItemPosition, { declarations }: ResponsesEcho): ItemOpening {
  if (block.type !== 'tool-call') {
    const kind = block.type === 'thinking' ? 'reasoning' : messageKindOf(block);
    return { kind, id: itemIdOf(ID_PREFIXES[kind], responseId, index), call: {} };
  }
  const declaration = declarations.get(block.name);
  const kind = declaration?.kind ?? 'function';
  const id = itemIdOf(ID_PREFIXES[kind], responseId, index);
  if (kind === 'search') return { kind, id, call: { call_id: block.id } };
  const namespace = declaration?.namespace ?? null;
  return { kind, id, call: { call_id: block.id, name: declaration?.name ?? block.name, ...(namespace === null ? {} : { namespace }) } };
}

/** Content of an item that has just begun: clients require the empty value. */
const EMPTY_CONTENT: Readonly<Record<ItemKind, JsonText>> = {
  message: new JsonText('[]'), refusal: new JsonText('[]'), reasoning: new JsonText('[]'), function: new JsonText('""'), custom: new JsonText('""'), search: new JsonText('{}'),
};

interface PrintedItem {
  readonly status: ItemEnd | 'in_progress';
  readonly content: JsonText;
  readonly sealed?: string | undefined;
}

function printItem({ kind, id, call }: ItemOpening, { status, content, sealed }: PrintedItem): JsonText {
  switch (kind) {
    case 'message':
    case 'refusal': return printObject({ id, type: 'message', role: 'assistant', status, content });
    case 'reasoning': return printObject({ id, type: 'reasoning', status, summary: content, encrypted_content: sealed });
    case 'function': return printObject({ id, type: 'function_call', status, ...call, arguments: content });
    case 'custom': return printObject({ id, type: 'custom_tool_call', status, ...call, input: content });
    case 'search': return printObject({ id, type: 'tool_search_call', status, ...call, execution: 'client', arguments: content });
    default: return assertNever(kind);
  }
}

/** The item as `output_item.added` has it. */
export function encodeOpening(opening: ItemOpening): JsonText {
  return printItem(opening, { status: 'in_progress', content: EMPTY_CONTENT[opening.kind] });
}

/**
 * The input of a custom tool: the argument `input`, which its schema names, otherwise the only argument that is a text, otherwise all of the
 * arguments.
 */
function customInput(argumentsJson: string): string {
  let value: unknown;
  try {
    value = JSON.parse(argumentsJson);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return argumentsJson;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return argumentsJson;
  const { input } = value as { readonly input?: unknown };
  if (typeof input === 'string') return input;
  const texts = Object.values(value).filter((member) => typeof member === 'string');
  return texts.length === 1 && texts[0] !== undefined ? texts[0] : argumentsJson;
}

/** What completes blank arguments: `{}`, because clients parse them. Truncated arguments stay invalid, so that no client runs the call. */
export function missingArguments(argumentsJson: string, end: ItemEnd): string {
  return end === 'completed' && isBlank(argumentsJson) ? EMPTY_ARGUMENTS : '';
}

/** JSON of an item's content: a string, or an object for a search. */
export function encodeContent(kind: ItemKind, text: string, end: ItemEnd): JsonText {
  switch (kind) {
    case 'message':
    case 'refusal':
    case 'reasoning': return new JsonText(JSON.stringify(text));
    case 'function': return new JsonText(JSON.stringify(text + missingArguments(text, end)));
    case 'custom': return new JsonText(JSON.stringify(end === 'completed' ? customInput(text) : text));
    case 'search': return argumentsObject(text);
    default: return assertNever(kind);
  }
}

export function encodePart(kind: 'message' | 'refusal', text: JsonText): JsonText {
  return printObject(kind === 'message' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: 'refusal', refusal: text });
}

export function encodeSummaryPart(text: JsonText): JsonText {
  return printObject({ type: 'summary_text', text });
}

/** Seals reasoning for its account, so that the client can return it and only the model that wrote it gets the signature. */
interface ReasoningSealing {
  readonly seal: ReasoningSeal | null;
  readonly upstreamModel: string;
}

interface ItemContent {
  readonly end: ItemEnd;
  readonly text: string;
  /** The content as `encodeContent` returns it. */
  readonly content: JsonText;
  /** Signature of reasoning; `null` for other items. */
  readonly signature: string | null;
  readonly form?: SignatureForm | undefined;
}

function signatureOf(block: AssistantBlock): Pick<ItemContent, 'signature' | 'form'> {
  return block.type === 'thinking' ? { signature: block.signature, form: block.form } : { signature: null };
}

export class ItemEncoder {
  constructor(private readonly echo: ResponsesEcho, private readonly sealing: ReasoningSealing) {}

  /** True if reasoning is also sent as text, in addition to its sealed form. */
  get showsReasoning(): boolean {
    return this.echo.showsReasoning;
  }

  open(block: BlockOpening, position: ItemPosition): ItemOpening {
    return openItem(block, position, this.echo);
  }

  /** The ended item, as `output_item.done` and `output` have it. */
  encode(opening: ItemOpening, { end, text, content, signature, form }: ItemContent): JsonText {
    const sealed = opening.kind === 'reasoning' ? this.#sealed({ text, signature, form }) : undefined;
    return printItem(opening, { status: end, content: this.#contained(opening.kind, text, content), sealed });
  }

  /** The unfinished item, with the text sent so far. */
  encodeUnfinished(opening: ItemOpening, text: string): JsonText {
    return printItem(opening, { status: 'in_progress', content: this.#contained(opening.kind, text, new JsonText(JSON.stringify(text))) });
  }

  /** The items of a whole reply. Only the last one can be incomplete. */
  encodeAll(blocks: readonly AssistantBlock[], responseId: string, lastEnd: ItemEnd): readonly JsonText[] {
    return blocks.map((block, index) => {
      const end = index === blocks.length - 1 ? lastEnd : 'completed';
      const item = this.open(block, { responseId, index });
      const text = block.type === 'tool-call' ? block.argumentsJson : block.text;
      return this.encode(item, { end, text, content: encodeContent(item.kind, text, end), ...signatureOf(block) });
    });
  }

  /** Wraps the content in a list of parts, for messages and reasoning. */
  #contained(kind: ItemKind, text: string, content: JsonText): JsonText {
    if (kind === 'message' || kind === 'refusal') return new JsonText(`[${encodePart(kind, content).text}]`);
    if (kind !== 'reasoning') return content;
    return this.echo.showsReasoning && text !== '' ? new JsonText(`[${encodeSummaryPart(content).text}]`) : EMPTY_CONTENT.reasoning;
  }

  #sealed({ text, signature, form }: Pick<ItemContent, 'text' | 'signature' | 'form'>): string | undefined {
    const { seal, upstreamModel } = this.sealing;
    return seal?.seal(this.echo.accountId, JSON.stringify({ model: upstreamModel, text, signature, form } satisfies SealedReasoning));
  }
}
