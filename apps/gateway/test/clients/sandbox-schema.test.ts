import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { generateObject } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../src/test-support/start-embedded-gateway.js';

const MODEL = 'sandbox-small';
const PROMPT = 'Which city, and how is the weather there?';
/** A recursive type: the first alternative contains two further sums. */
const SUM: z.ZodType = z.union([
  z.object({
    sign: z.enum(['+', '-']),
    get left() {
      return SUM;
    },
    get right() {
      return SUM;
    },
  }),
  z.number(),
]);
/** Has all that clients' schemas use: choices, formats, optional parts, numbers, lists and recursive types. */
const PLACE = z.object({
  id: z.uuid(), founded: z.iso.date(), size: z.enum(['small', 'large']).nullable(), debts: SUM,
  city: z.string(), kind: z.enum(['town', 'village']), people: z.number().int(), open: z.boolean(), mayor: z.string().nullable(), tags: z.array(z.string()),
  weather: z.union([z.object({ type: z.literal('sun'), hours: z.number() }), z.object({ type: z.literal('rain'), litres: z.number() })]),
  get parts() {
    return z.array(PLACE);
  },
});

let gateway: EmbeddedGateway;
beforeAll(async () => {
  gateway = await startEmbeddedGateway();
});
afterAll(() => gateway.close());

const access = () => ({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` });
const openai = () => new OpenAI({ ...access(), maxRetries: 0 });
const anthropic = () => new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 });
const turns = [{ role: 'user' as const, content: PROMPT }];

/** Functions that request and parse a value, by name of the client's API. */
const PARSERS: Readonly<Record<string, () => Promise<unknown>>> = {
  'chat.completions.parse of the OpenAI SDK': async () =>
    (await openai().chat.completions.parse({ model: MODEL, messages: turns, response_format: zodResponseFormat(PLACE, 'place') })).choices[0]?.message.parsed,
  'chat.completions.stream of the OpenAI SDK': async () =>
    (await openai().chat.completions.stream({ model: MODEL, messages: turns, response_format: zodResponseFormat(PLACE, 'place') }).finalChatCompletion()).choices[0]?.message.parsed,
  'responses.parse of the OpenAI SDK': async () => (await openai().responses.parse({ model: MODEL, input: PROMPT, text: { format: zodTextFormat(PLACE, 'place') } })).output_parsed,
  'responses.stream of the OpenAI SDK': async () =>
    (await openai().responses.stream({ model: MODEL, input: PROMPT, text: { format: zodTextFormat(PLACE, 'place') } }).finalResponse()).output_parsed,
  'messages.parse of the Anthropic SDK': async () =>
    (await anthropic().messages.parse({ model: MODEL, max_tokens: 1_000, messages: turns, output_config: { format: zodOutputFormat(PLACE) } })).parsed_output,
  'generateObject of the AI SDK over responses': async () => (await generateObject({ model: createOpenAI(access())(MODEL), schema: PLACE, prompt: PROMPT, maxRetries: 0 })).object,
  'generateObject of the AI SDK over chat completions': async () => (await generateObject({ model: createOpenAI(access()).chat(MODEL), schema: PLACE, prompt: PROMPT, maxRetries: 0 })).object,
  'generateObject of the AI SDK over a compatible server': async () =>
    (await generateObject({ model: createOpenAICompatible({ name: 'tollgate', ...access(), supportsStructuredOutputs: true })(MODEL), schema: PLACE, prompt: PROMPT, maxRetries: 0 })).object,
  'generateObject of the AI SDK over messages': async () => (await generateObject({ model: createAnthropic(access())(MODEL), schema: PLACE, prompt: PROMPT, maxRetries: 0 })).object,
};

it.each(Object.keys(PARSERS))('%s gets from the sandbox a value that fits the schema of the request', async (name) => {
  const value = await PARSERS[name]?.();
  expect(PLACE.parse(value)).toEqual(value);
  expect(value).toMatchObject({ city: 'simulated', kind: 'town' });
});

it('the sandbox generates a list if the client requests an array', async () => {
  const list = await generateObject({ model: createOpenAI(access())(MODEL), output: 'array', schema: z.object({ city: z.string() }), prompt: PROMPT, maxRetries: 0 });
  expect(list.object).toEqual([{ city: 'simulated' }]);
});
