import type { JsonObject } from '@tollgate/core';
import type { RecordedRequest } from '@tollgate/testkit';
import { memberOf, textAt } from './client.js';

/** Lines that describe a conversation, one for each text, call and result. They are the same for every kind of upstream. */
export function conversationOf({ body }: RecordedRequest): readonly string[] {
  if ('input' in body) return listAt(body, 'input').flatMap(linesOf);
  return (body['messages'] as readonly JsonObject[]).flatMap((message) => [
    ...('reasoning_content' in message ? [`reasoning: ${textAt(message, 'reasoning_content')}`] : []),
    ...blocksOf(message).flatMap((block) => lineOf(textAt(message, 'role'), message, block)),
    ...listAt(message, 'tool_calls').map((call) => `call: ${textAt(call, 'function', 'name')} ${textAt(call, 'function', 'arguments')}`),
  ]);
}

function listAt(value: unknown, ...path: readonly (string | number)[]): readonly JsonObject[] {
  const found = memberOf(value, ...path);
  return Array.isArray(found) ? found as readonly JsonObject[] : [];
}

function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content as readonly JsonObject[] : [];
}

function lineOf(role: string, message: JsonObject, block: JsonObject): readonly string[] {
  switch (textAt(block, 'type')) {
    case 'thinking':
      return [`reasoning: ${textAt(block, 'thinking')}`];
    case 'tool_use':
      return [`call: ${textAt(block, 'name')} ${JSON.stringify(block['input'])}`];
    case 'tool_result':
      return [`result: ${textAt(block, 'content') || listAt(block, 'content').map((part) => textAt(part, 'text')).join('')}`];
    default:
      return [`${role === 'tool' ? 'result' : role}: ${textAt(block, 'text')}`];
  }
}

function linesOf(item: JsonObject): readonly string[] {
  switch (textAt(item, 'type')) {
    case 'reasoning':
      return [`reasoning: ${listAt(item, 'summary').map((part) => textAt(part, 'text')).join('')}`];
    case 'function_call':
      return [`call: ${textAt(item, 'name')} ${textAt(item, 'arguments')}`];
    case 'function_call_output':
      return [`result: ${textAt(item, 'output')}`];
    default:
      return listAt(item, 'content').map((part) => `${textAt(item, 'role')}: ${textAt(part, 'text')}`);
  }
}
