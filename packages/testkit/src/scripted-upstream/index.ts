export type { Behaviour, Step } from './behaviour.js';
export * from './behaviours.js';
export { chatChunk, chatChunks, chatCompletion } from './chat-completion.js';
export { type Framing, framesOf, type LineEnd } from './framing.js';
export { Gate } from './gate.js';
export { messagesEvents, messagesReply } from './messages-reply.js';
export { modelOf, type RecordedRequest, wantsStream } from './recorded-request.js';
export type { ScriptedReply, ScriptedToolCall } from './scripted-reply.js';
export * from './scripted-upstream.js';
