import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { checkingReplies, expectDescribed } from './described-replies.js';

let server: Server;
afterEach(() => void server.close());

/** Sends a request for a generation to a checked server that replies as given. */
async function replied(reply: RequestListener): Promise<void> {
  server = createServer(checkingReplies(reply)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`, { method: 'POST' })).text();
}

const EVENT = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], system_fingerprint: 'fp' };

it.each<readonly [name: string, reply: RequestListener]>([
  ['a success', (_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}')],
  ['a success whose headers are set one by one', (_req, res) => void res.setHeader('content-type', 'application/json').end('{"id":1}')],
  ['an event between others', (_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [EVENT, { id: 1 }, EVENT]) res.write(`data: ${JSON.stringify(event)}\n\n`);
    res.end('data: [DONE]\n\n');
  }],
  ['an error', (_req, res) => void res.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"code":"invalid_request"}}')],
])('the check finds %s of another shape than the contract describes', async (_name, reply) => {
  await replied(reply);
  expect(expectDescribed).toThrow('replies that no contract describes:\nPOST /v1/chat/completions');
  expect(expectDescribed).not.toThrow();
});

it('a stream of events that the contract describes passes the check', async () => {
  await replied((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(EVENT)}\n\n`);
    res.end('data: [DONE]\n\n');
  });
  expect(expectDescribed).not.toThrow();
});
