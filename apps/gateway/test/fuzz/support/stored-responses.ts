import type { StoredResponse } from '@tollgate/core';
import type { FuzzedRequest } from './fuzzed-request.js';

const FIRST = 'resp_fuzzfirst';
const SECOND = 'resp_fuzzsecond';

/** A stored response, and one that continues it. */
export const STORED_RESPONSES: readonly StoredResponse[] = [
  {
    id: FIRST,
    previousId: null,
    inputItems: '[{"role":"user","content":"What is the weather in Turin?"}]',
    outputItems: JSON.stringify([
      { id: 'rs_fuzzfirst_0', type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'I had better look.' }], encrypted_content: 'v1.k.n.c' },
      { id: 'msg_fuzzfirst_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Let me see.', annotations: [], logprobs: [] }] },
      { id: 'fc_fuzzfirst_2', type: 'function_call', status: 'completed', call_id: 'call_f', name: 'weather', arguments: '{"city":"Turin"}' },
    ]),
    body: '{"id":"resp_fuzzfirst","object":"response"}',
  },
  {
    id: SECOND,
    previousId: FIRST,
    inputItems: '[{"type":"function_call_output","call_id":"call_f","output":"Rain"}]',
    outputItems: JSON.stringify([
      { id: 'msg_fuzzsecond_0', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Rain.', annotations: [], logprobs: [] }] },
      { id: 'ctc_fuzzsecond_1', type: 'custom_tool_call', status: 'completed', call_id: 'call_g', name: 'apply_patch', input: '*** Begin Patch' },
    ]),
    body: '{"id":"resp_fuzzsecond","object":"response"}',
  },
];

export function refersToStored({ target, body }: FuzzedRequest): boolean {
  return target.includes('_fuzz') || body.includes('_fuzz');
}
