import { type Check, expectThat, type Peer, type World } from './checks.js';
import { installPythonPackages } from './programs.js';

/** What a tiny model generates (`python/tiny_model.py`). */
export type ModelScript = 'plain' | 'thinking' | 'tool';

export const CONTEXT_TOKENS = 2048;
export const LLAMA_CPP: Peer = {
  id: 'llama-cpp', megabytes: 208, install: (folder) => installPythonPackages(folder, ['xllamacpp==2026.10.11549', 'gguf==0.19.0']),
};

const TIMEOUT_MILLISECONDS = 30_000;

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  readonly text: string;
  /** JSON of the whole reply, or of each event of a stream. */
  readonly events: readonly Json[];
}

function eventsOf(text: string, contentType: string): readonly Json[] {
  if (!contentType.includes('event-stream')) return [JSON.parse(text) as Json];
  const data = text.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]');
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

/** Sends a request, and reads the reply to its end. */
export async function ask({ baseUrl, key }: Pick<World, 'baseUrl' | 'key'>, path: string, body: Json | null): Promise<Answer> {
  const reply = await fetch(`${baseUrl}${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === null ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const text = await reply.text();
  return { status: reply.status, text, events: eventsOf(text, reply.headers.get('content-type') ?? '') };
}

/** Joins the strings that events have at this path. */
function collect(events: readonly Json[], path: string): string {
  return events.map((event) => at(event, path)).filter((value) => typeof value === 'string').join('');
}

/** The value at a path, for example `choices.0.message.content`; `undefined` if absent. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Json)[name] : undefined), value);
}

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';
const SAID = 'Hello there, how are you?';
const THOUGHT = 'The user greets me.';
const HELLO = [{ role: 'user', content: 'Hi' }];
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };
const CHAT_TOOLS = [{ type: 'function', function: { name: 'get_weather', parameters: PARAMETERS } }];
const MESSAGES_TOOLS = [{ name: 'get_weather', input_schema: PARAMETERS }];
const RESPONSES_TOOLS = [{ type: 'function', name: 'get_weather', parameters: PARAMETERS }];
const CUT_ARGUMENTS = [
  ...HELLO,
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Par' } }] },
  { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
];
const PICTURE = [{ role: 'user', content: [{ type: 'text', text: 'What?' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] }];
const PICTURES_SENT = 6;
/** Letters that nearly fill the context. The tiny model counts one token per letter, the gateway's estimator one per four letters. */
const NEARLY_FULL_LETTERS = CONTEXT_TOKENS - 190;

/** A gateway whose upstream is one model server, and keys of two accounts. */
interface ServerWorld extends World {
  readonly otherKey: string;
  readonly model: string;
}

type Run = (world: ServerWorld) => Promise<string>;

/** Texts and charge of a reply in any format. */
interface Seen {
  readonly text: string;
  readonly thinking: string;
  readonly stop: unknown;
  readonly charged: unknown;
}

function seenInChat(events: readonly Json[]): Seen {
  const last = events.at(-1);
  const whole = events.length === 1;
  const part = whole ? 'choices.0.message' : 'choices.0.delta';
  return {
    text: collect(events, `${part}.content`), thinking: collect(events, `${part}.reasoning_content`),
    stop: collect(events, 'choices.0.finish_reason'), charged: at(last, 'usage.svc_tokens_debited'),
  };
}

function seenInMessages(events: readonly Json[]): Seen {
  const whole = events.length === 1;
  const blocks = whole ? (at(events[0], 'content') as readonly Json[]) : events;
  const prefix = whole ? '' : 'delta.';
  const end = whole ? events[0] : events.find((event) => event['type'] === 'message_delta');
  return {
    text: collect(blocks, `${prefix}text`), thinking: collect(blocks, `${prefix}thinking`),
    stop: at(end, whole ? 'stop_reason' : 'delta.stop_reason'), charged: at(end, 'usage.svc_tokens_debited'),
  };
}

/** Reads a reply in the responses format. Of a stream, text and thinking come from the deltas, and status and charge from the last event. */
function seenInResponses(events: readonly Json[]): Seen {
  const response = at(events.at(-1), 'response') ?? events.at(-1);
  const items = at(response, 'output') as readonly Json[];
  const streamed = (type: string): string => collect(events.filter((event) => event['type'] === type), 'delta');
  const whole = events.length === 1;
  return {
    text: whole ? collect(items, 'content.0.text') : streamed('response.output_text.delta'),
    thinking: whole ? collect(items, 'summary.0.text') : streamed('response.reasoning_summary_text.delta'),
    stop: at(response, 'status'), charged: at(response, 'usage.svc_tokens_debited'),
  };
}

async function sayInChat(world: ServerWorld, fields: Json): Promise<Seen> {
  const { status, text, events } = await ask(world, CHAT, { model: world.model, messages: HELLO, max_tokens: 60, ...fields });
  expectThat(status === 200, 'a reply', `${status} ${text}`);
  return seenInChat(events);
}

async function sayInMessages(world: ServerWorld, fields: Json): Promise<Seen> {
  const { status, text, events } = await ask(world, MESSAGES, { model: world.model, messages: HELLO, max_tokens: 60, ...fields });
  expectThat(status === 200, 'a reply', `${status} ${text}`);
  return seenInMessages(events);
}

async function sayInResponses(world: ServerWorld, fields: Json): Promise<Seen> {
  const { status, text, events } = await ask(world, RESPONSES, { model: world.model, input: HELLO, max_output_tokens: 60, ...fields });
  expectThat(status === 200, 'a reply', `${status} ${text}`);
  return seenInResponses(events);
}

function expectSeen(seen: Seen, wanted: Omit<Seen, 'charged'>): string {
  const { charged, ...rest } = seen;
  expectThat(JSON.stringify(rest) === JSON.stringify(wanted), JSON.stringify(wanted), JSON.stringify(rest));
  expectThat(typeof charged === 'string' && Number(charged) > 0, 'a charge', String(charged));
  return `${JSON.stringify(rest)}, charged ${String(charged)}`;
}

/** Expects the same reply whether whole or streamed. */
async function inBothDeliveries(say: (fields: Json) => Promise<Seen>, wanted: Omit<Seen, 'charged'>): Promise<string> {
  const whole = expectSeen(await say({}), wanted);
  const streamed = expectSeen(await say({ stream: true }), wanted);
  return whole === streamed ? `whole and streamed: ${whole}` : `whole: ${whole}\nstreamed: ${streamed}`;
}

async function callsTool(world: ServerWorld): Promise<string> {
  const chat = await ask(world, CHAT, { model: world.model, messages: HELLO, max_tokens: 80, tools: CHAT_TOOLS, stream: true });
  const argumentsText = collect(chat.events, 'choices.0.delta.tool_calls.0.function.arguments');
  expectThat(argumentsText.replaceAll(/\s/g, '') === '{"city":"Paris"}', 'the arguments {"city":"Paris"}', `${argumentsText} in ${chat.text}`);
  const messages = await ask(world, MESSAGES, { model: world.model, messages: HELLO, max_tokens: 80, tools: MESSAGES_TOOLS });
  const call = (at(messages.events[0], 'content') as readonly Json[]).find(({ type }) => type === 'tool_use');
  expectThat(at(call, 'input.city') === 'Paris', 'a tool_use block for Paris', messages.text);
  const responses = await ask(world, RESPONSES, { model: world.model, input: HELLO, max_output_tokens: 80, tools: RESPONSES_TOOLS, stream: true });
  const items = at(responses.events.at(-1), 'response.output') as readonly Json[];
  const item = items.find(({ type }) => type === 'function_call');
  expectThat(String(item?.['arguments']).replaceAll(/\s/g, '') === '{"city":"Paris"}', 'a function_call item for Paris', responses.text);
  return `chat ${argumentsText}, messages ${JSON.stringify(call)}, responses ${JSON.stringify(item)}`;
}

async function pictures(world: ServerWorld): Promise<string> {
  const refusals: number[] = [];
  for (let sent = 0; sent < PICTURES_SENT; sent += 1) refusals.push((await ask(world, CHAT, { model: world.model, messages: PICTURE })).status);
  const other = await ask({ ...world, key: world.otherKey }, CHAT, { model: world.model, messages: HELLO, max_tokens: 60 });
  expectThat(other.status === 200, 'the other account to be served', `${refusals.join(' ')}, then ${other.status} ${other.text}`);
  return `pictures ${refusals.join(' ')}, the other account ${other.status}`;
}

async function window(world: ServerWorld): Promise<string> {
  const { events } = await ask(world, '/v1/models', null);
  const stated = at(events[0], 'data.0.context_window');
  expectThat(stated === CONTEXT_TOKENS, `a window of ${CONTEXT_TOKENS}`, String(stated));
  return `context_window ${String(stated)}`;
}

async function nearlyFull(world: ServerWorld): Promise<string> {
  const messages = [{ role: 'user', content: 'z'.repeat(NEARLY_FULL_LETTERS) }];
  const { status, text, events } = await ask(world, CHAT, { model: world.model, messages, max_tokens: 8 });
  expectThat(status === 200, 'a reply', `${status} ${text}`);
  return `prompt_tokens ${String(at(events[0], 'usage.prompt_tokens'))} of ${CONTEXT_TOKENS}, ${String(at(events[0], 'usage.completion_tokens'))} output tokens`;
}

async function fiveStopSequences(world: ServerWorld): Promise<string> {
  const stop = ['1', '2', '3', '4', ' how'];
  const { events } = await ask(world, CHAT, { model: world.model, messages: HELLO, max_tokens: 60, stop, stream: true });
  const request = await ask(world, '/v1/usage?limit=1', null);
  const source = at(request.events[0], 'data.0.usage_source');
  const { text, stop: reason } = seenInChat(events);
  expectThat(text === 'Hello there,' && reason === 'stop', 'the text before the fifth sequence', `${text} (${String(reason)})`);
  return `"${text}", usage ${String(source)}`;
}

const CHECKS: Readonly<Record<ModelScript, readonly (readonly [title: string, run: Run])[]>> = {
  plain: [
    ['chat', (world) => inBothDeliveries((fields) => sayInChat(world, fields), { text: SAID, thinking: '', stop: 'stop' })],
    ['messages', (world) => inBothDeliveries((fields) => sayInMessages(world, fields), { text: SAID, thinking: '', stop: 'end_turn' })],
    ['responses', (world) => inBothDeliveries((fields) => sayInResponses(world, fields), { text: SAID, thinking: '', stop: 'completed' })],
    ['the window is the server\'s own', window],
    ['a prompt near the end of the window', nearlyFull],
    ['five stop sequences', fiveStopSequences],
    ['a history whose tool arguments were cut off', async (world) => (await sayInChat(world, { messages: CUT_ARGUMENTS })).text],
    ['pictures to a text-only model leave other accounts alone', pictures],
  ],
  thinking: [
    ['chat shows reasoning and text', (world) => inBothDeliveries((fields) => sayInChat(world, fields), { text: SAID, thinking: THOUGHT, stop: 'stop' })],
    ['responses shows reasoning and text', (world) => inBothDeliveries((fields) => sayInResponses(world, fields), { text: SAID, thinking: THOUGHT, stop: 'completed' })],
    ['messages without thinking shows text alone', (world) => inBothDeliveries((fields) => sayInMessages(world, fields), { text: SAID, thinking: '', stop: 'end_turn' })],
    ['messages with thinking shows both', (world) => inBothDeliveries(
      (fields) => sayInMessages(world, { thinking: { type: 'enabled', budget_tokens: 1024 }, ...fields }), { text: SAID, thinking: THOUGHT, stop: 'end_turn' },
    )],
  ],
  tool: [['a tool call in every format', callsTool]],
};

/** Checks of llama.cpp with one of the tiny models, as an upstream of one kind. */
export function llamaChecks(script: ModelScript, kind: string): readonly Check<ServerWorld>[] {
  return CHECKS[script].map(([title, run]) => ({ title: `llama.cpp, kind ${kind}, ${script} model: ${title}`, peer: LLAMA_CPP, run }));
}
