import type { AnthropicOptions, Conversation, JsonObject, ProviderCall, Reasoning, ThinkingStyle, TokenCount } from '@tollgate/core';
import { printerFor } from '@tollgate/json-text';
import { isSentThinking, type TurnTerms } from './encode-turns.js';

const UNSAID: EncodedThinking = { thinking: null, outputConfig: {}, state: 'off' };
const DISABLED: EncodedThinking = { thinking: { type: 'disabled' }, outputConfig: {}, state: 'off' };

/** Thinking budgets in tokens, for the style `budget`. `on` needs one too, since this style cannot leave the amount to the model. */
const BUDGETS: Readonly<Record<Amount, number>> = { low: 2_048, on: 8_192, high: 16_384, max: 32_768 };
/** The smallest budget that the format accepts. */
const SMALLEST_BUDGET = 1_024;
/** Maximum share of the output limit that thinking may use; the rest is for the answer. */
const MAX_SHARE_OF_OUTPUT = 3 / 4;

/** Encodes the thinking fields; thinking is disabled where the server would refuse it. */
export function encodeThinking(call: ProviderCall, { reasoning, style, turns }: ThinkingTerms): EncodedThinking {
  if (!saysThinking(call, reasoning, style)) return UNSAID;
  if (reasoning === 'off' || forcesToolCall(call)) return DISABLED;
  if (style === 'adaptive') return adaptive(reasoning);
  const budget = budgetWithin(call.maxOutputTokens, reasoning);
  if (budget < SMALLEST_BUDGET || lacksItsThinking(call.request.conversation, turns)) return DISABLED;
  return { thinking: { type: 'enabled', budget_tokens: budget }, outputConfig: {}, state: 'on' };
}

function adaptive(amount: Amount): EncodedThinking {
  return { thinking: { type: 'adaptive' }, outputConfig: amount === 'on' ? {} : { effort: amount }, state: 'on' };
}

function budgetWithin(maxOutputTokens: TokenCount, amount: Amount): number {
  return Math.min(BUDGETS[amount], Math.floor(maxOutputTokens * MAX_SHARE_OF_OUTPUT));
}

/** True if the request forces a tool call, with which servers refuse thinking. */
function forcesToolCall({ request: { toolChoice, tools } }: ProviderCall): boolean {
  return tools.length > 0 && (toolChoice?.kind === 'any' || toolChoice?.kind === 'tool');
}

/**
 * True if the latest model turn has calls, but no thinking that is sent. Servers with budgets require thinking before calls, and clients of the chat
 * format cannot send it.
 */
function lacksItsThinking({ turns }: Conversation, terms: TurnTerms): boolean {
  const last = turns.findLast((turn) => turn.role === 'assistant');
  if (last === undefined || !last.content.some((block) => block.type === 'tool-call')) return false;
  return !last.content.some((block) => block.type === 'thinking' && isSentThinking(block, terms));
}

export function turnTermsOf({ model, request }: ProviderCall, { reasoningReplay, systemTurns, cacheControl }: AnthropicOptions): TurnTerms {
  return { caching: cacheControl, thinking: model.reasoning ? reasoningReplay : 'omitted', systemTurns, texts: printerFor(request.source).texts };
}

export interface ThinkingTerms {
  readonly reasoning: Reasoning;
  readonly style: ThinkingStyle;
  readonly turns: TurnTerms;
}

export interface EncodedThinking {
  /** Value of the field `thinking`; `null` omits the field. */
  readonly thinking: JsonObject | null;
  readonly outputConfig: JsonObject;
  /** `on` if the request asks for thinking, which constrains other fields. */
  readonly state: 'on' | 'off';
}

export type Amount = Exclude<Reasoning, 'model-default' | 'off'>;

/** True if the request contains a field about thinking. */
export function saysThinking({ model }: ProviderCall, reasoning: Reasoning, style: ThinkingStyle): reasoning is Amount | 'off' {
  if (!model.reasoning || style === 'none' || reasoning === 'model-default') return false;
  return style !== 'off-only' || reasoning === 'off';
}
