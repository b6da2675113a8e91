import type { IncomingMessage } from 'node:http';
import { GatewayError, type WireFormat } from '@tollgate/core';

export interface WireFormats {
  readonly chat: WireFormat;
  readonly messages: WireFormat;
}

const MESSAGES_PATH = '/v1/messages';
const CHAT_PATH = '/v1/chat';
const DASHBOARD_PATH = '/dashboard';
const PLAYGROUND_MESSAGES_PATH = '/dashboard/api/playground/messages';

function isUnder(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

/** What clients that take a server for a proxy put before the path. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i;

/** The path of a request target, without its query. */
export function pathOf(target: string): string {
  const url = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/**
 * Whose envelope errors have: that of the format a path belongs to.
 * On paths of both formats, the version header that only clients of the messages format send decides.
 */
export function errorFormatOf(req: IncomingMessage, formats: WireFormats): WireFormat {
  // Routes are found whatever the case of their letters.
  const path = pathOf(req.url ?? '/').toLowerCase();
  if (isUnder(path, MESSAGES_PATH) || isUnder(path, PLAYGROUND_MESSAGES_PATH)) return formats.messages;
  if (isUnder(path, CHAT_PATH) || isUnder(path, DASHBOARD_PATH)) return formats.chat;
  return req.headers['anthropic-version'] === undefined ? formats.chat : formats.messages;
}

interface Unoffered {
  /** The path, and everything below it. */
  readonly path: string;
  readonly message: string;
}

const GENERATE = 'POST /v1/chat/completions or POST /v1/messages';

/** Addresses of other services that clients try, with what to use instead. Of two that match, the longer one stands first. */
const UNOFFERED: readonly Unoffered[] = [
  { path: '/v1/chat/completions/chat/completions', message: 'This address names its endpoint twice: the client\'s base URL must end in /v1.' },
  { path: '/v1/v1', message: 'This address contains /v1 twice: the client adds /v1 by itself, so leave it out of its base URL.' },
  { path: '/v1/messages/batches', message: 'Message batches are not offered. Send each request by itself to POST /v1/messages.' },
  { path: '/v1/batches', message: `Batches are not offered. Send each request by itself to ${GENERATE}.` },
  { path: '/v1/responses', message: 'The responses API is not offered. Use POST /v1/chat/completions.' },
  { path: '/v1/completions', message: 'Text completions are not offered. Use POST /v1/chat/completions.' },
  { path: '/v1/complete', message: 'Text completions are not offered. Use POST /v1/messages.' },
  { path: '/v1/embeddings', message: 'Embeddings are not offered: all models here generate text.' },
  { path: '/v1/moderations', message: 'Moderations are not offered: all models here generate text.' },
  { path: '/v1/rerank', message: 'Reranking is not offered: all models here generate text.' },
  { path: '/v1/images', message: 'Images are not offered: all models here generate text.' },
  { path: '/v1/audio', message: 'Audio is not offered: all models here generate text.' },
  { path: '/v1/files', message: `Files are not offered. Send texts and images in the messages of ${GENERATE}.` },
  { path: '/v1/uploads', message: `Uploads are not offered. Send texts and images in the messages of ${GENERATE}.` },
  { path: '/v1/assistants', message: `Assistants are not offered. Use ${GENERATE} with tools.` },
  { path: '/v1/threads', message: `Threads are not offered. Send the whole conversation to ${GENERATE}.` },
  { path: '/v1/conversations', message: `Conversations are not offered. Send the whole conversation to ${GENERATE}.` },
  { path: '/v1/vector_stores', message: 'Vector stores are not offered.' },
  { path: '/v1/fine_tuning', message: 'Fine-tuning is not offered.' },
  { path: '/v1/realtime', message: `Realtime sessions are not offered. Use ${GENERATE} with stream: true.` },
  { path: '/chat/completions', message: 'The client\'s base URL must end in /v1: the endpoint is POST /v1/chat/completions.' },
  { path: '/messages', message: 'The version is missing: the endpoint is POST /v1/messages.' },
  { path: '/models', message: 'The version is missing: the endpoint is GET /v1/models.' },
  { path: '/responses', message: 'The version is missing, and the responses API is not offered. Use POST /v1/chat/completions.' },
  { path: '/completions', message: 'The version is missing, and text completions are not offered. Use POST /v1/chat/completions.' },
  { path: '/embeddings', message: 'Embeddings are not offered: all models here generate text.' },
  { path: '/api', message: `Ollama's own API is not offered. Use ${GENERATE}, and GET /v1/models for the models.` },
];

const NOTHING_HERE = 'There is nothing at this address.';

function isAtOrBelow(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/');
}

/** The refusal of an address that no endpoint answers: where another service has something there, its message says what to use instead. */
export function unofferedPath(target: string): GatewayError {
  const path = pathOf(target).toLowerCase();
  return new GatewayError('not_found', UNOFFERED.find((unoffered) => isAtOrBelow(path, unoffered.path))?.message ?? NOTHING_HERE);
}
