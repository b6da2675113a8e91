import type { JsonObject } from '@tollgate/core';

/** The model that the agent requests; an alias at the gateway. */
export const AGENT_MODEL = 'claude-opus-4-7';

export const AGENT_PATH = '/v1/messages?beta=true';

/** Has the same length as the user ids that agents send. */
export const AGENT_USER_ID = JSON.stringify({
  device_id: '6f1c'.repeat(16), account_uuid: '', session_id: '0b5a3c1e-7d52-4a0b-9a77-3f3f0c4b8d10',
});

export function agentHeaders(key: string): Readonly<Record<string, string>> {
  return {
    'authorization': `Bearer ${key}`,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': [
      'claude-code-20250219', 'interleaved-thinking-2025-05-14', 'context-management-2025-06-27', 'mid-conversation-tool-changes-2026-07-01',
      'thinking-token-count-2026-05-13', 'advanced-tool-use-2025-11-20', 'effort-2025-11-24',
    ].join(','),
    'anthropic-dangerous-direct-browser-access': 'true',
    'user-agent': 'agent-cli/2.1 (external, cli)',
    'x-app': 'cli',
    'x-stainless-retry-count': '0',
  };
}

const CACHED = { cache_control: { type: 'ephemeral' } };

export const READ_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { file_path: { type: 'string', description: 'Where it is' }, limit: { type: 'number', exclusiveMinimum: 0 } },
  required: ['file_path'],
  additionalProperties: false,
};

const TOOLS: readonly JsonObject[] = [
  { name: 'Read', description: 'Reads a file.', input_schema: READ_SCHEMA },
  { type: 'custom', name: 'Notebook', description: 'Edits a notebook.', input_schema: { type: 'object', properties: {} }, defer_loading: true, ...CACHED },
  // Tools that run on the vendor's servers.
  { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
];

/** The user's text, followed by the agent's instructions. */
export const FIRST_TURNS: readonly JsonObject[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: '<system-reminder>\nThe working folder is a repository.\n</system-reminder>' },
      { type: 'text', text: 'Make the test pass.', ...CACHED },
    ],
  },
  { role: 'system', content: 'Plan mode is off.' },
];

export function agentRequest(messages: readonly JsonObject[], fields: JsonObject = {}): JsonObject {
  return {
    model: AGENT_MODEL,
    max_tokens: 32_000,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.329.5a1; cc_entrypoint=cli;' },
      { type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 'Be brief.', ...CACHED },
    ],
    messages,
    tools: TOOLS,
    thinking: { type: 'adaptive', display: 'omitted' },
    output_config: { effort: 'high' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    metadata: { user_id: AGENT_USER_ID },
    stream: true,
    ...fields,
  };
}
