import { javascript, javascriptMembers, pythonArguments, shellWord } from './literal';
import { bodyOf, instructionsOf, KEY_VARIABLE, type SnippetInput, talkOf, turnsOf } from './request';

type Format = SnippetInput['format'];

const NODE_KEY = `process.env.${KEY_VARIABLE}`;
const PYTHON_KEY = `os.environ["${KEY_VARIABLE}"]`;
const INDENT = '  ';
const PYTHON_INDENT = '    ';

const PATHS: Readonly<Record<Format, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' };

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('\n');
}

export function curl(input: SnippetInput): string {
  const { baseUrl, format, stream = false } = input;
  const key = format === 'messages' ? `"x-api-key: $${KEY_VARIABLE}"` : `"authorization: Bearer $${KEY_VARIABLE}"`;
  return lines(
    `curl ${stream ? '-N ' : ''}${baseUrl}${PATHS[format]} \\`,
    `  -H ${key} \\`,
    format === 'messages' && '  -H "anthropic-version: 2023-06-01" \\',
    '  -H "content-type: application/json" \\',
    `  -d ${shellWord(JSON.stringify(bodyOf(input)))}`,
  );
}

/** The SDK's method, and the lines that print a whole and a streamed reply. */
interface OpenaiWords {
  readonly method: string;
  readonly whole: readonly string[];
  readonly streamed: readonly string[];
}

type OpenaiFormat = Exclude<Format, 'messages'>;

const OPENAI_JAVASCRIPT: Readonly<Record<OpenaiFormat, OpenaiWords>> = {
  chat: {
    method: 'chat.completions.create',
    whole: ['console.log(reply.choices[0].message.content);', 'console.log(reply.usage);'],
    streamed: ['for await (const chunk of stream) {', "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');", '  if (chunk.usage) console.log(chunk.usage);', '}'],
  },
  responses: {
    method: 'responses.create',
    whole: ['console.log(reply.output_text);', 'console.log(reply.usage);'],
    streamed: [
      'for await (const event of stream) {', "  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);",
      "  if (event.type === 'response.completed' || event.type === 'response.incomplete') console.log(event.response.usage);", '}',
    ],
  },
};

export function openaiJavascript(input: SnippetInput, format: OpenaiFormat): string {
  const { method, whole, streamed } = OPENAI_JAVASCRIPT[format];
  const call = `client.${method}({\n${javascriptMembers(bodyOf(input), INDENT)}});`;
  return lines(
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: '${input.baseUrl}/v1', apiKey: ${NODE_KEY} });`,
    ...(input.stream === true ? [`const stream = await ${call}`, ...streamed] : [`const reply = await ${call}`, ...whole]),
  );
}

export function anthropicJavascript(input: SnippetInput): string {
  const { stream: _, ...body } = bodyOf(input);
  const call = (name: string) => `client.messages.${name}({\n${javascriptMembers(body, INDENT)}})`;
  return lines(
    "import Anthropic from '@anthropic-ai/sdk';",
    '',
    `const client = new Anthropic({ baseURL: '${input.baseUrl}', apiKey: ${NODE_KEY} });`,
    ...(input.stream === true
      ? [`const stream = ${call('stream')};`, "stream.on('text', (text) => process.stdout.write(text));", 'console.log((await stream.finalMessage()).usage);']
      : [
        `const reply = await ${call('create')};`,
        "for (const block of reply.content) if (block.type === 'text') console.log(block.text);",
        'console.log(reply.usage);',
      ]),
  );
}

const OPENAI_PYTHON: Readonly<Record<OpenaiFormat, OpenaiWords>> = {
  chat: {
    method: 'chat.completions.create',
    whole: ['print(reply.choices[0].message.content)', 'print(reply.usage)'],
    streamed: [
      'for chunk in stream:', '    if chunk.choices and chunk.choices[0].delta.content:',
      '        print(chunk.choices[0].delta.content, end="", flush=True)', '    if chunk.usage:', '        print(chunk.usage)',
    ],
  },
  responses: {
    method: 'responses.create',
    whole: ['print(reply.output_text)', 'print(reply.usage)'],
    streamed: [
      'for event in stream:', '    if event.type == "response.output_text.delta":', '        print(event.delta, end="", flush=True)',
      '    if event.type in ("response.completed", "response.incomplete"):', '        print(event.response.usage)',
    ],
  },
};

export function openaiPython(input: SnippetInput, format: OpenaiFormat): string {
  const { method, whole, streamed } = OPENAI_PYTHON[format];
  const call = `client.${method}(\n${pythonArguments(bodyOf(input), PYTHON_INDENT)})`;
  return lines(
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${input.baseUrl}/v1", api_key=${PYTHON_KEY})`,
    ...(input.stream === true ? [`stream = ${call}`, ...streamed] : [`reply = ${call}`, ...whole]),
  );
}

export function anthropicPython(input: SnippetInput): string {
  const { stream: _, ...body } = bodyOf(input);
  const call = (name: string) => `client.messages.${name}(\n${pythonArguments(body, PYTHON_INDENT)})`;
  return lines(
    'import os',
    'from anthropic import Anthropic',
    '',
    `client = Anthropic(base_url="${input.baseUrl}", api_key=${PYTHON_KEY})`,
    ...(input.stream === true
      ? [`with ${call('stream')} as stream:`, '    for text in stream.text_stream:', '        print(text, end="", flush=True)', '    print(stream.get_final_message().usage)']
      : [`reply = ${call('create')}`, 'for block in reply.content:', '    if block.type == "text":', '        print(block.text)', 'print(reply.usage)']),
  );
}

const AI_SDK_PROVIDERS: Readonly<Record<Format, { readonly from: string; readonly make: string; readonly options: string }>> = {
  chat: { from: '@ai-sdk/openai-compatible', make: 'createOpenAICompatible', options: "name: 'tollgate', includeUsage: true, " },
  messages: { from: '@ai-sdk/anthropic', make: 'createAnthropic', options: '' },
  responses: { from: '@ai-sdk/openai', make: 'createOpenAI', options: '' },
};

export function aiSdk(input: SnippetInput): string {
  const { baseUrl, format, model, maxTokens, store, stream = false } = input;
  const { from, make, options } = AI_SDK_PROVIDERS[format];
  const system = instructionsOf(input);
  const fields = {
    ...(system === '' ? {} : { system }), messages: talkOf(input), ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(store === undefined || format !== 'responses' ? {} : { providerOptions: { openai: { store } } }),
  };
  const members = `${INDENT}model: tollgate('${model}'),\n${javascriptMembers(fields, INDENT)}`;
  return lines(
    `import { ${make} } from '${from}';`,
    `import { ${stream ? 'streamText' : 'generateText'} } from 'ai';`,
    '',
    `const tollgate = ${make}({ ${options}baseURL: '${baseUrl}/v1', apiKey: ${NODE_KEY} });`,
    ...(stream
      ? [`const result = streamText({\n${members}});`, 'for await (const text of result.textStream) process.stdout.write(text);', 'console.log(await result.usage);']
      : [`const { text, usage } = await generateText({\n${members}});`, 'console.log(text, usage);']),
  );
}

function langchainModel({ baseUrl, model, format, maxTokens, store }: SnippetInput): readonly [name: string, from: string, fields: string] {
  const most = maxTokens === undefined ? '' : `, maxTokens: ${maxTokens}`;
  const common = `model: ${javascript(model)}, apiKey: ${NODE_KEY}${most}`;
  if (format === 'messages') return ['ChatAnthropic', '@langchain/anthropic', `${common}, anthropicApiUrl: '${baseUrl}'`];
  const responses = `, useResponsesApi: true${store === false ? ', zdrEnabled: true' : ''}`;
  return ['ChatOpenAI', '@langchain/openai', `${common}${format === 'responses' ? responses : ''}, configuration: { baseURL: '${baseUrl}/v1' }`];
}

export function langchain(input: SnippetInput): string {
  const [name, from, fields] = langchainModel(input);
  const turns = javascript(turnsOf(input));
  return lines(
    `import { ${name} } from '${from}';`,
    '',
    `const model = new ${name}({ ${fields} });`,
    ...(input.stream === true
      ? [`for await (const chunk of await model.stream(${turns})) process.stdout.write(chunk.text);`]
      : [`const reply = await model.invoke(${turns});`, 'console.log(reply.text, reply.usage_metadata);']),
  );
}
