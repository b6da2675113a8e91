import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { type Clock, type GatewayError, type GenerationEventBatch, type RequestId, type StreamEncoder, toGatewayError } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { chatFormat } from '@tollgate/wire-chat';
import { HttpExchange } from '../http-exchange.js';
import { DiscardPace } from '../discard-pace.js';
import { type SseStream, writeSse } from './write-sse.js';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function serve(write: (res: ServerResponse) => Promise<void>): Promise<string> {
  server = createServer((_req, res) => void write(res));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const BATCH: GenerationEventBatch = [{ type: 'block-delta', index: 0, delta: 'x' }];

/** Events that count calls of `return`. */
class CountedEvents implements AsyncIterator<GenerationEventBatch, undefined> {
  returned = 0;

  constructor(private batches: number) {}

  next(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    this.batches -= 1;
    return Promise.resolve(this.batches < 0 ? { done: true, value: undefined } : { done: false, value: BATCH });
  }

  return(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    this.returned += 1;
    return Promise.resolve({ done: true, value: undefined });
  }
}

function encoderOf(encode: () => string): StreamEncoder {
  return { encode, encodeError: ({ code }: GatewayError) => `error: ${code}\n\n` };
}

function streamTo(res: ServerResponse, { events, encoder, clock }: Pick<SseStream, 'events' | 'encoder'> & { readonly clock: Clock }, failures: GatewayError[] = []): SseStream {
  const exchange = new HttpExchange({
    req: res.req as Request, res: res as Response, requestId: 'req_1' as RequestId, clientAddress: '', clock, startedAt: clock.now(), errorFormat: chatFormat, discards: new DiscardPace(clock), onDone: () => undefined,
  });
  return { exchange, events, encoder, keepAliveFrame: ': still here\n\n', errorOf: toGatewayError, onFailure: (error) => void failures.push(error) };
}

it('an event that cannot be encoded ends its stream, and the client receives an error', async () => {
  const events = new CountedEvents(3);
  const failures: GatewayError[] = [];
  const broken = encoderOf(() => {
    throw new Error('secret');
  });
  const url = await serve((res) => writeSse(streamTo(res, { events, encoder: broken, clock: new ManualClock() }, failures)));
  expect(await (await fetch(url)).text()).toBe('error: internal_error\n\n');
  expect(events.returned).toBe(1);
  expect(failures).toMatchObject([{ code: 'internal_error', cause: { message: 'secret' } }]);
});

it('events that are encoded as an empty text write nothing and leave no timer', async () => {
  const clock = new ManualClock();
  const frames = ['', 'a\n\n', '', 'b\n\n'];
  const events = new CountedEvents(frames.length);
  const url = await serve((res) => writeSse(streamTo(res, { events, encoder: encoderOf(() => frames.shift() ?? ''), clock })));
  expect(await (await fetch(url)).text()).toBe('a\n\nb\n\n');
  expect(clock.pendingTasks).toBe(0);
});
