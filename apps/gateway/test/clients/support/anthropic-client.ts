import type Anthropic from '@anthropic-ai/sdk';
import type { JsonValue } from '@tollgate/core';
import { type Answer, type AnsweredUsage, AnswerDraft, type Client, errorAt, finishOf, parsedArguments, type Question } from './client.js';
import { MAX_TOKENS, messagesExtras, PROMPT } from './requests.js';

/** Constructor of any version of the client. */
export type AnthropicConstructor = typeof Anthropic;

type Message = Anthropic.Message;
type Params = Anthropic.MessageCreateParamsNonStreaming;
type Usage = Partial<Pick<Message['usage'], 'input_tokens' | 'cache_read_input_tokens' | 'output_tokens'>>;

/** The SDK counts the prompt in three classes. The third, tokens written to the cache, is zero in every scenario. */
function usageOf(usage: Usage): AnsweredUsage {
  const cached = usage.cache_read_input_tokens ?? 0;
  return { prompt: (usage.input_tokens ?? 0) + cached, cached, output: usage.output_tokens };
}

function readMessage(draft: AnswerDraft, message: Message): void {
  draft.text = '';
  for (const block of message.content) {
    if (block.type === 'text') draft.text += block.text;
    if (block.type === 'thinking') draft.reasoning += block.thinking;
    if (block.type === 'tool_use') draft.toolCalls.push({ id: block.id, name: block.name, input: block.input as JsonValue });
  }
  draft.finish = finishOf(message.stop_reason);
  draft.usage = usageOf(message.usage);
}

function readEvent(draft: AnswerDraft, event: Anthropic.RawMessageStreamEvent, fragments: string[]): void {
  if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
    draft.toolCalls.push({ id: event.content_block.id, name: event.content_block.name, input: null });
    fragments.push('');
  }
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') draft.text += event.delta.text;
  if (event.type === 'content_block_delta' && event.delta.type === 'thinking_delta') draft.reasoning += event.delta.thinking;
  if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') fragments[fragments.length - 1] += event.delta.partial_json;
  if (event.type === 'message_delta') {
    draft.finish = finishOf(event.delta.stop_reason);
    draft.usage = usageOf(event.usage as Usage);
  }
}

async function read(client: Anthropic, { scenario, delivery }: Question, draft: AnswerDraft): Promise<void> {
  const params: Params = { model: scenario.name, max_tokens: MAX_TOKENS, messages: [{ role: 'user', content: PROMPT }], ...messagesExtras(scenario) };
  if (delivery === 'whole') {
    readMessage(draft, await client.messages.create(params));
    return;
  }
  if (delivery === 'accumulated') {
    const stream = client.messages.stream(params);
    stream.on('text', (piece) => {
      draft.text += piece;
    });
    readMessage(draft, await stream.finalMessage());
    return;
  }
  const fragments: string[] = [];
  for await (const event of await client.messages.create({ ...params, stream: true })) readEvent(draft, event, fragments);
  draft.toolCalls = draft.toolCalls.map((call, position) => ({ ...call, input: parsedArguments(fragments[position] ?? '') }));
}

export function anthropicClient(version: string, AnthropicOfVersion: AnthropicConstructor, transport: Client['transport']): Client {
  return {
    name: `@anthropic-ai/sdk ${version}`,
    format: 'messages',
    deliveries: ['whole', 'streamed', 'accumulated'],
    transport,
    ask(question: Question): Promise<Answer> {
      const client = new AnthropicOfVersion({ baseURL: question.url, apiKey: question.key, maxRetries: question.retries, ...(transport === 'platform' ? { fetch: question.fetch } : {}) });
      // In every version of the SDK, `error` is the whole body, whose own `error` has the code.
      return AnswerDraft.of((draft) => read(client, question, draft), (thrown) => errorAt(thrown, ['status'], ['error', 'error', 'code']));
    },
  };
}
