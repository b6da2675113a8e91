import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, Output, streamText } from 'ai';
import { replies } from '@tollgate/testkit';
import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import OpenAI6 from 'openai-6';
import { zodResponsesFunction as zodResponsesFunction6, zodTextFormat as zodTextFormat6 } from 'openai-6/helpers/zod';
import { z } from 'zod';
import type { OpenaiConstructor } from './support/openai-client.js';
import { PrintedWarnings } from './support/printed-warnings.js';
import { PROMPT } from './support/requests.js';
import { UPSTREAM_KINDS } from './support/upstream-kinds.js';
import { WireWorld } from './support/wire-world.js';

const MODEL = 'model';
const CALLING_MODEL = 'calling-model';
const ANSWER = { city: 'Zürich', open: [true, null] };
const ZOD_SCHEMA = z.object({ city: z.string(), open: z.array(z.boolean().nullable()) });
const { $schema: _, ...SCHEMA } = z.toJSONSchema(ZOD_SCHEMA);

interface Access {
  readonly baseURL: string;
  readonly apiKey: string;
}

/** The types of the newest version serve for the older ones. */
const OPENAI_6 = { Openai: OpenAI6 as unknown as OpenaiConstructor, formatOf: zodTextFormat6, functionOf: zodResponsesFunction6 };
const OPENAI_7 = { Openai: OpenAI, formatOf: zodTextFormat, functionOf: zodResponsesFunction };

const WEATHER = z.object({ city: z.string(), days: z.number().nullable() });
const CALLS = [
  { id: 'call_w1', name: 'weather', arguments: ['{"city":"São ', 'Paulo","days"', ':3}'] },
  { id: 'call_w2', name: 'weather', arguments: ['{"city":"京都 \\"K\\""', ',"days":null}'] },
  { id: 'call_c1', name: 'clock', arguments: [] },
];
const PARSED_CALLS = [['call_w1', { city: 'São Paulo', days: 3 }], ['call_w2', { city: '京都 "K"', days: null }], ['call_c1', {}]];

function callsParsedBy({ Openai, functionOf }: typeof OPENAI_7, delivery: 'whole' | 'streamed') {
  return async (access: Access): Promise<unknown> => {
    const client = new Openai({ ...access, maxRetries: 0 });
    const tools = [functionOf({ name: 'weather', parameters: WEATHER }), functionOf({ name: 'clock', parameters: z.object({}) })];
    const params = { model: CALLING_MODEL, input: PROMPT, tools };
    const { output } = delivery === 'whole' ? await client.responses.parse(params) : await client.responses.stream(params).finalResponse();
    return output.flatMap((item) => (item.type === 'function_call' ? [[item.call_id, item.parsed_arguments]] : [item.type]));
  };
}

function parsedBy({ Openai, formatOf }: typeof OPENAI_7, delivery: 'whole' | 'streamed') {
  return async (access: Access): Promise<unknown> => {
    const client = new Openai({ ...access, maxRetries: 0 });
    const params = { model: MODEL, input: PROMPT, text: { format: formatOf(ZOD_SCHEMA, 'answer') } };
    return (delivery === 'whole' ? await client.responses.parse(params) : await client.responses.stream(params).finalResponse()).output_parsed;
  };
}

function aiSdkOptions(access: Access) {
  return { model: createOpenAI(access)(MODEL), prompt: PROMPT, maxRetries: 0, output: Output.object({ schema: jsonSchema(SCHEMA), name: 'answer' }) };
}

const CLIENTS: readonly (readonly [name: string, ask: (access: Access) => Promise<unknown>])[] = [
  ['openai 6.49, responses.parse', parsedBy(OPENAI_6, 'whole')],
  ['openai 6.49, responses.stream', parsedBy(OPENAI_6, 'streamed')],
  ['openai 7.59, responses.parse', parsedBy(OPENAI_7, 'whole')],
  ['openai 7.59, responses.stream', parsedBy(OPENAI_7, 'streamed')],
  ['the AI SDK, generateText', async (access) => (await generateText(aiSdkOptions(access))).output],
  ['the AI SDK, streamText', (access) => Promise.resolve(streamText(aiSdkOptions(access)).output)],
  ['LangChain, withStructuredOutput', ({ baseURL, apiKey }) => new ChatOpenAI({ model: MODEL, apiKey, maxRetries: 0, useResponsesApi: true, configuration: { baseURL } })
    .withStructuredOutput(SCHEMA, { name: 'answer', method: 'jsonSchema', strict: true }).invoke(PROMPT)],
];

const CALLING_CLIENTS: readonly (readonly [name: string, ask: (access: Access) => Promise<unknown>])[] = [
  ['openai 6.49, responses.parse', callsParsedBy(OPENAI_6, 'whole')],
  ['openai 6.49, responses.stream', callsParsedBy(OPENAI_6, 'streamed')],
  ['openai 7.59, responses.parse', callsParsedBy(OPENAI_7, 'whole')],
  ['openai 7.59, responses.stream', callsParsedBy(OPENAI_7, 'streamed')],
];

describe.each(UPSTREAM_KINDS)('a JSON Schema in the responses format, over an upstream of the kind $kind', ({ definition }) => {
  const printed = new PrintedWarnings();
  let world: WireWorld;

  beforeAll(async () => {
    printed.start();
    world = await WireWorld.start({ models: [MODEL, CALLING_MODEL], definition });
    const json = JSON.stringify(ANSWER);
    world.upstream.always(MODEL, replies({ text: [json.slice(0, 9), json.slice(9)] }));
    world.upstream.always(CALLING_MODEL, replies({ toolCalls: CALLS, toolCallOrder: 'interleaved' }));
  });

  afterAll(async () => {
    await world.close();
    printed.stop();
  });

  it.each(CLIENTS)('reaches the model and is parsed by %s', async (_name, ask) => {
    const before = world.upstream.requests.length;
    expect(await ask({ baseURL: `${world.url}/v1`, apiKey: world.gateway.caller.key })).toEqual(ANSWER);
    expect(world.upstream.requests.slice(before).map(({ rawBody }) => /JSON|json_object/.test(rawBody))).toEqual([true]);
    expect(await printed.take()).toEqual([]);
  });

  it.each(CALLING_CLIENTS)('of a tool is used by %s to parse the arguments of its calls', async (_name, ask) => {
    expect(await ask({ baseURL: `${world.url}/v1`, apiKey: world.gateway.caller.key })).toEqual(PARSED_CALLS);
    expect(await printed.take()).toEqual([]);
  });
});
