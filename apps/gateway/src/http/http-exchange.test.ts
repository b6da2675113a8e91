import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { ManualClock } from '@tollgate/adapters-memory';
import { type RequestId, SHUTDOWN } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { DiscardPace } from './discard-pace.js';
import { CLIENT_LEFT } from './exchange-signal.js';
import { HttpExchange } from './http-exchange.js';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** An exchange that has no reply yet; `received` is called with its reply. */
function anExchange(received: (reply: IncomingMessage) => void = () => undefined): Promise<HttpExchange> {
  const clock = new ManualClock();
  return new Promise((resolve) => {
    server = createServer((req, res) => resolve(new HttpExchange({
      req: req as Request, res: res as Response, requestId: 'req_1' as RequestId, clientAddress: '', clock, startedAt: clock.now(), errorFormat: chatFormat, discards: new DiscardPace(clock), onDone: () => undefined,
    })));
    server.listen(0, '127.0.0.1', () => get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, received).on('error', () => undefined));
  });
}

it('an exchange detects a broken connection before Node reports it', async () => {
  const exchange = await anExchange();
  const heard: unknown[] = [];
  exchange.signal.addEventListener('abort', () => heard.push(exchange.signal.reason));
  expect([exchange.signal.aborted, exchange.clientLeft]).toEqual([false, false]);
  exchange.req.socket.destroy();
  expect([exchange.res.closed, exchange.signal.aborted, exchange.clientLeft]).toEqual([false, true, true]);
  expect(heard).toEqual([CLIENT_LEFT]);
});

it('an exchange keeps the first reason for its end, and distinguishes a gateway stop from a disconnected client', async () => {
  const exchange = await anExchange();
  const { stopSignal } = exchange;
  exchange.abort(SHUTDOWN);
  exchange.abort(CLIENT_LEFT);
  expect([exchange.signal.reason, exchange.clientLeft, stopSignal.reason]).toEqual([SHUTDOWN, false, SHUTDOWN]);
});

it('an exchange calls each listener once when it ends, except removed ones', async () => {
  const exchange = await anExchange();
  const heard: string[] = [];
  const removed = (): void => void heard.push('removed');
  exchange.signal.addEventListener('abort', () => heard.push('kept'));
  exchange.signal.addEventListener('abort', removed);
  exchange.signal.removeEventListener('abort', removed);
  exchange.abort(SHUTDOWN);
  exchange.abort(CLIENT_LEFT);
  expect(heard).toEqual(['kept']);
});

it('an exchange can still send an error after Node has refused a reply with an invalid header', async () => {
  const replies: IncomingMessage[] = [];
  const exchange = await anExchange((reply) => replies.push(reply));
  exchange.addHeaders({ 'x-svc-request-id': 'req_1', 'x-svc-model': '漢字' });
  expect(() => exchange.writeHead(200, {})).toThrow('Invalid character in header');
  exchange.writeHead(500, {}).end();
  while (replies.length === 0) await new Promise(setImmediate);
  expect(replies).toMatchObject([{ statusCode: 500, headers: { 'x-svc-request-id': 'req_1' } }]);
  expect(replies[0]?.headers).not.toHaveProperty('x-svc-model');
});

it('detached work continues after the client disconnects', async () => {
  const exchange = await anExchange();
  const { stopSignal } = exchange;
  exchange.abort(CLIENT_LEFT);
  expect([exchange.signal.aborted, stopSignal.aborted, exchange.stopSignal.aborted]).toEqual([true, false, false]);
});

it.each([false, true])('an exchange sends each header once, in the order of first addition, with its last value (already set: %p)', async (isSet) => {
  let received: (reply: IncomingMessage) => void = () => undefined;
  const reply = new Promise<IncomingMessage>((resolve) => {
    received = resolve;
  });
  const exchange = await anExchange(received);
  exchange.addHeaders({ 'x-first': '1', 'x-second': '1' });
  if (isSet) exchange.setAddedHeaders();
  exchange.addHeaders({ 'x-third': '1', 'x-first': '2' });
  exchange.writeHead(200, { 'x-second': '2', 'x-last': '1' }).end();
  expect((await reply).rawHeaders.slice(0, 8)).toEqual(['x-first', '2', 'x-second', '2', 'x-third', '1', 'x-last', '1']);
});
