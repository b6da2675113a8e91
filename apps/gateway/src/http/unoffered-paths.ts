import { GatewayError } from '@tollgate/core';
import { isUnder, pathOf } from './request-target.js';

interface Unoffered {
  /** Path, including those below it; `*` is any segment. */
  readonly path: string;
  readonly message: string;
}

const GENERATE = 'POST /v1/chat/completions, POST /v1/messages or POST /v1/responses';

/** Addresses of other services, and common mistakes, with advice. Of two matching paths, the longer one is first. */
const UNOFFERED: readonly Unoffered[] = [
  { path: '/v1/messages/v1', message: 'This address names its endpoint twice: the client adds /v1/messages by itself, so leave it out of its base URL.' },
  { path: '/v1/responses/responses', message: 'This address names its endpoint twice: the client\'s base URL must end in /v1.' },
  { path: '/v1/chat/completions/chat/completions', message: 'This address names its endpoint twice: the client\'s base URL must end in /v1.' },
  {
    path: '/v1/chat/completions/*',
    message: 'Stored chat completions are not offered. POST /v1/responses stores its responses for a limited time.',
  },
  { path: '/v1/v1', message: 'This address contains /v1 twice: the client adds /v1 by itself, so leave it out of its base URL.' },
  { path: '/v1/messages/batches', message: 'Message batches are not offered. Send each request by itself to POST /v1/messages.' },
  { path: '/v1/batches', message: `Batches are not offered. Send each request by itself to ${GENERATE}.` },
  {
    path: '/v1/responses/compact',
    message: 'Compaction is not offered. Ask a model for a summary with POST /v1/responses, and continue with it.',
  },
  {
    path: '/v1/responses/*/cancel',
    message: 'Cancelling is not offered, because no response runs in the background. To stop a response, close its connection.',
  },
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
  { path: '/v1/agents', message: `Agents are not offered. Use ${GENERATE} with tools.` },
  { path: '/v1/sessions', message: `Sessions are not offered. Send the whole conversation to ${GENERATE}.` },
  { path: '/v1/containers', message: 'Containers are not offered: the client runs all tools.' },
  { path: '/v1/skills', message: 'Skills are not offered: the client runs all tools.' },
  { path: '/v1/videos', message: 'Videos are not offered: all models here generate text.' },
  { path: '/v1/evals', message: 'Evals are not offered.' },
  { path: '/v1/vector_stores', message: 'Vector stores are not offered.' },
  { path: '/v1/fine_tuning', message: 'Fine-tuning is not offered.' },
  { path: '/v1/realtime', message: `Realtime sessions are not offered. Use ${GENERATE} with stream: true.` },
  { path: '/chat/completions', message: 'The client\'s base URL must end in /v1: the endpoint is POST /v1/chat/completions.' },
  { path: '/messages', message: 'The path lacks /v1: the endpoint is POST /v1/messages.' },
  { path: '/models', message: 'The path lacks /v1: the endpoint is GET /v1/models.' },
  { path: '/responses', message: 'The path lacks /v1: the endpoint is POST /v1/responses.' },
  { path: '/completions', message: 'The path lacks /v1, and text completions are not offered. Use POST /v1/chat/completions.' },
  { path: '/embeddings', message: 'Embeddings are not offered: all models here generate text.' },
  { path: '/api', message: `Ollama's own API is not offered. Use ${GENERATE}, and GET /v1/models for the models.` },
];

const DOUBLE_SLASH = 'This address has two slashes in a row: leave out the one at the end of the client\'s base URL.';
const NOTHING_HERE = 'There is nothing at this address.';

function isAtOrBelow(path: string, root: string): boolean {
  if (!root.includes('*')) return isUnder(path, root);
  const segments = path.split('/', root.split('/').length);
  return root.split('/').every((segment, position) => segment === segments[position] || (segment === '*' && (segments[position] ?? '') !== ''));
}

/** Advice for an address in `UNOFFERED`; `null` for other addresses. */
function alternativeTo(target: string): string | null {
  const path = pathOf(target).toLowerCase();
  return UNOFFERED.find((unoffered) => isAtOrBelow(path, unoffered.path))?.message ?? null;
}

/**
 * The error for a method: 405, or 404 with an alternative if the address is another service's, such as `/v1/responses/compact`, which looks like an
 * id.
 */
export function unofferedMethod(target: string, allowed: string): GatewayError {
  const alternative = alternativeTo(target);
  return alternative === null ? new GatewayError('method_not_allowed', `This address accepts only ${allowed}.`) : new GatewayError('not_found', alternative);
}

/** The error for an unknown path: 404, with an alternative if the address is that of another service. */
export function unofferedPath(target: string): GatewayError {
  return new GatewayError('not_found', alternativeTo(target) ?? (pathOf(target).includes('//') ? DOUBLE_SLASH : NOTHING_HERE));
}
