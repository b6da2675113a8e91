import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, instant, StoreUnavailable, type UsageQuery, type UsageReader } from '@tollgate/core';
import { anEnding, Gate, StoreDriver, until } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn, type TestBrowser } from '../../src/test-support/test-browser.js';

const STEPS = 25;
const RECORDS_PER_STEP = 40;
/** Makes each step of an export larger than the buffers of a connection. */
const USER = 'x'.repeat(40_000);
const GRACE_SECONDS = 30;
const EXPORT = '/dashboard/api/usage/export?format=ndjson';

let running: TestGateway;
let ann: TestBrowser;
let bob: TestBrowser;
/** Steps that have begun; each awaits `beforeStep`. */
let steps = 0;
let beforeStep: (step: number) => Promise<void>;

/** Reads few records per step, and counts the steps. */
function stepped(usage: UsageReader): UsageReader {
  const list = async (query: UsageQuery): ReturnType<UsageReader['list']> => {
    steps += 1;
    await beforeStep(steps);
    return usage.list({ ...query, limit: RECORDS_PER_STEP });
  };
  return new Proxy(usage, { get: (target, name) => (name === 'list' ? list : Reflect.get(target, name) as unknown) });
}

async function serve(accountId: AccountId): Promise<void> {
  const driver = new StoreDriver(running.parts.store);
  for (let number = 0; number < STEPS * RECORDS_PER_STEP; number += 1) {
    await driver.serve(number, anEnding(0, { endedAt: instant(number) }), { accountId, attribution: USER });
  }
}

/** Begins an export whose response is not read. */
function begin(browser: TestBrowser): Promise<{ readonly req: ClientRequest; readonly res: IncomingMessage }> {
  const { hostname, port } = new URL(running.url);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, path: EXPORT, headers: { host: `localhost:${port}`, cookie } }, (res) => resolve({ req, res }));
    req.on('error', reject).end();
  });
}

/** Number of lines received. Rejects if the connection breaks. */
async function linesOf(res: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of res) lines += (chunk as Buffer).toString('latin1').split('\n').length - 1;
  return lines;
}

/** Resolves once `steps` stops changing. */
async function standstill(): Promise<void> {
  let [before, quiet] = [-1, 0];
  await until(() => {
    quiet = steps === before ? quiet + 1 : 0;
    before = steps;
    return quiet > 20;
  });
}

beforeAll(async () => {
  running = await startTestGateway({ services: ({ store }) => ({ usage: stepped(store.usage) }) });
  const [first, second] = [await addSignedIn(running.gateway, 'ann@example.com'), await addSignedIn(running.gateway, 'bob@example.com')];
  [ann, bob] = [first.browser, second.browser];
  await serve(first.accountId);
});
afterAll(() => running.close());
beforeEach(() => {
  steps = 0;
  beforeStep = () => Promise.resolve();
});
afterEach(() => standstill());

describe('an export', () => {
  it('is read from the store at the client’s pace, and is complete', async () => {
    const { res } = await begin(ann);
    await standstill();
    expect(steps).toBeLessThan(STEPS);
    expect(await linesOf(res)).toBe(STEPS * RECORDS_PER_STEP);
    expect(steps).toBe(STEPS);
  });

  it('ends when the client disconnects', async () => {
    const { req } = await begin(ann);
    req.on('error', () => undefined);
    req.destroy();
    await until(async () => (await ann.send({ method: 'HEAD', path: EXPORT })).status === 200);
    await standstill();
    expect(steps).toBeLessThan(STEPS);
  });

  it('that fails before its first record gets an error reply, and does not delay the next export', async () => {
    beforeStep = () => Promise.reject(new StoreUnavailable(new Error('away')));
    for (const _ of [1, 2]) {
      const reply = await ann.send({ method: 'GET', path: EXPORT });
      expect([reply.status, reply.headers['content-disposition'], reply.body.error?.code]).toEqual([503, undefined, 'service_unavailable']);
    }
  });

  it('that fails after its first record breaks the connection', async () => {
    beforeStep = (step) => (step < 3 ? Promise.resolve() : Promise.reject(new StoreUnavailable(new Error('away'))));
    const { res } = await begin(ann);
    await expect(linesOf(res)).rejects.toThrow('aborted');
    expect(res.complete).toBe(false);
  });

  it('is refused while another export of the same person runs', async () => {
    const gate = new Gate();
    beforeStep = (step) => (step === 1 ? gate.opened : Promise.resolve());
    const first = begin(ann);
    await until(() => steps === 1);
    const second = await ann.send({ method: 'GET', path: EXPORT });
    expect([second.status, second.body.error?.code, second.headers['retry-after']]).toEqual([429, 'too_many_attempts', '5']);
    expect((await bob.send({ method: 'HEAD', path: EXPORT })).status).toBe(200);
    gate.open();
    expect(await linesOf((await first).res)).toBe(STEPS * RECORDS_PER_STEP);
    expect((await ann.send({ method: 'HEAD', path: EXPORT })).status).toBe(200);
  });

  it('that lasts longer than the grace period of a shutdown has its connection broken', async () => {
    const gate = new Gate();
    beforeStep = (step) => (step === 3 ? gate.opened : Promise.resolve());
    const { res } = await begin(ann);
    const lines = linesOf(res).catch((failure: unknown) => String(failure));
    await until(() => steps === 3);
    const closed = running.close();
    for (let second = 0; second <= GRACE_SECONDS; second += 1) await running.clock.advanceAsync(1_000);
    gate.open();
    expect(await lines).toBe('Error: aborted');
    expect(steps).toBe(3);
    await closed;
  });
});
