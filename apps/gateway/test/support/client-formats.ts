import type { UpstreamDefinition } from '@tollgate/core';
import { checkChatStream, checkMessagesStream, checkResponsesStream, type ScriptedUpstream } from '@tollgate/testkit';

/** A reply as its client received it, in any format. */
export interface ReceivedReply {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  readonly stop: string | null;
  readonly tokens: { readonly prompt: number; readonly cached: number; readonly output: number };
}

export interface ClientFormat {
  readonly name: 'chat' | 'messages' | 'responses';
  readonly path: string;
  readonly outputField: string;
  /** The beginning of a minimal body, without the closing brace. */
  readonly least: string;
  readonly stops: Readonly<Record<'end' | 'tool-call' | 'max-tokens', string>>;
  readStream(body: string): ReceivedReply;
  readWhole(body: string): ReceivedReply;
  errorOf(body: string): unknown;
}

interface ChatMessage {
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}
interface ChatUsage { readonly prompt_tokens: number; readonly completion_tokens: number; readonly prompt_cache_hit_tokens: number }
interface MessagesUsage { readonly input_tokens: number; readonly cache_read_input_tokens: number; readonly output_tokens: number }
type Block = Readonly<Record<'type' | 'text' | 'thinking' | 'id' | 'name' | 'inputJson', string>> & { readonly input: unknown };

/** The usage of a stream's last chunk; the grammar check has ensured that its counts exist. */
const usageOf = (last: unknown): ChatUsage => (last as { readonly usage: ChatUsage }).usage;
const chatTokens = (usage: ChatUsage) => ({ prompt: usage.prompt_tokens, cached: usage.prompt_cache_hit_tokens, output: usage.completion_tokens });
const messagesTokens = (usage: MessagesUsage) => ({ prompt: usage.input_tokens + usage.cache_read_input_tokens, cached: usage.cache_read_input_tokens, output: usage.output_tokens });

const MIN_OF_MESSAGES = '{ "messages": [{ "role": "user", "content": "Hi" }], "thinking": { "type": "enabled" }';

const CHAT: ClientFormat = {
  name: 'chat',
  path: '/v1/chat/completions',
  outputField: 'max_tokens',
  least: MIN_OF_MESSAGES,
  stops: { 'end': 'stop', 'tool-call': 'tool_calls', 'max-tokens': 'length' },
  readStream: (body) => {
    const { reasoning, text, toolCalls, finishReason, last } = checkChatStream(body);
    const calls = toolCalls.map(({ id, name, arguments: input }) => ({ id, name, input }));
    return { thinking: reasoning ?? '', text, calls, stop: finishReason, tokens: chatTokens(usageOf(last)) };
  },
  readWhole: (body) => {
    const { choices: [choice], usage } = JSON.parse(body) as { choices: [{ message: ChatMessage; finish_reason: string }]; usage: ChatUsage };
    const calls = (choice.message.tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({ id, name, input }));
    return { thinking: choice.message.reasoning_content ?? '', text: choice.message.content ?? '', calls, stop: choice.finish_reason, tokens: chatTokens(usage) };
  },
  errorOf: (body) => checkChatStream(body).error,
};

function readBlocks(blocks: readonly Block[]): Pick<ReceivedReply, 'thinking' | 'text' | 'calls'> {
  return {
    thinking: blocks.map(({ thinking }) => thinking).join(''),
    text: blocks.map(({ text }) => text).join(''),
    calls: blocks.filter(({ type }) => type === 'tool_use').map(({ id, name, inputJson, input }) => ({ id, name, input: inputJson ?? JSON.stringify(input) })),
  };
}

const MESSAGES: ClientFormat = {
  name: 'messages',
  path: '/v1/messages',
  outputField: 'max_tokens',
  least: MIN_OF_MESSAGES,
  stops: { 'end': 'end_turn', 'tool-call': 'tool_use', 'max-tokens': 'max_tokens' },
  readStream: (body) => {
    const { blocks, stopReason, usage } = checkMessagesStream(body);
    return { ...readBlocks(blocks as unknown as readonly Block[]), stop: stopReason, tokens: messagesTokens(usage as unknown as MessagesUsage) };
  },
  readWhole: (body) => {
    const { content, stop_reason, usage } = JSON.parse(body) as { content: readonly Block[]; stop_reason: string; usage: MessagesUsage };
    return { ...readBlocks(content), stop: stop_reason, tokens: messagesTokens(usage) };
  },
  errorOf: (body) => checkMessagesStream(body).error,
};

interface ResponsesUsage { readonly input_tokens: number; readonly input_tokens_details: { readonly cached_tokens: number }; readonly output_tokens: number }
interface ResponseObject {
  readonly status: string;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly output: readonly ResponseItem[];
  readonly usage: ResponsesUsage;
}
type Parts = readonly { readonly text: string }[];
type ResponseItem = Readonly<Record<'type' | 'call_id' | 'name' | 'arguments', string>> & { readonly summary?: Parts; readonly content?: Parts };

function readResponse({ status, incomplete_details, output, usage }: ResponseObject): ReceivedReply {
  const textsOf = (parts: Parts = []): string => parts.map((part) => part.text).join('');
  return {
    thinking: output.map(({ summary }) => textsOf(summary)).join(''),
    text: output.map(({ content }) => textsOf(content)).join(''),
    calls: output.filter(({ type }) => type === 'function_call').map((item) => ({ id: item.call_id, name: item.name, input: item.arguments })),
    stop: incomplete_details?.reason ?? status,
    tokens: { prompt: usage.input_tokens, cached: usage.input_tokens_details.cached_tokens, output: usage.output_tokens },
  };
}

const RESPONSES: ClientFormat = {
  name: 'responses',
  path: '/v1/responses',
  outputField: 'max_output_tokens',
  least: '{ "input": "Hi", "store": false',
  stops: { 'end': 'completed', 'tool-call': 'completed', 'max-tokens': 'max_output_tokens' },
  readStream: (body) => readResponse(checkResponsesStream(body).response as unknown as ResponseObject),
  readWhole: (body) => readResponse(JSON.parse(body) as ResponseObject),
  errorOf: (body) => checkResponsesStream(body).error,
};

export const UPSTREAMS: Readonly<Record<'openai' | 'anthropic' | 'responses', (upstream: ScriptedUpstream) => UpstreamDefinition>> = {
  openai: ({ baseUrl }) => ({ id: 'scripted', kind: 'openai', baseUrl, apiKey: 'upstream-key' }),
  anthropic: ({ origin }) => ({ id: 'scripted', kind: 'anthropic', baseUrl: origin, apiKey: 'upstream-key' }),
  responses: ({ baseUrl }) => ({ id: 'scripted', kind: 'responses', baseUrl, apiKey: 'upstream-key' }),
};

export const CLIENT_FORMATS: readonly ClientFormat[] = [CHAT, MESSAGES, RESPONSES];

export const FORMAT_PAIRS = CLIENT_FORMATS.flatMap((client) => (Object.keys(UPSTREAMS) as (keyof typeof UPSTREAMS)[]).map((kind) => [client.name, kind, client] as const));
