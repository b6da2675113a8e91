import { describe, expect, it } from '@jest/globals';
import { ManualClock, MemoryResponses } from '@tollgate/adapters-memory';
import { type AccountId, later } from '@tollgate/core';
import { responsesFormat } from '@tollgate/wire-responses';
import { pino } from 'pino';
import { BodyBudget } from '../../http/body-budget.js';
import { KeptReplies } from './kept-replies.js';
import { StoredLoads } from './stored-loads.js';

const ALICE = 'acct_alice' as AccountId;

/** Numbers of the event loop turns in which concurrent requests with references were decoded. */
async function turnsOf(requests: number, characters: number): Promise<readonly number[]> {
  const responses = new MemoryResponses();
  const clock = new ManualClock();
  const inputItems = Buffer.from(JSON.stringify([{ role: 'user', content: 'x'.repeat(characters) }]));
  await responses.keep({ id: 'resp_a', previousId: null, inputItems, outputItems: '[]', body: '{}', accountId: ALICE, expiresAt: later(clock.now(), 1_000) });
  const kept = new KeptReplies({ responses, loads: new StoredLoads(new BodyBudget(67_108_864, { clock, funds: { known: () => true, ask: () => undefined }, report: { refusedBody: () => undefined, cutUpload: () => undefined } })), format: responsesFormat({ seal: null, clock }), clock, log: pino({ enabled: false }) }, 1_000);
  let turn = 0;
  let ticking = setImmediate(function tick() {
    turn += 1;
    ticking = setImmediate(tick);
  });
  const turns = await Promise.all(Array.from({ length: requests }, async () => {
    const sender = { accountId: ALICE, unbilled: null, signal: new AbortController().signal, body: null };
    return kept.decodeWith(sender, { input: 'Hi', previous_response_id: 'resp_a' }, ({ stored }) => {
      expect(stored.size).toBe(1);
      return turn;
    });
  }));
  clearImmediate(ticking);
  return turns;
}

describe('requests that continue stored responses', () => {
  it('are decoded in one turn of the event loop if they are small', async () => {
    expect(new Set(await turnsOf(5, 1_000)).size).toBe(1);
  });

  it('are decoded in several turns of the event loop if they are large, so that other requests are served in between', async () => {
    expect(new Set(await turnsOf(5, 200_000)).size).toBe(5);
  });
});
