import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import type { JsonObject } from '@tollgate/core';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';
import { Crowd } from './support/crowd.js';
import { Deployment } from './support/deployment.js';
import { EMBEDDED, SHARED, type SetUp } from './support/set-up.js';
import { sharedCatalogue } from './support/shared-catalogue.js';

const SIMULTANEOUS = 100;
/** Maximum number of active keys on the sign-up plan. */
const QUOTA = 5;
const PER_HOUR = 20;
const PUBLIC_URL = 'http://localhost:8080';
const TWO_GATEWAYS: SetUp = { ...SHARED, name: 'PostgreSQL and Redis, two gateways', gateways: 2 };

/** Number of replies by status and code. */
function tally(replies: readonly PageReply[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const name = `${status} ${body.error?.code ?? ''}`.trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe.each([EMBEDDED, TWO_GATEWAYS])('many requests for keys at once, on $name,', (setUp) => {
  let deployment: Deployment;
  let people = 0;
  const crowd = new Crowd();

  beforeAll(async () => {
    const environment = { PUBLIC_URL, SIGN_UP: 'open', SECRET: Buffer.alloc(32, 7).toString('base64') };
    deployment = await Deployment.start({ setUp, catalogue: sharedCatalogue, environment });
  }, 60_000);
  afterAll(async () => {
    crowd.close();
    await deployment.close();
  });

  /** Browsers with the same session, one per gateway. */
  async function signedIn(): Promise<readonly TestBrowser[]> {
    const { person, password } = await addPerson(deployment.gateway(0), `owner-${people += 1}@example.com`);
    const browsers = deployment.gateways.map((gateway) => new TestBrowser(gateway, PUBLIC_URL));
    const [first] = browsers;
    await first?.call(contract.signIn, { body: { email: person.email, password } });
    for (const browser of browsers) for (const [name, value] of first?.cookies ?? []) browser.cookies.set(name, value);
    return browsers;
  }

  function oneOf(browsers: readonly TestBrowser[], number: number): TestBrowser {
    const browser = browsers[number % browsers.length];
    if (browser === undefined) throw new RangeError('there is at least one gateway');
    return browser;
  }

  function create(browsers: readonly TestBrowser[], number: number): Promise<PageReply> {
    return oneOf(browsers, number).call(contract.createKey, { body: {} });
  }

  async function activeKeys(browsers: readonly TestBrowser[]): Promise<readonly JsonObject[]> {
    const { data } = (await oneOf(browsers, 0).call(contract.listKeys)).body as { readonly data: readonly JsonObject[] };
    return data.filter(({ status }) => status === 'active');
  }

  it('create one key if there is room for one', async () => {
    const browsers = await signedIn();
    for (let made = 0; made < QUOTA - 1; made += 1) await create(browsers, made);
    const replies = await Promise.all(Array.from({ length: SIMULTANEOUS }, (_, number) => create(browsers, number)));
    expect(tally(replies)).toEqual({ '201': 1, '409 key_quota_exceeded': SIMULTANEOUS - 1 });
    expect(await activeKeys(browsers)).toHaveLength(QUOTA);
  }, 30_000);

  it('rotate a key into one successor', async () => {
    const browsers = await signedIn();
    const key = await create(browsers, 0);
    const params = { id: textOf(key, 'id') };
    const replies = await Promise.all(Array.from({ length: SIMULTANEOUS }, (_, number) => oneOf(browsers, number).call(contract.rotateKey, { params })));
    expect(tally(replies)).toEqual({ '201': 1, '409 conflict': SIMULTANEOUS - 1 });
    const [successor] = replies.filter(({ status }) => status === 201) as [PageReply];
    expect((await activeKeys(browsers)).map(({ id }) => id)).toEqual([textOf(successor, 'id')]);
    const statuses = (secret: string) => Promise.all(deployment.gateways.map(async ({ url }) => (await crowd.ask({ url: `${url}/v1/models`, key: secret })).status));
    expect(new Set(await statuses(textOf(successor, 'secret')))).toEqual(new Set([200]));
    expect((await statuses(textOf(key, 'secret')))[0]).toBe(401);
  }, 30_000);

  it('create at most 20 keys an hour on all gateways together', async () => {
    const browsers = await signedIn();
    for (let made = 0; made < PER_HOUR - 1; made += 1) {
      const key = await create(browsers, made);
      await oneOf(browsers, made + 1).call(contract.revokeKey, { params: { id: textOf(key, 'id') } });
    }
    const replies = await Promise.all([0, 1, 2, 3].map((number) => create(browsers, number)));
    expect(tally(replies)).toEqual({ '201': 1, '429 key_creations_exceeded': 3 });
    const retryAfter = Number(replies.find(({ status }) => status === 429)?.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(3500);
    expect(retryAfter).toBeLessThanOrEqual(3600);
  }, 30_000);
});
