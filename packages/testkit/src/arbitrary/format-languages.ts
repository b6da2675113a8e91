import type { Conversation, GenerationRequest, OutputSchema, Sampling, TextBlock, ThinkingBlock, ToolResultBlock, Turn, UserBlock } from '@tollgate/core';
import * as fc from 'fast-check';
import {
  decimalWithin, documentOf, expressibleConversation, expressibleRequest, imageSource, matching, saidText, sentText, textBlock, toolName, writtenObject,
} from './arbitrary-request.js';

const imageBlock = imageSource.map((source) => ({ type: 'image' as const, source }));
const nonEmptyText = fc.oneof(saidText, fc.constantFrom(' ', '\n', '\t'));
const BILLING_HEADER = 'x-anthropic-billing-header';
const instruction = saidText.filter((text) => !text.startsWith(BILLING_HEADER));

const NO_SAMPLING: Sampling = { temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null };
/** A messages request always states whether to think. */
const THINKING_REASONINGS = ['off', 'on', 'low', 'high', 'max'] as const;

type ReplyFormat = Pick<GenerationRequest, 'responseFormat' | 'outputSchema'>;

const plainReply = fc.constant<ReplyFormat>({ responseFormat: 'text', outputSchema: null });

function schemaReply(said: { readonly [Key in Exclude<keyof OutputSchema, 'schema'>]: fc.Arbitrary<OutputSchema[Key]> }): fc.Arbitrary<ReplyFormat> {
  const outputSchema = fc.record<OutputSchema>({ ...said, schema: writtenObject.map(documentOf) });
  return outputSchema.map((schema): ReplyFormat => ({ responseFormat: 'json', outputSchema: schema }));
}

/** At most one block, for places where the format would join several blocks into one text. */
function atMostOne<Block>(block: fc.Arbitrary<Block>): fc.Arbitrary<readonly Block[]> {
  return fc.option(block).map((one) => (one === null ? [] : [one]));
}

function user(content: readonly UserBlock[]): Turn {
  return { role: 'user', content };
}

function unsigned(text: string): ThinkingBlock {
  return { type: 'thinking', text, signature: null };
}

function nullable(value: fc.Arbitrary<number>): fc.Arbitrary<number | null> {
  return fc.option(value);
}

/** A list of parts if it contains an image, and otherwise one text, which may be empty. */
const chatUserContent: fc.Arbitrary<readonly UserBlock[]> = fc.oneof(
  sentText.map((text) => [textBlock(text)]),
  fc.tuple(fc.array(fc.oneof(imageBlock, sentText.map(textBlock)), { maxLength: 3 }), imageBlock, fc.nat())
    .map(([others, image, place]) => others.toSpliced(place % (others.length + 1), 0, image)),
);

/** Results as tool messages: text without an error flag, separate from the user's next message. */
function chatResults(ids: readonly string[]): fc.Arbitrary<readonly Turn[]> {
  const results = fc.tuple(...ids.map((toolCallId) => atMostOne(nonEmptyText.map(textBlock))
    .map((content): ToolResultBlock => ({ type: 'tool-result', toolCallId, content, isError: false }))));
  return fc.tuple(results, fc.option(chatUserContent)).map(([blocks, said]) => [user(blocks), ...(said === null ? [] : [user(said)])]);
}

/**
 * Requests that the chat format transfers unchanged: each message without images has one text, thinking has no signatures, results are text, and
 * arguments are objects.
 */
export const chatLanguage: fc.Arbitrary<GenerationRequest> = expressibleRequest({
  conversation: expressibleConversation({
    system: atMostOne(nonEmptyText.map(textBlock)),
    instruction: atMostOne(nonEmptyText.map(textBlock)),
    thinking: atMostOne(nonEmptyText.map(unsigned)),
    besideCalls: atMostOne(nonEmptyText.map(textBlock)),
    said: nonEmptyText.map((text) => [textBlock(text)]),
    thinksAlone: true,
    argumentsJson: fc.oneof(writtenObject, fc.constant('{ "a" : 1 }')),
    asked: chatUserContent.map(user),
    answered: chatResults,
  }),
  sampling: fc.record<Sampling>({
    temperature: nullable(decimalWithin(0, 2)), topP: nullable(decimalWithin(0.01, 1)), frequencyPenalty: nullable(decimalWithin(-2, 2)), presencePenalty: nullable(decimalWithin(-2, 2)),
  }),
  reasonings: ['model-default', ...THINKING_REASONINGS],
  replyFormat: fc.oneof(plainReply, fc.constant({ responseFormat: 'json' as const, outputSchema: null }), schemaReply({
    name: toolName, description: fc.option(saidText), strict: fc.option(fc.boolean()),
  })),
  stopSequence: nonEmptyText,
  fits: () => true,
});

const saidBlock: fc.Arbitrary<TextBlock> = saidText.map(textBlock);
/** Servers of the messages format do not read SVG. */
const readImage = imageBlock.filter(({ source }) => source.kind === 'url' || source.mediaType !== 'image/svg+xml');
const saidPart = fc.oneof(readImage, saidBlock);
const signature = matching(/^[A-Za-z0-9+/]{4,40}={0,2}$/);

const messagesThinking: fc.Arbitrary<ThinkingBlock> = fc.oneof(
  fc.record({ type: fc.constant('thinking' as const), text: nonEmptyText, signature: fc.option(signature) }),
  signature.map((signed): ThinkingBlock => ({ type: 'thinking', text: '', signature: signed })),
  signature.map((data): ThinkingBlock => ({ type: 'thinking', text: '', signature: data, form: 'redacted-thinking' })),
);

/** Servers refuse trailing white space in a final assistant text. */
function withTrimmedEnd(conversation: Conversation): Conversation {
  const last = conversation.turns.at(-1);
  if (last?.role !== 'assistant') return conversation;
  const content = last.content.map((block, index) => (block.type === 'text' && index === last.content.length - 1 ? { ...block, text: block.text.trimEnd() } : block));
  return { ...conversation, turns: [...conversation.turns.slice(0, -1), { ...last, content }] };
}

/** Servers refuse two calls with the same id. */
function hasUniqueIds({ turns }: Conversation): boolean {
  const ids = turns.flatMap(({ role, content }) => (role === 'assistant' ? content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : [])) : []));
  return new Set(ids).size === ids.length;
}

const messagesResult = (toolCallId: string): fc.Arbitrary<ToolResultBlock> => fc.oneof(
  fc.array(saidPart, { maxLength: 3 }).map((content): ToolResultBlock => ({ type: 'tool-result', toolCallId, content, isError: false })),
  fc.array(saidPart, { minLength: 1, maxLength: 2 }).map((content): ToolResultBlock => ({ type: 'tool-result', toolCallId, content, isError: true })),
);

const isThinking = ({ reasoning }: GenerationRequest): boolean => reasoning !== 'model-default' && reasoning !== 'off';

/**
 * True if servers of the messages format accept the combination. They refuse thinking with a forced call or a temperature.
 * `disable_parallel_tool_use` is part of `tool_choice`.
 */
function fitsMessages(request: GenerationRequest): boolean {
  const { sampling: { temperature, topP }, toolChoice, parallelToolCalls } = request;
  if (isThinking(request) && (temperature !== null || (topP !== null && topP < 0.95))) return false;
  if (isThinking(request) && (toolChoice?.kind === 'any' || toolChoice?.kind === 'tool')) return false;
  if (parallelToolCalls === true) return false;
  return parallelToolCalls === null || (toolChoice !== null && toolChoice.kind !== 'none');
}

/**
 * Requests that the messages format transfers unchanged: blocks in the order thinking, text, calls; results before texts, with images; no blank
 * texts, and no trailing white space.
 */
export const messagesLanguage: fc.Arbitrary<GenerationRequest> = expressibleRequest({
  conversation: expressibleConversation({
    system: atMostOne(instruction.map(textBlock)),
    instruction: instruction.map((text) => [textBlock(text)]),
    thinking: fc.array(messagesThinking, { maxLength: 2 }),
    besideCalls: fc.array(saidBlock, { maxLength: 2 }),
    said: fc.array(saidBlock, { minLength: 1, maxLength: 3 }),
    thinksAlone: false,
    argumentsJson: writtenObject,
    asked: fc.array(saidPart, { minLength: 1, maxLength: 3 }).map(user),
    answered: (ids) => fc.tuple(fc.tuple(...ids.map(messagesResult)), fc.array(saidPart, { maxLength: 2 })).map(([results, said]) => [user([...results, ...said])]),
  }).map(withTrimmedEnd).filter(hasUniqueIds),
  // Servers refuse a temperature together with top_p.
  sampling: fc.oneof(
    fc.constant(NO_SAMPLING),
    decimalWithin(0, 1).map((temperature): Sampling => ({ ...NO_SAMPLING, temperature })),
    fc.oneof(decimalWithin(0.01, 1), decimalWithin(0.95, 1)).map((topP): Sampling => ({ ...NO_SAMPLING, topP })),
  ),
  reasonings: THINKING_REASONINGS,
  replyFormat: fc.oneof(plainReply, schemaReply({ name: fc.constant(null), description: fc.constant(null), strict: fc.constant(null) })),
  stopSequence: saidText,
  fits: fitsMessages,
});

const responsesResult = (toolCallId: string): fc.Arbitrary<ToolResultBlock> => fc.tuple(saidBlock, fc.array(imageBlock, { maxLength: 2 }))
  .map(([said, images]): ToolResultBlock => ({ type: 'tool-result', toolCallId, content: [said, ...images], isError: false }));

/** Results as items of their own, which are not part of the user's next message. */
function responsesResults(ids: readonly string[]): fc.Arbitrary<readonly Turn[]> {
  return fc.tuple(fc.tuple(...ids.map(responsesResult)), fc.array(saidPart, { maxLength: 2 }))
    .map(([results, said]) => [user(results), ...(said.length === 0 ? [] : [user(said)])]);
}

/**
 * Requests that the responses format transfers unchanged: each block is one item, thinking is text, there are no stop sequences, and only two
 * efforts.
 */
export const responsesLanguage: fc.Arbitrary<GenerationRequest> = expressibleRequest({
  conversation: expressibleConversation({
    system: atMostOne(saidBlock),
    instruction: saidBlock.map((block) => [block]),
    thinking: fc.array(nonEmptyText.map(unsigned), { maxLength: 2 }),
    besideCalls: fc.array(saidBlock, { maxLength: 2 }),
    said: fc.array(saidBlock, { minLength: 1, maxLength: 3 }),
    thinksAlone: false,
    argumentsJson: fc.oneof(writtenObject, fc.constant('{ "a" : 1 }')),
    asked: fc.array(saidPart, { minLength: 1, maxLength: 3 }).map(user),
    answered: responsesResults,
  }),
  sampling: fc.record<Sampling>({
    temperature: nullable(decimalWithin(0, 2)), topP: nullable(decimalWithin(0.01, 1)), frequencyPenalty: fc.constant(null), presencePenalty: fc.constant(null),
  }),
  reasonings: ['model-default', 'off', 'low', 'high'],
  replyFormat: fc.oneof(plainReply, fc.constant({ responseFormat: 'json' as const, outputSchema: null }), schemaReply({
    name: toolName, description: fc.option(saidText), strict: fc.option(fc.boolean()),
  })),
  stopSequence: saidText,
  // The smallest value that servers of the format accept.
  fits: ({ maxOutputTokens }) => maxOutputTokens !== null && maxOutputTokens >= 16,
}).map((request) => ({ ...request, stopSequences: [] }));
