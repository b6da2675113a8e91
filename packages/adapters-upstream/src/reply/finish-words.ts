import type { JsonObject, JsonValue, StopReason } from '@tollgate/core';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { refuseError } from './error-replies.js';
import { asObject, asText } from './json-values.js';

/** Meaning of a finish reason; `failed` if the server aborted the reply. */
export type FinishMeaning = StopReason | 'failed';

/**
 * Finish reasons of all servers, in lower case with `_`. Every kind of upstream understands all of them, because many servers use another
 * vendor's words.
 */
export const FINISH_WORDS: Readonly<Record<FinishMeaning, readonly string[]>> = {
  // `pause_turn`: the server would continue on a further request, which clients can send.
  'end': ['stop', 'end_turn', 'stop_sequence', 'pause_turn', 'completed', 'complete', 'eos', 'eos_token'],
  'tool-call': ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  // `incomplete` without a reason is a truncated reply.
  'max-tokens': ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'token_limit', 'model_context_window_exceeded', 'error_limit', 'incomplete'],
  'content-filter': [
    'content_filter', 'content_filtered', 'safety', 'image_safety', 'image_prohibited_content', 'image_recitation', 'recitation', 'refusal', 'blocklist', 'prohibited_content', 'spii', 'sensitive',
    'guardrail_intervened', 'error_toxic',
  ],
  'capacity': ['insufficient_system_resource'],
  // vLLM and SGLang use `abort` for a generation that the server gave up.
  'failed': [
    'error', 'server_error', 'network_error', 'timeout', 'failed', 'cancelled', 'canceled', 'abort', 'aborted', 'malformed_function_call',
    'malformed_tool_use', 'malformed_model_output', 'malformed_response', 'missing_thought_signature', 'unexpected_tool_call', 'too_many_tool_calls', 'function_call_filter',
  ],
};

const MEANINGS: ReadonlyMap<string, FinishMeaning> = new Map(
  (Object.entries(FINISH_WORDS) as readonly (readonly [FinishMeaning, readonly string[]])[]).flatMap(([meaning, words]) => words.map((word) => [word, meaning] as const)),
);

const BETWEEN_PARTS = /[\s-]+/g;
/** Words that state no finish reason; some servers send one with every chunk. */
const NO_WORD = new Set(['', 'null']);
const MAX_WORD_CHARACTERS = 64;

/** The finish reason; `null` if none is stated. SGLang's format has an object with a `type`. */
function finishWordIn(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  const word = (asText(value) ?? asText(asObject(value)?.['type']) ?? '').trim();
  return NO_WORD.has(word.toLowerCase()) ? null : word;
}

/**
 * The meaning of a finish reason; `null` if unknown. Only its beginning is read, because a message may follow. Google's endpoint appends a second
 * word: `content_filter: RECITATION`.
 */
function meaningOf(word: string): FinishMeaning | null {
  const [first = '', ...rest] = word.slice(0, MAX_WORD_CHARACTERS).toLowerCase().split(':').map((part) => part.trim().replace(BETWEEN_PARTS, '_'));
  return MEANINGS.get(first) ?? MEANINGS.get(rest.join('_')) ?? null;
}

export interface Finish {
  readonly stopReason: StopReason;
  /** A finish reason that the gateway does not know, cut to 64 characters; the reply then counts as truncated. */
  readonly unknownWord: string | null;
}

/** The finish of a reply that ended at a stop sequence of the gateway. */
export const STOPPED: Finish = { stopReason: 'end', unknownWord: null };

/** Reads a finish reason; `null` if the reply continues. Throws `UpstreamFailure` if the reason means failure or an error accompanies it. */
export function readFinish(value: JsonValue | undefined, beside: JsonObject | null): Finish | null {
  if (beside !== null && 'error' in beside) refuseError(beside);
  const word = finishWordIn(value);
  if (word === null) return null;
  const meaning = meaningOf(word);
  if (meaning === 'failed') throw new UpstreamFailure('server-error', 'the upstream ended its reply with a finish reason that means failure', word);
  return meaning === null ? { stopReason: 'max-tokens', unknownWord: word.slice(0, MAX_WORD_CHARACTERS) } : { stopReason: meaning, unknownWord: null };
}

/** The stop reason: `end` with tool calls becomes `tool-call`, and `tool-call` without calls becomes `end`. */
export function stopReasonOf({ stopReason }: Finish, toolCallCount: number): StopReason {
  if (stopReason === 'end' && toolCallCount > 0) return 'tool-call';
  return stopReason === 'tool-call' && toolCallCount === 0 ? 'end' : stopReason;
}
