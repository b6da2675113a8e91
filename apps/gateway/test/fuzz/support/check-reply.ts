import { checkChatStream, checkMessagesStream, checkResponsesStream } from '@tollgate/testkit';
import type { FuzzedReply } from './http-client.js';

function demand(condition: boolean, why: string): asserts condition {
  if (!condition) throw new Error(why);
}

type Shape = Readonly<Record<string, unknown>>;

function shapeOf(value: unknown): Shape | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : null;
}

function parsed(body: string): Shape {
  const shape = shapeOf(JSON.parse(body));
  demand(shape !== null, 'a reply is a JSON object');
  return shape;
}

type FormatName = 'chat' | 'messages' | 'responses';

/** Format of the endpoint at a path; chat for every path that belongs to neither messages nor responses. */
function formatOf(target: string): FormatName {
  const [, name] = /^(?:https?:\/\/[^/]*)?\/v1\/(messages|responses)/i.exec(target) ?? [];
  return (name?.toLowerCase() ?? 'chat') as FormatName;
}

function checkError({ headers, body }: FuzzedReply): void {
  const shape = parsed(body);
  const error = shapeOf(shape['error']);
  demand(error !== null, 'an error says what it is');
  for (const field of ['message', 'type', 'code', 'request_id']) demand(typeof error[field] === 'string' && error[field] !== '', `an error has a ${field}`);
  demand(error['request_id'] === headers['x-request-id'] && error['request_id'] === headers['request-id'], 'an error bears the id of its reply');
  demand(error['code'] !== 'internal_error', 'nothing fails unexpectedly');
}

/** Content of the error frame; `null` if there is none. Throws `GrammarBreach` if the stream is invalid. */
export function checkStream(format: FormatName, body: string): Shape | null {
  const { error, receipt } = READERS[format](body);
  if (receipt !== null) demandCharge(receipt);
  return error;
}

interface ReadStream {
  readonly error: Shape | null;
  readonly receipt: Shape | null;
}

function readChatStream(body: string): ReadStream {
  const { error, last } = checkChatStream(body);
  return { error, receipt: last };
}

function readMessagesStream(body: string): ReadStream {
  const { error, usage } = checkMessagesStream(body);
  return { error, receipt: usage };
}

function readResponsesStream(body: string): ReadStream {
  const { error, usage } = checkResponsesStream(body);
  return { error, receipt: usage };
}

const READERS: Readonly<Record<FormatName, (body: string) => ReadStream>> = { chat: readChatStream, messages: readMessagesStream, responses: readResponsesStream };

/** Maximum charge at the test models' prices: a full context window, and the output after which an endless reply is cut off. */
const HIGHEST_CHARGE = 128_000 * 0.001 + (8 * 8_192 + 64) * 0.002;

function demandCharge(usage: Shape): void {
  const charge = Number(usage['svc_tokens_debited']);
  demand(charge >= 0 && charge <= HIGHEST_CHARGE, `a charge of ${charge}`);
}

const CONTENT_FIELDS: Readonly<Record<FormatName, string>> = { chat: 'choices', messages: 'content', responses: 'output' };

function checkWhole(format: FormatName, body: string): void {
  const shape = parsed(body);
  if (shape['input_tokens'] !== undefined) return;
  const content = shape[CONTENT_FIELDS[format]];
  // A reply without output may have no items in the responses format; in the other formats it has content.
  demand(Array.isArray(content) && (content.length > 0 || format === 'responses'), 'a reply has content');
  const usage = shapeOf(shape['usage']);
  demand(usage !== null && typeof usage['svc_tokens_debited'] === 'string', 'a reply has its receipt');
  demandCharge(usage);
  for (const value of Object.values(usage)) demand(typeof value !== 'number' || (Number.isSafeInteger(value) && value >= 0), 'token counts are counts');
}

const GENERATES = /^(?:https?:\/\/[^/]*)?\/v1\/(?:chat\/completions|messages|responses)/i;

/** Throws unless the reply is one that clients can read. */
export function checkReply(target: string, method: string, reply: FuzzedReply): void {
  demand(reply.status >= 200 && reply.status < 500, `status ${reply.status}: ${reply.body}`);
  demand(typeof reply.headers['x-request-id'] === 'string', `status ${reply.status} without a request id`);
  if (method === 'HEAD') return;
  const type = reply.headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    demand(reply.status === 200, 'a stream is a success');
    const error = checkStream(formatOf(target), reply.body);
    demand(error === null, `a good upstream's stream ends in an error: ${JSON.stringify(error)}`);
    return;
  }
  demand(type.startsWith('application/json'), `a reply is JSON, not ${type}`);
  if (reply.status !== 200) checkError(reply);
  else if (method === 'POST' && GENERATES.test(target)) checkWhole(formatOf(target), reply.body);
}

/** Codes that a client may get because of a broken upstream. */
const UPSTREAM_CODES: ReadonlySet<unknown> = new Set(['provider_unavailable', 'invalid_request', 'context_length_exceeded']);

/** Returns the category of a reply from a broken upstream. Throws unless the reply is one that clients can read. */
export function checkUpstreamReply(target: string, reply: FuzzedReply): string {
  const { status, headers, body } = reply;
  if (headers['content-type']?.startsWith('text/event-stream') === true) {
    const error = checkStream(formatOf(target), body);
    demand(error === null || UPSTREAM_CODES.has(error['code']), `a stream ends in ${String(error?.['code'])}`);
    return error === null ? 'served' : 'broken off';
  }
  if (status === 200) {
    checkWhole(formatOf(target), body);
    return 'served';
  }
  checkError(reply);
  demand(status === 503 || status === 400, `status ${status}: ${body}`);
  demand(UPSTREAM_CODES.has(shapeOf(parsed(body)['error'])?.['code']), body);
  return String(status);
}
