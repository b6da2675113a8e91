import type { JsonObject, StoredResponse } from '@tollgate/core';
import { RESPONSE_ID_PREFIX } from './item-ids.js';

/** Prefixes of the ids that items without an id get, by type. */
const ID_PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_', reasoning: 'rs_', function_call: 'fc_', function_call_output: 'fco_', custom_tool_call: 'ctc_', custom_tool_call_output: 'ctco_',
};

/** The item's content as a list of parts; plain text becomes one part. */
function contentOf({ role, content }: JsonObject): object {
  return typeof content === 'string' ? { content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content }] } : {};
}

/**
 * Input items of a stored response, without those of responses that it continues, in the form of the API reference: with type, id and status. An item
 * without an id, or with the id of an earlier item, gets a stable id by its position: with duplicate ids, a client that paginates would never reach
 * the end. Requests cannot refer to such an id.
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
