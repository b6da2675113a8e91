// Checks of the AI SDK's client of the responses format. The first argument names the check; the program prints what a user would see.
import { createOpenAI } from '@ai-sdk/openai';
import { APICallError, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';

const { OPENAI_BASE_URL, OPENAI_API_KEY, MODEL } = process.env;
const QUESTIONS = ['How warm is it, and when?', 'And tomorrow?'];
const RESULTS = { weather: '18 degrees in Zürich', clock: 'It is noon' };
const SCHEMAS = {
  weather: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  clock: { type: 'object', properties: {}, additionalProperties: false },
};
const FORECAST = { type: 'object', properties: { city: { type: 'string' }, degrees: { type: 'integer' } }, required: ['city', 'degrees'], additionalProperties: false };

let lastBody = '';
const model = createOpenAI({
  baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY,
  fetch: (url, init) => {
    lastBody = init.body;
    return fetch(url, init);
  },
})(MODEL);

const calls = [];
const tools = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, tool({
  description: `The ${name}.`, inputSchema: jsonSchema(schema),
  execute: (input) => {
    calls.push(`${name} ${JSON.stringify(input)}`);
    return RESULTS[name];
  },
})]));

async function turns(ask) {
  const messages = [];
  const told = [];
  for (const content of QUESTIONS) {
    messages.push({ role: 'user', content });
    const result = await ask({ model, messages, tools, stopWhen: isStepCount(2) });
    for (const { reasoningText, text } of await result.steps) told.push(...(reasoningText ? [reasoningText] : []), text);
    messages.push(...await result.responseMessages);
  }
  return [...told, ...calls, `by ${lastBody.includes('"type":"item_reference"') ? 'references' : 'items'}`].join(' | ');
}

function errorOf(error) {
  if (APICallError.isInstance(error)) return `${error.name} ${error.statusCode} ${JSON.parse(error.responseBody).error.code}`;
  return `${error.name} ${error.code}`;
}

/** Text and error of a stream. */
async function toldBy({ fullStream }) {
  let text = '';
  let error = 'no error';
  for await (const part of fullStream) {
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'error') error = errorOf(part.error);
  }
  return `${text}| ${error}`;
}

const FUNCTIONS = {
  turnsWhole: () => turns(generateText),
  turnsStreamed: () => turns(streamText),
  outputWhole: async () => JSON.stringify((await generateText({ model, prompt: QUESTIONS[0], output: Output.object({ schema: jsonSchema(FORECAST) }) })).output),
  outputStreamed: async () => JSON.stringify(await streamText({ model, prompt: QUESTIONS[0], output: Output.object({ schema: jsonSchema(FORECAST) }) }).output),
  errors: async () => [
    await generateText({ model, prompt: QUESTIONS[0], maxRetries: 0 }).then(({ text }) => `${text} | no error`, (error) => `| ${errorOf(error)}`),
    // Without `onError`, the SDK would also print the error.
    await toldBy(streamText({ model, prompt: QUESTIONS[0], maxRetries: 0, onError: () => undefined })),
  ].join('; '),
};

process.stdout.write(await FUNCTIONS[process.argv[2]]());
