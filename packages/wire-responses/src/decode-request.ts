import {
  type AccountId, type ContextOverflow, DEFAULT_REQUEST_LIMITS, type DecodedRequest, type DecodeTerms, type ErrorText, type GenerationRequest, type JsonObject,
  type ReasoningSeal, type RequestLimits, type RequestSource, MAX_STORED_RESPONSE_BYTES, type TextBlock, type TokenCount, type ToolDeclaration,
} from '@tollgate/core';
import { printBytes, writtenListOf } from '@tollgate/json-text';
import {
  arrangeTurns, checkMessageText, decodeBody, decodeBoolean, decodeModelName, decodeNonEmptyString, decodeString, decodeUserName,
  describePromptOverflow, type Fields, INPUT_FIELD, omittedSettings, optional, REFUSED_RESPONSES_FIELDS, refuseStoredState, required,
} from '@tollgate/wire-kit';
import { withUpdate } from './configuration-update.js';
import { openReasoning } from './decode-content.js';
import { decodeItems } from './decode-items.js';
import { decodeParameters } from './decode-parameters.js';
import { declarationsOf, decodeToolsWithin, decodeToolUse, hasServerTools, joinTools } from './decode-tools.js';
import { StoredItems } from './stored-items.js';

const OUTPUT_FIELD = 'max_output_tokens';

/** Terms of a request without an account, and thus without stored responses. */
const NO_TERMS: DecodeTerms = { limits: DEFAULT_REQUEST_LIMITS, accountId: '' as AccountId, stored: new Map(), exceedsStored: false, keepsReplies: false };

function decodeInstructions(body: Fields, limits: RequestLimits): readonly TextBlock[] {
  const text = optional(body, 'instructions', decodeString) ?? '';
  const blocks: readonly TextBlock[] = text === '' ? [] : [{ type: 'text', text }];
  checkMessageText(blocks, { limits, message: null, field: 'instructions' });
  return blocks;
}

function isTooLong(text: Uint8Array): boolean {
  return text.length > MAX_STORED_RESPONSE_BYTES;
}

/** True if the request's own items are exactly those in `input`, so that their text can be copied. */
function areAsSent(items: readonly unknown[], input: unknown): boolean {
  return Array.isArray(input) && items.length === input.length && items.every((item, index) => item === input[index]);
}

/** Items to store in UTF-8, verbatim if possible; `null` if they are too large. */
function itemsToKeep(items: readonly unknown[], body: Fields, source: RequestSource | null): Uint8Array | null {
  const written = areAsSent(items, body.values[INPUT_FIELD]) ? writtenListOf(source) : null;
  const text = written === null || isTooLong(written) ? printBytes(items) : written;
  return isTooLong(text) ? null : text;
}

/** What the response repeats of its request or depends on. */
export interface ResponsesEcho {
  /** The account that reasoning is sealed for. */
  readonly accountId: AccountId;
  /** Tools other than plain functions, by upstream name. */
  readonly declarations: ReadonlyMap<string, ToolDeclaration>;
  /** True if reasoning is also sent as text. */
  readonly showsReasoning: boolean;
  /** The request's parameters, with defaults for absent ones. */
  readonly parameters: JsonObject;
  readonly previousResponseId: string | null;
  /**
   * The request's own input items as a JSON list in UTF-8, to store. `null` if the response is not to be stored: by `store: false`, by the gateway's
   * settings, or because the items are too large.
   */
  readonly inputItems: Uint8Array | null;
  /** The whole reply as stored; `null` if it is not stored. Set at most once, before the reply's end is encoded. */
  keptBody: string | null;
}

/** A decoded request, without the items to store. */
interface Decoded {
  readonly generation: GenerationRequest;
  readonly echo: Omit<ResponsesEcho, 'inputItems' | 'keptBody'>;
  readonly ownItems: readonly unknown[];
}

function decodeBodyFields(body: Fields, { source, terms = NO_TERMS, seal }: RequestTerms): Decoded {
  refuseStoredState(body, REFUSED_RESPONSES_FIELDS);
  const model = required(body, 'model', decodeModelName);
  const previousResponseId = optional(body, 'previous_response_id', decodeNonEmptyString);
  const { limits } = terms;
  const items = decodeItems(body, previousResponseId, {
    limits,
    stored: terms.texts instanceof StoredItems ? terms.texts : new StoredItems(terms),
    open: (sealed) => (seal === null ? null : openReasoning(seal, terms.accountId, sealed)),
  });
  const offered = joinTools(optional(body, 'tools', decodeToolsWithin(limits)) ?? [], items.toolLists, limits);
  const omitsTools = hasServerTools(body) || items.hasServerTools;
  const { tools, choice, echo: toolChoice } = decodeToolUse(body, offered, omitsTools);
  const { generation, showsReasoning, echo } = decodeParameters(withUpdate(body, items.update));
  return {
    generation: {
      model,
      conversation: arrangeTurns(decodeInstructions(body, limits), items.turns),
      tools,
      toolChoice: choice,
      ...generation,
      parallelToolCalls: tools.length === 0 ? null : generation.parallelToolCalls,
      stopSequences: [],
      attribution: decodeUserName(body),
      ...omittedSettings(body, omitsTools),
      source,
    },
    echo: {
      accountId: terms.accountId,
      declarations: declarationsOf(offered),
      showsReasoning,
      parameters: { tool_choice: toolChoice, ...echo },
      previousResponseId,
    },
    ownItems: items.own,
  };
}

/** What a request is decoded with; `seal` is `null` if reasoning is never sealed. */
interface RequestTerms {
  readonly source: RequestSource | null;
  readonly terms?: DecodeTerms | undefined;
  readonly seal: ReasoningSeal | null;
}

/** Decodes a responses request; ignores unknown fields and item types. Throws `GatewayError` with the field as `param`. */
export function decodeRequest(body: unknown, terms: RequestTerms): DecodedRequest<ResponsesEcho> {
  const fields = decodeBody(body);
  const { generation, echo, ownItems } = decodeBodyFields(fields, terms);
  const delivery = (optional(fields, 'stream', decodeBoolean) ?? false) ? 'stream' : 'whole';
  const wantsKeeping = optional(fields, 'store', decodeBoolean) ?? true;
  const inputItems = wantsKeeping && terms.terms?.keepsReplies === true ? itemsToKeep(ownItems, fields, terms.source) : null;
  return { generation, delivery, includeUsage: true, outputField: OUTPUT_FIELD, echo: { ...echo, inputItems, keptBody: null } };
}

/** Decodes a request to count tokens, which has the form of a responses request. */
export function decodeTokenCount(body: unknown, terms: RequestTerms): GenerationRequest {
  return decodeBodyFields(decodeBody(body), terms).generation;
}

export function encodeTokenCount(inputTokens: TokenCount): JsonObject {
  return { object: 'response.input_tokens', input_tokens: inputTokens };
}

const PROMPT_WORDS = { field: 'input', verb: 'has', noun: 'input', pronoun: 'it' } as const;

export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  return describePromptOverflow(overflow, PROMPT_WORDS, outputField);
}
