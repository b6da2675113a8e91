import type { JsonObject } from '@tollgate/core';
import { OFFERED_TOOLS, type Scenario } from './scenarios.js';

export const PROMPT = 'What is to be said?';
export const MAX_TOKENS = 2000;

export const CHAT_TOOLS = OFFERED_TOOLS.map(({ name, description, schema }) => ({ type: 'function' as const, function: { name, description, parameters: schema } }));

export const RESPONSES_TOOLS = OFFERED_TOOLS.map(({ name, description, schema }) => ({ type: 'function' as const, name, description, parameters: schema, strict: false }));

export const MESSAGES_TOOLS = OFFERED_TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema }));

/** Fields of a chat request other than the conversation. */
export function chatExtras(scenario: Scenario): JsonObject {
  return {
    ...(scenario.offersTools ? { tools: CHAT_TOOLS } : {}),
    ...(scenario.asksForJson ? { response_format: { type: 'json_object' } } : {}),
    ...(scenario.asksForReasoning ? { reasoning_effort: 'high' } : {}),
  };
}

export function responsesExtras(scenario: Scenario) {
  return {
    ...(scenario.offersTools ? { tools: RESPONSES_TOOLS } : {}),
    ...(scenario.asksForJson ? { text: { format: { type: 'json_object' as const } } } : {}),
    ...(scenario.asksForReasoning ? { reasoning: { effort: 'high' as const, summary: 'auto' as const } } : {}),
  };
}

/** The messages format cannot ask for JSON. */
export function messagesExtras(scenario: Scenario): JsonObject {
  return {
    ...(scenario.offersTools ? { tools: MESSAGES_TOOLS } : {}),
    ...(scenario.asksForReasoning ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
  };
}
