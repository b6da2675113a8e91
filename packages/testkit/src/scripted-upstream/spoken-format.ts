import type { JsonObject } from '@tollgate/core';
import { chatChunks, chatCompletion } from './chat-completion.js';
import { type Framing, framesOf } from './framing.js';
import { messagesError, messagesEvents, messagesReply } from './messages-reply.js';
import type { RecordedRequest } from './recorded-request.js';
import type { ScriptedReply } from './scripted-reply.js';

/** How a reply is said in one wire format. */
export interface SpokenFormat {
  whole(reply: ScriptedReply, model: string): JsonObject;
  /** The texts of a stream's frames. */
  frames(reply: ScriptedReply, model: string, framing?: Framing): readonly string[];
  /** The body that an error has, whole or in the middle of a stream. */
  errorBody(error: JsonObject): JsonObject;
}

const CHAT: SpokenFormat = {
  whole: chatCompletion,
  frames: (reply, model, framing) => framesOf(chatChunks(reply, model), framing),
  errorBody: (error) => ({ error }),
};

/** Events have names in this format, and the last one is an event like the others. */
const MESSAGES: SpokenFormat = {
  whole: messagesReply,
  frames: (reply, model, framing) => framesOf(messagesEvents(reply, model), { ...framing, done: 'missing' }),
  errorBody: messagesError,
};

/** A request is answered in the format of the endpoint it came to. */
export function formatOf({ path }: Pick<RecordedRequest, 'path'>): SpokenFormat {
  return path.split('?')[0]?.endsWith('/messages') === true ? MESSAGES : CHAT;
}
