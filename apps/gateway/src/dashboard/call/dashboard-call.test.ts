import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { HttpExchange } from '../../http/http-exchange.js';
import { BackgroundWork } from './dashboard-call.js';

it('refuses work when too much runs, but none that follows from an act that is done', async () => {
  const background = new BackgroundWork(pino({ level: 'silent' }));
  const exchange = { requestId: 'req_1' } as HttpExchange;
  let end: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  const running = Array.from({ length: 256 }, () => background.start(exchange, () => isOver));
  expect(() => background.start(exchange, () => isOver)).toThrow('no room');
  let isTold = false;
  await background.follow(exchange, async () => {
    isTold = true;
  });
  expect(isTold).toBe(true);
  end();
  await Promise.all(running);
  await background.start(exchange, () => Promise.resolve());
});
