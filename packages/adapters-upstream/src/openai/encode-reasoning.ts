import type { JsonObject, OpenaiOptions, ProviderCall, Reasoning } from '@tollgate/core';
import { asObject } from '../reply/json-values.js';

type Chosen = Exclude<Reasoning, 'model-default'>;

/** Fields of the style `effort`. `on` needs none, because servers reason by default. `max` is sent as `high`: only DeepSeek has `max`. */
const EFFORTS: Readonly<Record<Chosen, JsonObject>> = {
  off: { reasoning_effort: 'none' },
  on: {},
  low: { reasoning_effort: 'low' },
  high: { reasoning_effort: 'high' },
  max: { reasoning_effort: 'high' },
};

const THINKING: Readonly<Record<Chosen, JsonObject>> = {
  off: { thinking: { type: 'disabled' } },
  on: { thinking: { type: 'enabled' } },
  low: { thinking: { type: 'enabled' }, reasoning_effort: 'low' },
  high: { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
  max: { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
};

/** The reasoning fields; empty for models without reasoning. */
export function encodeReasoning({ model }: ProviderCall, reasoning: Reasoning, { reasoningStyle: style, extraBody }: OpenaiOptions): JsonObject {
  if (!model.reasoning || reasoning === 'model-default' || style === 'none') return {};
  if (style === 'off-only') return reasoning === 'off' ? EFFORTS.off : {};
  if (style === 'effort') return EFFORTS[reasoning];
  if (style === 'thinking') return THINKING[reasoning];
  // Both names are sent: templates use one or the other, and ignore unknown ones.
  const enabled = reasoning !== 'off';
  // The operator's other template variables stay.
  return { chat_template_kwargs: { ...asObject(extraBody?.['chat_template_kwargs']), enable_thinking: enabled, thinking: enabled } };
}
