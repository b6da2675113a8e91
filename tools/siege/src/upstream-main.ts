import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOLD_WORD, LONG_WORD, MODEL, RESET_WORD } from './attacks/model-attacks.js';

// A model server that answers immediately. It refuses images with 500, as text-only servers do. If the prompt contains a certain word, it sends a
// long text, a delayed reply or a reset.

const MODELS = JSON.stringify({ object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'siege', max_model_len: 200_000, max_output_tokens: 100_000 }] });
/** Number of characters of a long text. A stored response contains the text twice: as it was sent, and in its items. */
const LONG_CHARACTERS = 125_000;

interface Reply {
  readonly whole: string;
  readonly stream: string;
}

function replyOf(content: string, outputTokens: number): Reply {
  const usage = { prompt_tokens: 9, completion_tokens: outputTokens, total_tokens: 9 + outputTokens };
  const events = [
    { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ].map((event) => `data: ${JSON.stringify({ id: 'chatcmpl-siege', object: 'chat.completion.chunk', created: 0, model: MODEL, ...event })}\n\n`);
  return {
    whole: JSON.stringify({
      id: 'chatcmpl-siege', object: 'chat.completion', created: 0, model: MODEL, choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage,
    }),
    stream: `${events.join('')}data: [DONE]\n\n`,
  };
}

const SHORT = replyOf('Hello there.', 4);
const LONG = replyOf('Hello there. '.repeat(LONG_CHARACTERS / 'Hello there. '.length), LONG_CHARACTERS / 4);
const FAILURE = '{"error":{"code":500,"message":"image input is not supported","type":"server_error"}}';

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

const HOLD_MILLISECONDS = 4000;

function answer(body: string, res: ServerResponse): void {
  if (body.includes(HOLD_WORD)) setTimeout(() => send(res, 200, SHORT.whole), HOLD_MILLISECONDS);
  else answerAtOnce(body, res);
}

function answerAtOnce(body: string, res: ServerResponse): void {
  const { whole, stream } = body.includes(LONG_WORD) ? LONG : SHORT;
  if (body.includes(RESET_WORD)) res.socket?.resetAndDestroy();
  else if (body.includes('image_url')) send(res, 500, FAILURE);
  else if (body.includes('"stream":true')) res.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
  else send(res, 200, whole);
}

function serve(req: IncomingMessage, res: ServerResponse): void {
  if (req.method === 'GET') {
    send(res, 200, MODELS);
    return;
  }
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => answer(Buffer.concat(chunks).toString(), res));
}

const server = createServer(serve);
server.listen({ host: '127.0.0.1', port: 0 }, () => process.send?.({ port: (server.address() as AddressInfo).port }));
