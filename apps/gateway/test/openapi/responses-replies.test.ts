import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import type { JsonObject } from '@tollgate/core';
import { checkResponsesStream, replies } from '@tollgate/testkit';
import { RESPONSES } from '../acceptance/support/formats.js';
import { responsesExtras } from '../clients/support/requests.js';
import { SCENARIOS } from '../clients/support/scenarios.js';
import { UPSTREAM_KINDS } from '../clients/support/upstream-kinds.js';
import { WireWorld } from '../clients/support/wire-world.js';
import { RESPONSE, RESPONSE_EVENTS } from './responses-schemas.js';

const ajv = new Ajv({ allErrors: true, discriminator: true });
const whole = ajv.compile(RESPONSE);
const event = ajv.compile({ type: 'object', required: ['type'], discriminator: { propertyName: 'type' }, oneOf: RESPONSE_EVENTS });

/** Violations of the schema, each with its path. */
function faultsOf(validate: typeof whole, value: unknown): readonly string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`);
}

const EVERY_TOOL = 'every kind of tool';
const SCHEMA = { type: 'object', properties: {} };
const TOOLS = [
  { type: 'function', name: 'look', parameters: SCHEMA }, { type: 'custom', name: 'patch' }, { type: 'namespace', name: 'clock', tools: [{ type: 'function', name: 'wait', parameters: SCHEMA }] },
  { type: 'tool_search', execution: 'client', description: 'Finds.', parameters: SCHEMA },
];
const CALLS = [
  { id: 'c1', name: 'look', arguments: '{"a":1}' }, { id: 'c2', name: 'patch', arguments: ['{"input":"*** ', 'Begin"}'] }, { id: 'c3', name: 'clock__wait', arguments: '' },
  { id: 'c4', name: 'tool_search', arguments: '{"query":"tides"}' },
];
const REQUESTS: readonly (readonly [name: string, fields: JsonObject])[] = [
  // A reply that fails before the first piece is an error, not a stream.
  ...SCENARIOS.filter(({ breaksAfterPieces }) => breaksAfterPieces !== 0).map((scenario) => [scenario.name, responsesExtras(scenario) as JsonObject] as const),
  [EVERY_TOOL, {
    tools: TOOLS, parallel_tool_calls: false, tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'custom', name: 'patch' }] },
    reasoning: { effort: 'high', summary: null }, text: { format: { type: 'json_schema', name: 'a', schema: SCHEMA }, verbosity: 'low' },
    metadata: { a: 'b' }, prompt_cache_key: 'c', store: false, temperature: 0.5, top_p: 0.5,
  }],
  ['cut off', {}],
];

describe.each(UPSTREAM_KINDS)('over an upstream of the kind $kind,', ({ definition, behaviour }) => {
  let world: WireWorld;

  beforeAll(async () => {
    world = await WireWorld.start({ models: REQUESTS.map(([name]) => name), definition });
    for (const scenario of SCENARIOS) world.upstream.always(scenario.name, behaviour(scenario));
    world.upstream.always(EVERY_TOOL, replies({ reasoning: 'Hm.', text: 'All.', toolCalls: CALLS }));
    world.upstream.always('cut off', replies({ text: 'Hel', finishReason: 'length' }));
  });

  afterAll(() => world.close());

  const ask = (name: string, fields: JsonObject): Promise<Response> => world.gateway.post(RESPONSES.path, RESPONSES.body(name, 'Go on.', fields));

  it.each(REQUESTS)('every event of %s fits the public schema', async (name, fields) => {
    const { events } = checkResponsesStream(await (await ask(name, { ...fields, stream: true })).text());
    expect(events.flatMap((sent) => faultsOf(event, sent))).toEqual([]);
    expect(events.length).toBeGreaterThan(4);
  });

  it.each(REQUESTS.filter(([name]) => name !== 'error mid-stream'))('the whole reply of %s fits the public schema', async (name, fields) => {
    expect(faultsOf(whole, await (await ask(name, fields)).json())).toEqual([]);
  });

  it.each(['id', 'object', 'created_at', 'model', 'output', 'error', 'incomplete_details', 'instructions', 'metadata', 'parallel_tool_calls', 'temperature', 'tool_choice', 'tools', 'top_p'])(
    'the schema detects that a whole reply lacks %s', async (name) => {
      const { [name]: _, ...rest } = (await (await ask('text', {})).json()) as JsonObject;
      expect(faultsOf(whole, rest)).toHaveLength(1);
    },
  );
});
