import {
  ChargedError, type Clock, type CompletedGeneration, type EncodeContext, type ErrorCode, type GatewayError, invariant, type JsonObject, later,
  MILLISECONDS_PER_SECOND, outputTokensOf, promptTokensOf, type ReasoningSeal, type RequestId, type Settlement, type StopReason,
  type ResponseToKeep, totalTokensOf, unixSeconds, type Usage,
} from '@tollgate/core';
import { type JsonText, printList, printObject } from '@tollgate/json-text';
import { encodeStreamReceipt, isLongWait, typeOf } from '@tollgate/wire-kit';
import type { ResponsesEcho } from './decode-request.js';
import { type ItemEnd, ItemEncoder } from './encode-items.js';

export interface EncoderPorts {
  readonly seal: ReasoningSeal | null;
  readonly clock: Pick<Clock, 'now'>;
}

/** Why a reply is incomplete; `null` if it is complete. */
export const incompleteReasons: Readonly<Record<StopReason, 'max_output_tokens' | 'content_filter' | null>> = {
  end: null,
  'max-tokens': 'max_output_tokens',
  'tool-call': null,
  'content-filter': 'content_filter',
  capacity: 'max_output_tokens',
};

export function lastItemEnd(stopReason: StopReason): ItemEnd {
  return incompleteReasons[stopReason] === null ? 'completed' : 'incomplete';
}

/** The echo of the request, which every reply of this format has. */
export function echoOf({ echo }: EncodeContext): ResponsesEcho {
  invariant(echo !== undefined, 'a reply of the responses format has the echo of its request');
  return echo as ResponsesEcho;
}

/** Usage and charge, sent in whole replies and in the last event of a stream. */
export interface Receipt {
  readonly usage: Usage;
  readonly settlement: Settlement;
  readonly fallbackUsed: boolean;
}

/** Encodes usage and charge, with every field that any client requires. */
export function encodeUsage({ usage, settlement, fallbackUsed }: Receipt): JsonObject {
  return {
    input_tokens: promptTokensOf(usage),
    input_tokens_details: { cached_tokens: usage.cachedPromptTokens, cache_write_tokens: usage.cacheCreationTokens },
    output_tokens: outputTokensOf(usage),
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: totalTokensOf(usage),
    ...encodeStreamReceipt(settlement, fallbackUsed),
  };
}

export type ReplyState =
  | { readonly status: 'in_progress'; readonly output: readonly JsonText[] }
  | { readonly status: 'ended'; readonly stopReason: StopReason; readonly output: readonly JsonText[]; readonly receipt: Receipt; readonly isKept: boolean }
  | { readonly status: 'failed'; readonly error: GatewayError };

function encodeState(state: ReplyState, completedAt: () => number): JsonObject {
  if (state.status === 'in_progress') return { status: 'in_progress', completed_at: null, error: null, incomplete_details: null };
  if (state.status === 'failed') {
    const error = { code: failureCode(state.error.code), message: state.error.message };
    return { status: 'failed', completed_at: null, error, incomplete_details: null };
  }
  const reason = incompleteReasons[state.stopReason];
  if (reason !== null) return { status: 'incomplete', completed_at: null, error: null, incomplete_details: { reason } };
  return { status: 'completed', completed_at: completedAt(), error: null, incomplete_details: null };
}

function receiptOf(state: ReplyState): Receipt | null {
  if (state.status === 'ended') return state.receipt;
  return state.status === 'failed' && state.error instanceof ChargedError ? state.error.charged : null;
}

/** Before the end of the reply, true if it is to be stored; at the end, true if it was stored. A failed reply is not stored. */
function isStored(state: ReplyState, { inputItems }: ResponsesEcho): boolean {
  return state.status === 'in_progress' ? inputItems !== null : state.status === 'ended' && state.isKept;
}

/** Encodes a reply. It does not repeat tools and instructions, which may be longer than the reply itself. */
export function encodeReply(state: ReplyState, model: string, { context, clock }: { readonly context: EncodeContext; readonly clock: EncoderPorts['clock'] }): JsonText {
  const echo = echoOf(context);
  const receipt = receiptOf(state);
  return printObject({
    id: context.responseId,
    object: 'response',
    created_at: unixSeconds(context.createdAt),
    ...encodeState(state, () => unixSeconds(clock.now())),
    model,
    output: printList(state.status === 'failed' ? [] : state.output),
    instructions: null,
    tools: [],
    ...echo.parameters,
    store: isStored(state, echo),
    background: false,
    previous_response_id: echo.previousResponseId,
    service_tier: 'default',
    truncation: 'disabled',
    access_programs: null,
    usage: receipt === null ? undefined : encodeUsage(receipt),
  });
}

function itemsOf({ blocks, stopReason, upstreamModel }: CompletedGeneration, context: EncodeContext, { seal }: EncoderPorts): readonly JsonText[] {
  return new ItemEncoder(echoOf(context), { seal, upstreamModel }).encodeAll(blocks, context.responseId, lastItemEnd(stopReason));
}

/** Encodes a whole reply; a stored one is sent as stored. */
export function encodeResponse(generation: CompletedGeneration, context: EncodeContext, ports: EncoderPorts): string {
  const { keptBody } = echoOf(context);
  if (keptBody !== null) return keptBody;
  const { stopReason, servedBy } = generation;
  return encodeReply({ status: 'ended', stopReason, output: itemsOf(generation, context, ports), receipt: generation, isKept: false }, servedBy, { context, clock: ports.clock }).text;
}

/** The reply as it is to be stored; `null` if the echo has no input items to store. */
export function keptForm(generation: CompletedGeneration, context: EncodeContext, ports: EncoderPorts): ResponseToKeep | null {
  const echo = echoOf(context);
  if (echo.inputItems === null) return null;
  const { stopReason, servedBy } = generation;
  const output = itemsOf(generation, context, ports);
  const reply = encodeReply({ status: 'ended', stopReason, output, receipt: generation, isKept: true }, servedBy, { context, clock: ports.clock });
  return {
    id: context.responseId,
    previousId: echo.previousResponseId,
    inputItems: echo.inputItems,
    outputItems: printList(output).text,
    body: reply.text,
  };
}

/** Error type at which Codex stops and shows the time of the reset. At other types, Codex sleeps until that time. */
const LASTING_REFUSAL = 'usage_limit_reached';

function typeAndReset({ code, retryAfterSeconds }: GatewayError, clock: EncoderPorts['clock']): JsonObject {
  if (!isLongWait(code)) return { type: typeOf(code) };
  if (retryAfterSeconds === null) return { type: LASTING_REFUSAL };
  return { type: LASTING_REFUSAL, resets_at: unixSeconds(later(clock.now(), Math.ceil(retryAfterSeconds) * MILLISECONDS_PER_SECOND)) };
}

/** Encodes an error's fields. `param` is present only if a field is at fault. */
export function encodeErrorFields(error: GatewayError, requestId: RequestId, clock: EncoderPorts['clock']): JsonObject {
  return {
    message: error.message,
    ...typeAndReset(error, clock),
    code: error.code,
    ...(error.param === null ? {} : { param: error.param }),
    ...(error.wireDetails === null ? {} : { details: error.wireDetails }),
    request_id: requestId,
  };
}

/** Encodes an error as the chat format does, because clients of the responses format read that form. */
export function encodeError(error: GatewayError, requestId: RequestId, clock: EncoderPorts['clock']): JsonObject {
  return { error: encodeErrorFields(error, requestId, clock) };
}

/** The value of `response.error.code`, which has only these words. */
function failureCode(code: ErrorCode): 'rate_limit_exceeded' | 'context_length_exceeded' | 'invalid_prompt' | 'server_error' {
  // The public schema lacks this code, but the vendor sends it: Codex stops and reports a full context window.
  if (code === 'context_length_exceeded') return code;
  const type = typeOf(code);
  if (type === 'rate_limit_error') return 'rate_limit_exceeded';
  return type === 'invalid_request_error' ? 'invalid_prompt' : 'server_error';
}
