import type { JsonObject } from '@tollgate/core';
import {
  chatChunks, chatCompletion, framesOf, messagesEvents, messagesReply, responsesEvents, responsesReply, type ScriptedReply,
} from '@tollgate/testkit';
import * as fc from 'fast-check';
import { MessagesReplyAssembler } from '../anthropic/messages-reply-assembler.js';
import { ChatReplyAssembler } from '../openai/chat-reply-assembler.js';
import type { ReplyTerms } from '../reply/reply-assembler.js';
import { ResponsesReplyAssembler } from '../responses/responses-reply-assembler.js';
import { type NewAssembler, readPieces, type ReadReply, readWhole } from './calls.js';

export interface ReplyKind {
  readonly newAssembler: (terms: ReplyTerms) => NewAssembler;
  readonly frames: (reply: ScriptedReply) => readonly string[];
  readonly whole: (reply: ScriptedReply) => JsonObject;
}

const TERMS: ReplyTerms = { newToolCallId: () => 'made', localStopSequences: [], modelReasons: false };
const MODEL = 'm';

export const REPLY_KINDS: Readonly<Record<'openai' | 'anthropic' | 'responses', ReplyKind>> = {
  openai: {
    newAssembler: (terms) => (writer) => new ChatReplyAssembler(writer, terms),
    frames: (reply) => framesOf(chatChunks(reply, MODEL)),
    whole: (reply) => chatCompletion(reply, MODEL),
  },
  anthropic: {
    newAssembler: (terms) => (writer) => new MessagesReplyAssembler(writer, terms),
    frames: (reply) => framesOf(messagesEvents(reply, MODEL), { done: 'missing' }),
    whole: (reply) => messagesReply(reply, MODEL),
  },
  responses: {
    newAssembler: (terms) => (writer) => new ResponsesReplyAssembler(writer, terms),
    frames: (reply) => framesOf(responsesEvents(reply, MODEL), { done: 'missing' }),
    whole: (reply) => responsesReply(reply, MODEL),
  },
};

/** Feeds each frame to the assembler in a read of its own. */
export function readFrames({ newAssembler }: ReplyKind, frames: readonly string[]): ReadReply {
  return readPieces(newAssembler(TERMS), frames.map((frame) => Buffer.from(frame)));
}

export function readAs(delivery: 'whole' | 'stream', kind: ReplyKind, reply: ScriptedReply): ReadReply {
  return delivery === 'stream' ? readFrames(kind, kind.frames(reply)) : readWhole(kind.newAssembler(TERMS), JSON.stringify(kind.whole(reply)));
}

const arbitraryPieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\n', '"', ' '), minLength: 1 }), { minLength: 1, maxLength: 3 });

export const arbitraryScriptedReply: fc.Arbitrary<ScriptedReply> = fc.record({
  text: arbitraryPieces,
  reasoning: arbitraryPieces,
  toolCalls: fc.array(fc.record({ id: fc.uuid(), name: fc.constantFrom('look', 'find'), arguments: fc.constantFrom('{}', '{"a":1}') }), { maxLength: 2 }),
}, { requiredKeys: [] });
