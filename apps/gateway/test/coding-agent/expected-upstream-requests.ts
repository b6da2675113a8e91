import type { JsonObject, UpstreamDefinition } from '@tollgate/core';
import type { ScriptedUpstream } from '@tollgate/testkit';
import { AGENT_USER_ID, READ_SCHEMA } from './agent-requests.js';

/** Expected requests to one kind of upstream. */
export interface ExpectedRequests {
  readonly kind: UpstreamDefinition['kind'];
  readonly definition: (upstream: ScriptedUpstream) => UpstreamDefinition;
  readonly turnsField: 'messages' | 'input';
  readonly outputField: 'max_tokens' | 'max_output_tokens';
  /** The first turns. Depending on the upstream, the agent's later instruction keeps its place or joins a turn. */
  readonly firstMessages: readonly JsonObject[];
  readonly round: readonly JsonObject[];
  readonly rest: JsonObject;
  /** The signature that the client gets: the upstream's own, or one of the gateway, which may contain a signature by another kind of upstream. */
  readonly signature: string;
}

const NOTEBOOK_SCHEMA: JsonObject = { type: 'object', properties: {} };
const REMINDER = '<system-reminder>\nThe working folder is a repository.\n</system-reminder>';
const MIND_THE_TIME = '<system-reminder>Mind the time.</system-reminder>';
const INSTRUCTIONS = 'You are a coding agent.\n\nBe brief.';

const text = (words: string): JsonObject => ({ type: 'text', text: words });
const chatTool = (name: string, description: string, parameters: JsonObject): JsonObject => ({ type: 'function', function: { name, description, parameters } });
const chatCall = (id: string, argumentsText: string): JsonObject => ({ id, type: 'function', function: { name: 'Read', arguments: argumentsText } });

const OPENAI: ExpectedRequests = {
  kind: 'openai',
  definition: ({ baseUrl }) => ({
    id: 'scripted', kind: 'openai', baseUrl, apiKey: 'upstream-key', options: { reasoningStyle: 'thinking', attribution: 'sent' },
  }),
  turnsField: 'messages',
  outputField: 'max_tokens',
  firstMessages: [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: `${REMINDER}\n\nMake the test pass.` },
    { role: 'system', content: 'Plan mode is off.' },
  ],
  round: [
    {
      role: 'assistant',
      content: 'Let me look.',
      reasoning_content: 'The test reads a file.',
      tool_calls: [chatCall('toolu_1', '{"file_path":"a.txt"}'), chatCall('toolu_2', '{"file_path":"b.txt","limit":10}')],
    },
    { role: 'tool', tool_call_id: 'toolu_1', content: 'one\ntwo' },
    { role: 'tool', tool_call_id: 'toolu_2', content: 'Error: No such file.' },
    { role: 'user', content: MIND_THE_TIME },
  ],
  rest: {
    tools: [chatTool('Read', 'Reads a file.', READ_SCHEMA), chatTool('Notebook', 'Edits a notebook.', NOTEBOOK_SCHEMA)],
    thinking: { type: 'enabled' },
    reasoning_effort: 'high',
    user: `${AGENT_USER_ID.slice(0, 47)}_d2e7694da7da9997`,
    stream_options: { include_usage: true },
  },
  signature: 'dG9sbGdhdGUtdW5zaWduZWQ=',
};

const ANTHROPIC: ExpectedRequests = {
  kind: 'anthropic',
  definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'anthropic', baseUrl, apiKey: 'upstream-key', options: { attribution: 'sent' } }),
  turnsField: 'messages',
  outputField: 'max_tokens',
  firstMessages: [{ role: 'user', content: [text(REMINDER), text('Make the test pass.'), text('Plan mode is off.')] }],
  round: [
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'The test reads a file.', signature: 'signed-by-the-upstream' },
        text('Let me look.'),
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } },
        { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { file_path: 'b.txt', limit: 10 } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [text('one\ntwo')] },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: [text('No such file.')], is_error: true },
        text(MIND_THE_TIME),
      ],
    },
  ],
  rest: {
    system: INSTRUCTIONS,
    tools: [
      { name: 'Read', description: 'Reads a file.', input_schema: READ_SCHEMA },
      { name: 'Notebook', description: 'Edits a notebook.', input_schema: NOTEBOOK_SCHEMA },
    ],
    thinking: { type: 'enabled', budget_tokens: 16_384 },
    metadata: { user_id: AGENT_USER_ID },
  },
  signature: 'signed-by-the-upstream',
};

const item = (role: 'user' | 'developer', ...texts: readonly string[]): JsonObject => ({ type: 'message', role, content: texts.map((words) => ({ type: 'input_text', text: words })) });
const itemCall = (id: string, argumentsText: string): JsonObject => ({ type: 'function_call', call_id: id, name: 'Read', arguments: argumentsText });
const itemTool = (name: string, description: string, parameters: JsonObject): JsonObject => ({ type: 'function', name, description, parameters, strict: false });

const RESPONSES: ExpectedRequests = {
  kind: 'responses',
  definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'responses', baseUrl, apiKey: 'upstream-key', options: { attribution: 'sent' } }),
  turnsField: 'input',
  outputField: 'max_output_tokens',
  firstMessages: [item('user', REMINDER, 'Make the test pass.'), item('developer', 'Plan mode is off.')],
  round: [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'The test reads a file.' }], encrypted_content: 'signed-by-the-upstream' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
    itemCall('toolu_1', '{"file_path":"a.txt"}'),
    itemCall('toolu_2', '{"file_path":"b.txt","limit":10}'),
    { type: 'function_call_output', call_id: 'toolu_1', output: 'one\ntwo' },
    { type: 'function_call_output', call_id: 'toolu_2', output: 'Error: No such file.' },
    item('user', MIND_THE_TIME),
  ],
  rest: {
    instructions: INSTRUCTIONS,
    tools: [itemTool('Read', 'Reads a file.', READ_SCHEMA), itemTool('Notebook', 'Edits a notebook.', NOTEBOOK_SCHEMA)],
    reasoning: { effort: 'high', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    user: `${AGENT_USER_ID.slice(0, 47)}_d2e7694da7da9997`,
    store: false,
  },
  signature: 'tollgate.encrypted-reasoning.signed-by-the-upstream',
};

export const KINDS = [OPENAI, ANTHROPIC, RESPONSES] as const;
