import type { JsonObject } from '@tollgate/core';

/** The least a messages request must say, with differences. */
export function aMessagesRequest(differences: JsonObject = {}): JsonObject {
  return { model: 'test-model', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...differences };
}

/** A messages request that uses every field the service reads. */
export const FULL_MESSAGES_REQUEST: JsonObject = {
  model: 'test-model',
  max_tokens: 100,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: v=1' },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
  ],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?', cache_control: { type: 'ephemeral' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      ],
    },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A cat.', is_error: false },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          is_error: true,
          content: [{ type: 'text', text: 'Broken.' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
        },
        { type: 'text', text: 'Which?' },
      ],
    },
  ],
  temperature: 0.5,
  top_p: 0.9,
  top_k: 40,
  stop_sequences: ['END', 'STOP'],
  stream: true,
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: { at: { type: 'string' } } }, type: 'custom' }],
  tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  output_config: { effort: 'max' },
  metadata: { user_id: 'user-1' },
};
