import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError, generateText, jsonSchema, type LanguageModel, type LanguageModelUsage, Output, stepCountIs, streamText, tool, type ToolSet,
} from 'ai';
import type { JsonValue } from '@tollgate/core';
import { type Answer, type AnsweredError, type AnsweredUsage, AnswerDraft, type Client, finishOf, memberOf, type Question } from './client.js';
import { MAX_TOKENS, PROMPT } from './requests.js';
import { OFFERED_TOOLS, type Scenario } from './scenarios.js';

/** A provider package of the AI SDK, and how it asks for reasoning. */
interface Provider {
  readonly name: string;
  readonly format: Client['format'];
  readonly model: (question: Question) => LanguageModel;
  readonly reasoningOptions: NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: '@ai-sdk/openai',
    format: 'chat',
    model: ({ url, key, scenario, fetch }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key, fetch }).chat(scenario.name),
    reasoningOptions: { openai: { reasoningEffort: 'high' } },
  },
  {
    name: '@ai-sdk/openai responses',
    format: 'responses',
    model: ({ url, key, scenario, fetch }) => createOpenAI({ baseURL: `${url}/v1`, apiKey: key, fetch })(scenario.name),
    // The AI SDK treats models with unknown names as not reasoning.
    reasoningOptions: { openai: { forceReasoning: true, reasoningEffort: 'high', reasoningSummary: 'auto' } },
  },
  {
    name: '@ai-sdk/openai-compatible',
    format: 'chat',
    model: ({ url, key, scenario, fetch }) =>
      createOpenAICompatible({ name: 'tollgate', baseURL: `${url}/v1`, apiKey: key, includeUsage: true, fetch }).chatModel(scenario.name),
    reasoningOptions: { tollgate: { reasoningEffort: 'high' } },
  },
  {
    name: '@ai-sdk/anthropic',
    format: 'messages',
    model: ({ url, key, scenario, fetch }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key, fetch })(scenario.name),
    reasoningOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  },
];

const TOOLS: ToolSet = Object.fromEntries(
  OFFERED_TOOLS.map(({ name, description, schema }) => [name, tool({ description, inputSchema: jsonSchema(schema) })]),
);

/** `null` for a broken reply: the SDK then reports `undefined` for every count. */
function usageOf({ inputTokens, inputTokenDetails, outputTokens }: LanguageModelUsage): AnsweredUsage | null {
  if (inputTokens === undefined && outputTokens === undefined) return null;
  return { prompt: inputTokens, cached: inputTokenDetails.cacheReadTokens, output: outputTokens };
}

/** The error of a whole reply has the body; an error in a stream has the error object or only its message. */
function errorOf(thrown: unknown): AnsweredError {
  if (APICallError.isInstance(thrown)) {
    const body: unknown = JSON.parse(thrown.responseBody ?? 'null');
    return { status: thrown.statusCode ?? null, code: String(memberOf(body, 'error', 'code')) };
  }
  const code = memberOf(thrown, 'code');
  return { status: null, code: typeof code === 'string' ? code : null };
}

function callOptions({ name, reasoningOptions, format, model }: Provider, question: Question) {
  const { scenario, retries } = question;
  return {
    model: model(question),
    prompt: PROMPT,
    maxRetries: retries,
    maxOutputTokens: scenario.asksForReasoning && name === '@ai-sdk/anthropic' ? MAX_TOKENS - 1024 : MAX_TOKENS,
    stopWhen: stepCountIs(1),
    ...(scenario.offersTools ? { tools: TOOLS } : {}),
    ...(scenario.asksForReasoning ? { providerOptions: reasoningOptions } : {}),
    ...(asksForJson(scenario, format) ? { output: Output.json() } : {}),
  };
}

/** The messages format cannot ask for JSON. */
function asksForJson({ asksForJson: wanted }: Scenario, format: Client['format']): boolean {
  return wanted && format !== 'messages';
}

async function readWhole(provider: Provider, question: Question, draft: AnswerDraft): Promise<void> {
  const result = await generateText(callOptions(provider, question));
  draft.text = result.text;
  draft.reasoning = result.reasoningText ?? '';
  draft.toolCalls = result.toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input: input as JsonValue }));
  draft.finish = finishOf(result.finishReason);
  draft.usage = usageOf(result.usage);
  draft.warnings = (result.warnings ?? []).map((warning) => JSON.stringify(warning));
}

function readFinish(draft: AnswerDraft, { finishReason, totalUsage }: { readonly finishReason: string; readonly totalUsage: LanguageModelUsage }): void {
  draft.finish = finishOf(finishReason);
  draft.usage = usageOf(totalUsage);
}

async function readStream(provider: Provider, question: Question, draft: AnswerDraft): Promise<void> {
  // Without `onError`, the SDK prints errors, although the stream contains them too.
  const { fullStream } = streamText({ ...callOptions(provider, question), onError: () => undefined });
  for await (const part of fullStream) {
    if (part.type === 'text-delta') draft.text += part.text;
    if (part.type === 'reasoning-delta') draft.reasoning += part.text;
    if (part.type === 'tool-call') draft.toolCalls.push({ id: part.toolCallId, name: part.toolName, input: part.input as JsonValue });
    if (part.type === 'start-step') draft.warnings = part.warnings.map((warning) => JSON.stringify(warning));
    if (part.type === 'error') draft.error = errorOf(part.error);
    if (part.type === 'finish') readFinish(draft, part);
  }
}

export function aiSdkClients(): readonly Client[] {
  return PROVIDERS.map((provider) => ({
    name: `ai 6 with ${provider.name}`,
    format: provider.format,
    deliveries: ['whole', 'streamed'],
    transport: 'platform',
    ask: (question: Question): Promise<Answer> => AnswerDraft.of(
      (draft) => (question.delivery === 'whole' ? readWhole : readStream)(provider, question, draft), errorOf,
    ),
  }));
}
