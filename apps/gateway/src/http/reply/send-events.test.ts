import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { ManualClock } from '@tollgate/adapters-memory';
import type { RequestId } from '@tollgate/core';
import { chatFormat } from '@tollgate/wire-chat';
import { DiscardPace } from '../discard-pace.js';
import { HttpExchange } from '../http-exchange.js';
import { beginEvents, sendEvents } from './send-events.js';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Sends these events for every request; returns the port. */
async function serve(events: readonly string[]): Promise<number> {
  const clock = new ManualClock();
  server = createServer((req, res) => {
    const exchange = new HttpExchange({
      req: req as Request, res: res as Response, requestId: 'req_1' as RequestId, clientAddress: '', clock, startedAt: clock.now(), errorFormat: chatFormat, discards: new DiscardPace(clock), onDone: () => undefined,
    });
    exchange.addHeaders({ 'x-request-id': 'req_1' });
    beginEvents(exchange);
    for (const text of events) sendEvents(res, text);
    res.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Sends the request, and returns everything received until the server closes the connection. */
function ask(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(request));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject).on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

const EVENTS = ['data: one\n\n', 'data: zwölf 漢 😀\n\n', ': keep-alive\n\n', 'data: two\n\n'];

describe('a reply of events', () => {
  it('sends exactly the events, with the headers of the exchange', async () => {
    const reply = await fetch(`http://127.0.0.1:${await serve(EVENTS)}`);
    expect(await reply.text()).toBe(EVENTS.join(''));
    expect([...reply.headers]).toEqual(expect.arrayContaining([
      ['content-type', 'text/event-stream; charset=utf-8'], ['cache-control', 'no-store'], ['x-accel-buffering', 'no'], ['x-request-id', 'req_1'],
    ]));
  });

  it('frames each event as one chunk, and keeps the connection usable', async () => {
    const get = (connection: string): string => `GET / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;
    const replies = (await ask(await serve(EVENTS), get('keep-alive') + get('close'))).split('HTTP/1.1 200 OK\r\n').slice(1);
    const framed = EVENTS.map((event) => `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`).join('');
    expect(replies.map((reply) => reply.slice(reply.indexOf('\r\n\r\n') + 4))).toEqual([`${framed}0\r\n\r\n`, `${framed}0\r\n\r\n`]);
  });

  it('is not chunked for HTTP/1.0, and ends with its connection', async () => {
    const reply = await ask(await serve(EVENTS), 'GET / HTTP/1.0\r\n\r\n');
    expect(reply.slice(reply.indexOf('\r\n\r\n') + 4)).toBe(EVENTS.join(''));
    expect(reply.toLowerCase()).not.toContain('transfer-encoding');
  });

  it('without events has an empty, complete body', async () => {
    expect(await (await fetch(`http://127.0.0.1:${await serve([])}`)).text()).toBe('');
  });
});
