import { ChatAnthropic } from '@langchain/anthropic';
import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import type { JsonValue } from '@tollgate/core';
import { type Answer, AnswerDraft, type AnsweredUsage, type Client, errorAt, finishOf, memberOf, type Question, textAt } from './client.js';
import { CHAT_TOOLS, MAX_TOKENS, MESSAGES_TOOLS, PROMPT } from './requests.js';

interface Model {
  invoke(prompt: string): Promise<AIMessageChunk>;
  stream(prompt: string): Promise<AsyncIterable<AIMessageChunk>>;
}

function openaiModel({ url, key, scenario, retries, fetch }: Question): Model {
  const model = new ChatOpenAI({
    model: scenario.name, apiKey: key, maxTokens: MAX_TOKENS, maxRetries: retries, useResponsesApi: false, configuration: { baseURL: `${url}/v1`, fetch },
    ...(scenario.asksForReasoning ? { modelKwargs: { reasoning_effort: 'high' } } : {}),
  });
  if (scenario.offersTools) return model.bindTools(CHAT_TOOLS);
  return scenario.asksForJson ? model.withConfig({ response_format: { type: 'json_object' } }) : model;
}

function responsesModel({ url, key, scenario, retries, fetch }: Question): Model {
  const model = new ChatOpenAI({
    model: scenario.name, apiKey: key, maxTokens: MAX_TOKENS, maxRetries: retries, useResponsesApi: true, configuration: { baseURL: `${url}/v1`, fetch },
    // LangChain sends no reasoning settings to models with unknown names.
    ...(scenario.asksForReasoning ? { modelKwargs: { reasoning: { effort: 'high', summary: 'auto' } } } : {}),
  });
  if (scenario.offersTools) return model.bindTools(CHAT_TOOLS);
  return scenario.asksForJson ? model.withConfig({ response_format: { type: 'json_object' } }) : model;
}

function anthropicModel({ url, key, scenario, retries, fetch }: Question): Model {
  const model = new ChatAnthropic({
    model: scenario.name, apiKey: key, anthropicApiUrl: url, maxTokens: MAX_TOKENS, maxRetries: retries, clientOptions: { fetch },
    ...(scenario.asksForReasoning ? { thinking: { type: 'enabled' as const, budget_tokens: 1024 } } : {}),
  });
  return scenario.offersTools ? model.bindTools(MESSAGES_TOOLS) : model;
}

/** Texts of one block type. A content that is a string counts as one block of type `text`. */
function piecesOf(content: AIMessageChunk['content'], type: string, field: string): string {
  if (typeof content === 'string') return type === 'text' ? content : '';
  return content.map((block) => (block.type === type ? textAt(block, field) : '')).join('');
}

function usageOf(usage: UsageMetadata | undefined): AnsweredUsage | null {
  if (usage === undefined) return null;
  return { prompt: usage.input_tokens, cached: usage.input_token_details?.cache_read, output: usage.output_tokens };
}

function readReply(draft: AnswerDraft, reply: AIMessageChunk): void {
  draft.text = piecesOf(reply.content, 'text', 'text');
  const summary = memberOf(reply.additional_kwargs, 'reasoning', 'summary') as readonly { readonly text: string }[] | undefined;
  draft.reasoning = piecesOf(reply.content, 'thinking', 'thinking') + textAt(reply.additional_kwargs, 'reasoning_content') + (summary ?? []).map(({ text }) => text).join('');
  draft.toolCalls = (reply.tool_calls ?? []).map(({ id, name, args }) => ({ id: id ?? '', name, input: args as JsonValue }));
  const { response_metadata: metadata, additional_kwargs: extras } = reply;
  draft.finish = finishOf(textAt(metadata, 'finish_reason') || textAt(metadata, 'stop_reason') || textAt(extras, 'stop_reason') || null);
  if (textAt(metadata, 'status') === 'completed') draft.finish = draft.toolCalls.length > 0 ? 'tool-call' : 'end';
  draft.usage = usageOf(reply.usage_metadata);
}

async function read(model: Model, { delivery }: Question, draft: AnswerDraft): Promise<void> {
  if (delivery === 'whole') {
    readReply(draft, await model.invoke(PROMPT));
    return;
  }
  let sum: AIMessageChunk | null = null;
  for await (const chunk of await model.stream(PROMPT)) {
    sum = sum === null ? chunk : sum.concat(chunk);
    draft.text = piecesOf(sum.content, 'text', 'text');
  }
  if (sum !== null) readReply(draft, sum);
}

/** LangChain's own `concat` joins the chunks of a stream. */
export function langchainClients(): readonly Client[] {
  const clientOf = (name: string, format: Client['format'], modelOf: (question: Question) => Model): Client => ({
    name,
    format,
    deliveries: ['whole', 'streamed'],
    transport: 'platform',
    ask: (question): Promise<Answer> => AnswerDraft.of(
      (draft) => read(modelOf(question), question, draft),
      (thrown) => errorAt(thrown, ['status'], format === 'messages' ? ['error', 'error', 'code'] : ['code']),
    ),
  });
  return [clientOf('@langchain/openai', 'chat', openaiModel), clientOf('@langchain/openai responses', 'responses', responsesModel), clientOf('@langchain/anthropic', 'messages', anthropicModel)];
}
