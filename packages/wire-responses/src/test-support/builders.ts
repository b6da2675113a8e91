import {
  type AccountId, type CompletedGeneration, DEFAULT_REQUEST_LIMITS, type DecodedRequest, type EncodeContext, type GenerationEvent, instant, type JsonObject,
  type ReasoningSeal, type RequestId, type StoredResponse, type ToolDeclaration, type Turn,
} from '@tollgate/core';
import { JsonParser, type ParsedJson } from '@tollgate/json-text';
import { eventsOf } from '@tollgate/testkit';
import { DEFAULT_ITEMS, DOCUMENT_FIELDS, INPUT_FIELD, MESSAGES_FIELD, RECURRING_FIELD } from '@tollgate/wire-kit';
import { decodeRequest, type ResponsesEcho } from '../decode-request.js';
import { encodeResponse, type EncoderPorts } from '../encode-response.js';
import { ResponsesStreamEncoder } from '../stream-encoder.js';

export const ALICE = 'acct_alice' as AccountId;

type Decoded = DecodedRequest<ResponsesEcho> & { readonly echo: ResponsesEcho };

/** A seal that opens texts of the form `<account>|<text>`. */
export const PLAIN_SEAL: ReasoningSeal = {
  seal: (accountId, text) => `${accountId}|${text}`,
  open: (accountId, sealed) => (sealed.startsWith(`${accountId}|`) ? sealed.slice(accountId.length + 1) : null),
};

/** A stored response with one user and one assistant message. */
export function aStoredResponse(id: string, differences: Partial<StoredResponse> = {}): StoredResponse {
  const tail = id.slice('resp_'.length);
  return {
    id,
    previousId: null,
    inputItems: JSON.stringify([{ type: 'message', role: 'user', content: `Question ${tail}` }]),
    outputItems: JSON.stringify([
      { id: `rs_${tail}_0`, type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: `Thought ${tail}` }] },
      { id: `msg_${tail}_1`, type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `Answer ${tail}`, annotations: [] }] },
    ]),
    body: '{}',
    ...differences,
  };
}

/** Decodes a body as the account `acct_alice`, with these stored responses. */
export function decode(body: unknown, ...stored: readonly StoredResponse[]): Decoded {
  return decodeParsed({ value: body, source: null }, stored);
}

const parser = new JsonParser({
  maximumDepth: 64,
  maximumKeys: 32_768,
  maximumItems: 131_072,
  exactFields: DOCUMENT_FIELDS,
  exactDepth: 4,
  copiedList: { field: MESSAGES_FIELD, maximumMembers: DEFAULT_ITEMS },
  cachedField: RECURRING_FIELD,
  writtenList: { field: INPUT_FIELD, maximumMembers: DEFAULT_ITEMS },
});

/** Parses the body as the gateway does. */
export function decodeText(body: string, ...stored: readonly StoredResponse[]): Decoded {
  return decodeParsed(parser.parse(new TextEncoder().encode(body)), stored);
}

/** The items to store; `null` if the response is not stored. */
export function keptInputOf({ echo: { inputItems } }: Decoded): string | null {
  return inputItems === null ? null : new TextDecoder().decode(inputItems);
}

function decodeParsed({ value, source }: ParsedJson, stored: readonly StoredResponse[]): Decoded {
  const terms = { limits: DEFAULT_REQUEST_LIMITS, accountId: ALICE, stored: new Map(stored.map((response) => [response.id, response])), exceedsStored: false, keepsReplies: true };
  const decoded = decodeRequest(value, { source, terms, seal: PLAIN_SEAL });
  if (decoded.echo === undefined) throw new Error('the responses request has no echo');
  return { ...decoded, echo: decoded.echo };
}

/** A minimal request with these changes. */
export function aResponsesRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', input: 'Hi', ...differences };
}

export function turnsOf(...input: readonly JsonObject[]): readonly Turn[] {
  return decode(aResponsesRequest({ input })).generation.conversation.turns;
}

export const DEFAULT_PARAMETERS = {
  tool_choice: 'auto',
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  reasoning: { effort: null, summary: null },
  max_output_tokens: null,
  metadata: {},
  prompt_cache_key: null,
} as const;

export function aDeclaration(differences: Partial<ToolDeclaration> = {}): ToolDeclaration {
  return { kind: 'function', name: 'look', namespace: null, inputFormat: null, ...differences };
}

/** The echo of a minimal request of `acct_alice` with `store: false`. */
export function anEcho(differences: Partial<ResponsesEcho> = {}): ResponsesEcho {
  return {
    accountId: ALICE,
    declarations: new Map(),
    showsReasoning: true,
    parameters: DEFAULT_PARAMETERS,
    previousResponseId: null,
    inputItems: null,
    keptBody: null,
    ...differences,
  };
}

/** The context of reply `resp_1` to request `req_1`, at Unix time 1,700,000,000. */
export function aContext(echo: Partial<ResponsesEcho> = {}): EncodeContext {
  return { responseId: 'resp_1', createdAt: instant(1_700_000_000_999), requestId: 'req_1' as RequestId, includeUsage: true, echo: anEcho(echo) };
}

/** A seal whose texts are readable in tests: account and text, escaped. */
export const READABLE_SEAL: ReasoningSeal = {
  seal: (accountId, text) => `${accountId}.${encodeURIComponent(text)}`,
  open: (accountId, sealed) => (sealed.startsWith(`${accountId}.`) ? decodeURIComponent(sealed.slice(accountId.length + 1)) : null),
};

/** Reasoning sealed by `READABLE_SEAL`, for `acct_alice` and `upstream-model`. */
export function sealedReasoning(text: string, signature: string | null): string {
  return READABLE_SEAL.seal(ALICE, JSON.stringify({ model: 'upstream-model', text, signature }));
}

/** Ports with a readable seal, and a clock at Unix time 1,700,000,010. */
export const PORTS: EncoderPorts = { seal: READABLE_SEAL, clock: { now: () => instant(1_700_000_010_999) } };

export const byWord = (text: string) => text.split(/(?<= )/);

export function anEncoder(context: EncodeContext = aContext(), ports: EncoderPorts = PORTS): ResponsesStreamEncoder {
  return new ResponsesStreamEncoder(context, ports);
}

export function streamOf(generation: CompletedGeneration, context?: EncodeContext, ports?: EncoderPorts): string {
  return anEncoder(context, ports).encode(eventsOf(generation, byWord));
}

/** The events of a generation up to the end of its last block. */
export function eventsBeforeEnd(generation: CompletedGeneration): readonly GenerationEvent[] {
  return eventsOf(generation, byWord).slice(0, -1);
}

export function replyOf(generation: CompletedGeneration, context: EncodeContext = aContext(), ports: EncoderPorts = PORTS): Readonly<Record<string, unknown>> {
  return JSON.parse(encodeResponse(generation, context, ports)) as Readonly<Record<string, unknown>>;
}
