import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODEL } from './attacks.js';

// A model server that answers at once, and with 500 to pictures, as servers of text-only models do.

const MODELS = JSON.stringify({ object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'siege' }] });
const REPLY = JSON.stringify({
  id: 'chatcmpl-siege', object: 'chat.completion', created: 0, model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
});
const EVENTS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello there.' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } },
].map((event) => `data: ${JSON.stringify({ id: 'chatcmpl-siege', object: 'chat.completion.chunk', created: 0, model: MODEL, ...event })}\n\n`);
const FAILURE = '{"error":{"code":500,"message":"image input is not supported","type":"server_error"}}';

function send(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function answer(body: string, res: ServerResponse): void {
  if (body.includes('image_url')) send(res, 500, FAILURE);
  else if (body.includes('"stream":true')) res.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${EVENTS.join('')}data: [DONE]\n\n`);
  else send(res, 200, REPLY);
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
