import type { JsonObject } from '@tollgate/core';
import { chatChunks, chatCompletion, messagesEvents, messagesReply, responsesEvents, responsesReply, type ScriptedReply } from '@tollgate/testkit';
import { type JsonTree, leaf, treeOf } from './json-tree.js';

export interface StreamFrame {
  /** `null` for a frame without an event line. */
  readonly event: string | null;
  readonly data: JsonTree;
}

export interface SoundReply {
  readonly frames: readonly StreamFrame[];
  readonly whole: JsonTree;
}

const MODEL = 'fuzzed';
const USAGE: JsonObject = {
  prompt_tokens: 40, completion_tokens: 20, total_tokens: 60, prompt_tokens_details: { cached_tokens: 8 }, completion_tokens_details: { reasoning_tokens: 5 },
};

const REPLIES: readonly ScriptedReply[] = [
  { text: ['Hello', ' there', ', \u{1F600} and good \u4E2D\u6587 day'], usage: USAGE },
  { reasoning: ['Hm', 'm.'], text: ['Yes', '.'], usage: USAGE, usagePlace: 'finish-chunk' },
  { reasoning: ['I will call', ' both.'], reasoningField: 'reasoning', toolCalls: [{ id: 'call_a', name: 'weather', arguments: ['{"city":', '"Turin"', '}'] }, { id: 'call_b', name: 'tides', arguments: ['{', '"n":1.0}'] }], toolCallOrder: 'interleaved', usage: USAGE },
  { text: ['Let me see.\n'], toolCalls: [{ id: 'call_a', name: 'weather', arguments: ['{}'] }, { id: 'call_b', name: 'weather', arguments: '' }], usagePlace: 'nowhere' },
  { text: Array.from({ length: 40 }, (_, number) => `word${number} `), finishReason: 'length', usage: USAGE },
];

export const OPENAI_REPLIES: readonly SoundReply[] = REPLIES.map((reply) => ({
  frames: [...chatChunks(reply, MODEL).map((chunk): StreamFrame => ({ event: null, data: treeOf(chunk) })), { event: null, data: leaf('[DONE]') }],
  whole: treeOf(chatCompletion(reply, MODEL)),
}));

/** Frames of SSE events, named after the `type` of their data. */
function framesOf(events: readonly JsonObject[]): readonly StreamFrame[] {
  return events.map((event) => ({ event: typeof event['type'] === 'string' ? event['type'] : null, data: treeOf(event) }));
}

export const ANTHROPIC_REPLIES: readonly SoundReply[] = REPLIES.map((reply) => ({ frames: framesOf(messagesEvents(reply, MODEL)), whole: treeOf(messagesReply(reply, MODEL)) }));

export const RESPONSES_REPLIES: readonly SoundReply[] = REPLIES.map((reply) => ({ frames: framesOf(responsesEvents(reply, MODEL)), whole: treeOf(responsesReply(reply, MODEL)) }));
