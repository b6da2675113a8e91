import { javascript, javascriptMembers, pythonArguments, shellWord } from './literal';
import { bodyOf, KEY_VARIABLE, type SnippetInput, turnsOf } from './request';

const NODE_KEY = `process.env.${KEY_VARIABLE}`;
const PYTHON_KEY = `os.environ["${KEY_VARIABLE}"]`;
const INDENT = '  ';
const PYTHON_INDENT = '    ';

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('\n');
}

export function curl(input: SnippetInput): string {
  const { baseUrl, format, stream = false } = input;
  const address = baseUrl + (format === 'chat' ? '/v1/chat/completions' : '/v1/messages');
  const key = format === 'chat' ? `"authorization: Bearer $${KEY_VARIABLE}"` : `"x-api-key: $${KEY_VARIABLE}"`;
  return lines(
    `curl ${stream ? '-N ' : ''}${address} \\`,
    `  -H ${key} \\`,
    format === 'messages' && '  -H "anthropic-version: 2023-06-01" \\',
    '  -H "content-type: application/json" \\',
    `  -d ${shellWord(JSON.stringify(bodyOf(input)))}`,
  );
}

export function openaiJavascript(input: SnippetInput): string {
  const call = `client.chat.completions.create({\n${javascriptMembers(bodyOf(input), INDENT)}});`;
  return lines(
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: '${input.baseUrl}/v1', apiKey: ${NODE_KEY} });`,
    ...(input.stream === true
      ? [`const stream = await ${call}`, 'for await (const chunk of stream) {', "  process.stdout.write(chunk.choices[0]?.delta.content ?? '');", '  if (chunk.usage) console.log(chunk.usage);', '}']
      : [`const reply = await ${call}`, 'console.log(reply.choices[0].message.content);', 'console.log(reply.usage);']),
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

export function openaiPython(input: SnippetInput): string {
  const call = `client.chat.completions.create(\n${pythonArguments(bodyOf(input), PYTHON_INDENT)})`;
  return lines(
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${input.baseUrl}/v1", api_key=${PYTHON_KEY})`,
    ...(input.stream === true
      ? [
        `stream = ${call}`, 'for chunk in stream:', '    if chunk.choices and chunk.choices[0].delta.content:',
        '        print(chunk.choices[0].delta.content, end="", flush=True)', '    if chunk.usage:', '        print(chunk.usage)',
      ]
      : [`reply = ${call}`, 'print(reply.choices[0].message.content)', 'print(reply.usage)']),
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

export function aiSdk(input: SnippetInput): string {
  const { baseUrl, format, model, maxTokens, stream = false } = input;
  const [from, make] = format === 'chat' ? ['@ai-sdk/openai-compatible', 'createOpenAICompatible'] : ['@ai-sdk/anthropic', 'createAnthropic'];
  const provider = format === 'chat' ? "name: 'tollgate', includeUsage: true, " : '';
  const system = turnsOf(input).filter(({ role }) => role === 'system').map(({ content }) => content).join('\n\n');
  const fields = {
    ...(system === '' ? {} : { system }), messages: turnsOf(input).filter(({ role }) => role !== 'system'), ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
  };
  const members = `${INDENT}model: tollgate('${model}'),\n${javascriptMembers(fields, INDENT)}`;
  return lines(
    `import { ${make} } from '${from}';`,
    `import { ${stream ? 'streamText' : 'generateText'} } from 'ai';`,
    '',
    `const tollgate = ${make}({ ${provider}baseURL: '${baseUrl}/v1', apiKey: ${NODE_KEY} });`,
    ...(stream
      ? [`const result = streamText({\n${members}});`, 'for await (const text of result.textStream) process.stdout.write(text);', 'console.log(await result.usage);']
      : [`const { text, usage } = await generateText({\n${members}});`, 'console.log(text, usage);']),
  );
}

/** The model of LangChain and how it is made. */
function langchainModel({ baseUrl, model, format, maxTokens }: SnippetInput): readonly [name: string, from: string, fields: string] {
  const most = maxTokens === undefined ? '' : `, maxTokens: ${maxTokens}`;
  const common = `model: ${javascript(model)}, apiKey: ${NODE_KEY}${most}`;
  return format === 'chat'
    ? ['ChatOpenAI', '@langchain/openai', `${common}, configuration: { baseURL: '${baseUrl}/v1' }`]
    : ['ChatAnthropic', '@langchain/anthropic', `${common}, anthropicApiUrl: '${baseUrl}'`];
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
