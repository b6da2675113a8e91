import { afterEach, describe, expect, it } from '@jest/globals';
import { BodyBudget } from '../src/http/body-budget.js';
import { StoredLoads } from '../src/routes/generation/stored-loads.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { textReply } from '../src/test-support/test-catalogue.js';

const BODY = { model: 'flooding', max_tokens: 20_000_000, messages: [{ role: 'user', content: 'Hi' }] };
const KEY = { 'idempotency-key': 'large' };
const CHARACTERS = 2_000_000;
/** Units of unbilled work per minute; a replay of the large reply costs 31. */
const UNITS = 600;

let gateway: TestGateway;
afterEach(() => gateway.close());

const post = (): Promise<Response> => gateway.post('/v1/messages', BODY, KEY);

async function serveOnce({ characters = CHARACTERS, units = UNITS } = {}): Promise<{ readonly text: string; readonly held: number[]; mostReading: number }> {
  gateway = await startTestGateway({ settings: { unbilledPerMinuteAccount: units }, credit: '1000000000' });
  gateway.provider.script('flooding', textReply('x'.repeat(characters)));
  const text = await (await post()).text();
  const budget = gateway.gateway.container.get(BodyBudget);
  const { idempotency } = gateway.parts.store;
  const read = idempotency.reply.bind(idempotency);
  const seen = { text, held: [] as number[], mostReading: 0 };
  let reading = 0;
  idempotency.reply = async (name) => {
    reading += 1;
    seen.mostReading = Math.max(seen.mostReading, reading);
    seen.held.push(budget.used.large);
    const reply = await read(name);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    reading -= 1;
    return reply;
  };
  return seen;
}

describe('a large reply that is replayed to many requests at once', () => {
  it('is read for one request at a time, with its bytes reserved, until the account’s units are used up', async () => {
    const seen = await serveOnce();
    const replies = await Promise.all(Array.from({ length: 300 }, async () => {
      const reply = await post();
      return { status: reply.status, isSame: await reply.text() === seen.text };
    }));
    const statuses = replies.map(({ status }) => status);
    expect(replies.every(({ status, isSame }) => isSame === (status === 200))).toBe(true);
    const most = Math.floor(UNITS / 31);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect([seen.mostReading, statuses.filter((status) => status === 200).length, seen.held.length]).toEqual([1, most, most]);
    expect(Math.min(...seen.held)).toBeGreaterThan(CHARACTERS);
    expect(Math.max(...seen.held)).toBeLessThan(CHARACTERS + 1000);
    expect(gateway.gateway.container.get(BodyBudget).used).toEqual({ small: 0, large: 0, arriving: 0 });
    await eventually(() => gateway.gateway.container.get(StoredLoads).accounts === 0);
  });
});

describe('a replay whose client does not read', () => {
  /** More characters than the buffers of a socket hold. */
  const characters = 8_000_000;

  async function readingNothing(): Promise<RawConnection> {
    const connection = await RawConnection.open(gateway.url);
    const body = JSON.stringify(BODY);
    connection.pause();
    void connection.send(`POST /v1/messages HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\nidempotency-key: large\r\n`
      + `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return connection;
  }

  it('prevents other replays of its account until the client disconnects', async () => {
    const { held } = await serveOnce({ characters, units: 0 });
    const slow = await readingNothing();
    await eventually(() => held.length === 1);
    const refused = await post();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('read slowly') } });
    expect(held).toHaveLength(1);
    slow.destroy();
    await eventually(() => gateway.gateway.container.get(StoredLoads).accounts === 0);
    const again = await post();
    expect([again.status, (await again.text()).length > characters]).toEqual([200, true]);
    await eventually(() => gateway.gateway.container.get(StoredLoads).accounts === 0);
  });
});
