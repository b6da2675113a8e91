import type { JsonObject, StoredResponse } from '@tollgate/core';
import { RESPONSE_ID_PREFIX } from './item-ids.js';

/** Of items that clients send without an id. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_', reasoning: 'rs_', function_call: 'fc_', function_call_output: 'fco_', custom_tool_call: 'ctc_', custom_tool_call_output: 'ctco_',
};

/** Content parts, where the item has a text in their place. */
function contentOf({ role, content }: JsonObject): object {
  return typeof content === 'string' ? { content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content }] } : {};
}

/**
 * The request's own items of a stored response, as the format's reference lists them: each with a type, an id and a status. An item without an id
 * gets one by its place, so that it is the same at every reading; no request can refer to it. So does one with the id of an item before it: with two
 * of the same id, a client that asks for what comes after it would never come to the end.
 */
export function listedInputItems({ id: responseId, inputItems }: StoredResponse): readonly (JsonObject & { readonly id: string })[] {
  const known = new Set<string>();
  return (JSON.parse(inputItems) as readonly JsonObject[]).map((item, index) => {
    const type = typeof item['type'] === 'string' ? item['type'] : 'message';
    const prefix = Object.hasOwn(ID_PREFIXES, type) ? ID_PREFIXES[type] : 'item_';
    const own = typeof item['id'] === 'string' && item['id'] !== '' && !known.has(item['id']) ? item['id'] : null;
    const id = own ?? `${prefix}${responseId.slice(RESPONSE_ID_PREFIX.length)}_i${index}`;
    known.add(id);
    return { status: 'completed', ...item, ...(type === 'message' ? contentOf(item) : {}), type, id };
  });
}
