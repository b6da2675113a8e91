import type { Reasoning } from '@tollgate/core';
import type { Decoder } from './decoder.js';
import { optional, decodeObject, required } from './decode-fields.js';
import { decodeNumber, decodeOneOf } from './decode-values.js';

/** The efforts of the wire and the three that models tell apart. */
const EFFORTS: ReadonlyMap<string, Reasoning> = new Map<string, Reasoning>([
  ['none', 'off'], ['minimal', 'low'], ['low', 'low'],
  ['medium', 'high'], ['high', 'high'], ['xhigh', 'high'], ['max', 'max'],
]);
const THINKING_TYPES: ReadonlyMap<string, 'on' | 'off'> = new Map([['enabled', 'on'], ['adaptive', 'on'], ['disabled', 'off']]);

export const decodeEffort: Decoder<Reasoning> = decodeOneOf(EFFORTS);

const decodeThinkingType = decodeOneOf(THINKING_TYPES);

/** The `thinking` object of either format. Its budget is checked and left out: the model's own limits apply. */
export const decodeThinking: Decoder<'on' | 'off'> = (value, within, key) => {
  const fields = decodeObject(value, within, key);
  optional(fields, 'budget_tokens', decodeNumber);
  return required(fields, 'type', decodeThinkingType);
};

/** What `thinking` and an effort ask for together: switched off wins, then the effort says how much. */
export function reasoningOf(thinking: 'on' | 'off' | null, effort: Reasoning | null): Reasoning {
  if (thinking === 'off') return 'off';
  return effort ?? thinking ?? 'model-default';
}
