import type { JsonObject, JsonValue, StopReason } from '@tollgate/core';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { refuseError } from './error-replies.js';
import { asObject, asText } from './json-values.js';

/** What the word for the end of a reply means; `failed`: the server broke the reply off. */
export type FinishMeaning = StopReason | 'failed';

/**
 * The words that servers of every kind end their replies with: in lower case, with `_` between their parts.
 * Many servers put words of another vendor into their own format, so each kind of upstream understands all of them.
 */
export const FINISH_WORDS: Readonly<Record<FinishMeaning, readonly string[]>> = {
  // After `pause_turn` the server would go on if it were asked again, which a client of the gateway can do.
  'end': ['stop', 'end_turn', 'stop_sequence', 'pause_turn', 'completed', 'complete', 'eos', 'eos_token'],
  'tool-call': ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  // `incomplete` without a reason is a reply that was cut off.
  'max-tokens': ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'token_limit', 'model_context_window_exceeded', 'error_limit', 'incomplete'],
  'content-filter': [
    'content_filter', 'content_filtered', 'safety', 'image_safety', 'recitation', 'refusal', 'blocklist', 'prohibited_content', 'spii', 'sensitive',
    'guardrail_intervened', 'error_toxic',
  ],
  'capacity': ['insufficient_system_resource'],
  // vLLM and SGLang say `abort` of a generation that the server itself gave up.
  'failed': [
    'error', 'server_error', 'network_error', 'timeout', 'failed', 'cancelled', 'canceled', 'abort', 'aborted', 'malformed_function_call',
    'malformed_tool_use', 'malformed_model_output', 'unexpected_tool_call', 'too_many_tool_calls', 'function_call_filter',
  ],
};

const MEANINGS: ReadonlyMap<string, FinishMeaning> = new Map(
  (Object.entries(FINISH_WORDS) as readonly (readonly [FinishMeaning, readonly string[]])[]).flatMap(([meaning, words]) => words.map((word) => [word, meaning] as const)),
);

const BETWEEN_PARTS = /[\s-]+/g;
/** Some servers send it with every chunk before the last. */
const NO_WORD = new Set(['', 'null']);
const MAX_WORD_CHARACTERS = 64;

/** The word that a reply states as its end; `null` while it states none. SGLang's own format has an object with a `type`. */
function finishWordIn(value: JsonValue | undefined): string | null {
  const word = (asText(value) ?? asText(asObject(value)?.['type']) ?? '').trim();
  return NO_WORD.has(word.toLowerCase()) ? null : word;
}

/** `null` for an unknown word. Of a long one the beginning counts: a message may stand behind it. Google's endpoint writes a word behind another one: `content_filter: RECITATION`. */
function meaningOf(word: string): FinishMeaning | null {
  const [first = '', ...rest] = word.slice(0, MAX_WORD_CHARACTERS).toLowerCase().split(':').map((part) => part.trim().replace(BETWEEN_PARTS, '_'));
  return MEANINGS.get(first) ?? MEANINGS.get(rest.join('_')) ?? null;
}

/** How a server ended a reply that it did not break off. */
export interface Finish {
  readonly stopReason: StopReason;
  /** The word, cut to 64 characters, if it is not known; the reply counts as one that was cut off. */
  readonly unknownWord: string | null;
}

/** The end of a reply at a stop sequence of the gateway's own. */
export const STOPPED: Finish = { stopReason: 'end', unknownWord: null };

/**
 * Reads how a choice, message or response ended, whose word for it is `value`; `null` while it has not ended.
 * Throws `UpstreamFailure` for a word of failure, and where an error stands beside the word, whatever the word is.
 */
export function readFinish(value: JsonValue | undefined, beside: JsonObject | null): Finish | null {
  if (beside !== null && 'error' in beside) refuseError(beside);
  const word = finishWordIn(value);
  if (word === null) return null;
  const meaning = meaningOf(word);
  if (meaning === 'failed') throw new UpstreamFailure('server-error', 'the upstream ended its reply with a finish reason that means failure', word);
  return meaning === null ? { stopReason: 'max-tokens', unknownWord: word.slice(0, MAX_WORD_CHARACTERS) } : { stopReason: meaning, unknownWord: null };
}

/** A plain end with tool calls waits for their results, and a wait for results without calls is a plain end. */
export function stopReasonOf({ stopReason }: Finish, toolCallCount: number): StopReason {
  if (stopReason === 'end' && toolCallCount > 0) return 'tool-call';
  return stopReason === 'tool-call' && toolCallCount === 0 ? 'end' : stopReason;
}
