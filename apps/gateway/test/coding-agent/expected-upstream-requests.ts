import type { JsonObject, UpstreamDefinition } from '@tollgate/core';
import type { ScriptedUpstream } from '@tollgate/testkit';
import { AGENT_USER_ID, READ_SCHEMA } from './agent-requests.js';

/** How an upstream of a kind must be asked what the agent asks. */
export interface ExpectedRequests {
  readonly kind: UpstreamDefinition['kind'];
  readonly definition: (upstream: ScriptedUpstream) => UpstreamDefinition;
  /** The first turns; the agent's instruction behind the first turn keeps its place, or joins that turn. */
  readonly firstMessages: readonly JsonObject[];
  /** The turns of a round of tool calls. */
  readonly round: readonly JsonObject[];
  /** All that is asked besides. */
  readonly rest: JsonObject;
  /** What the agent gets the thinking signed with: the upstream's own signature, else the gateway's. */
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
    user: AGENT_USER_ID,
    stream_options: { include_usage: true },
  },
  signature: 'dG9sbGdhdGUtdW5zaWduZWQ=',
};

const ANTHROPIC: ExpectedRequests = {
  kind: 'anthropic',
  definition: ({ baseUrl }) => ({ id: 'scripted', kind: 'anthropic', baseUrl, apiKey: 'upstream-key', options: { attribution: 'sent' } }),
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

export const KINDS = [OPENAI, ANTHROPIC] as const;
