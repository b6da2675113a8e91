import type { JsonObject } from '@tollgate/core';

/** The least a chat request must say, with differences. */
export function aChatRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', messages: [{ role: 'user', content: 'Hi' }], ...differences };
}

/** A chat request that uses every field the service reads. */
export const FULL_CHAT_REQUEST: JsonObject = {
  model: 'test-model',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
        { type: 'image_url', image_url: 'data:image/png;base64,AAAA' },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'Let me look.' }, { type: 'refusal', refusal: 'Not that.' }],
      reasoning_content: 'Hm.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":"a"}' } },
        { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{"at":"b"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' },
    { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'A dog.' }] },
    { role: 'user', content: 'Which?' },
  ],
  max_tokens: 100,
  max_completion_tokens: 200,
  temperature: 0.5,
  top_p: 0.9,
  frequency_penalty: -1,
  presence_penalty: 1,
  stop: ['END', 'STOP'],
  stream: true,
  stream_options: { include_usage: false },
  response_format: { type: 'json_object' },
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } } }],
  tool_choice: { type: 'function', function: { name: 'look' } },
  parallel_tool_calls: true,
  reasoning_effort: 'low',
  thinking: { type: 'enabled', budget_tokens: 100 },
  user: 'user-1',
  n: 1,
};
