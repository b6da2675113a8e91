import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import { type AccountId, type JsonObject, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { replies, until } from '@tollgate/testkit';
import { type CallParts, type PageReply, TestBrowser, TestMailbox, textOf } from '../../src/test-support/test-browser.js';
import { CHAT, type Format, FORMATS } from '../acceptance/support/formats.js';
import { Deployment } from './support/deployment.js';
import { EMBEDDED, SHARED, type SetUp } from './support/set-up.js';
import { MODEL, sharedCatalogue, UPSTREAM_MODEL } from './support/shared-catalogue.js';

const EMAIL = 'ann@example.test';
const PASSWORD = 'correct horse battery';
const USAGE = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };
const ORIGIN = 'http://localhost:8080';
const SETTINGS = { SIGN_UP: 'open', REQUIRE_SECOND_FACTOR: 'none', PUBLIC_URL: ORIGIN, SECRET: 'ab'.repeat(32) };
const SET_UPS: readonly SetUp[] = [EMBEDDED, { ...SHARED, name: 'PostgreSQL and Redis, two gateways, each step on the other one', gateways: 2 }];

interface Asked {
  readonly status: number;
  readonly requestId: string;
  /** `null` if the request was refused. */
  readonly debited: string | null;
}

describe.each(SET_UPS)('an owner on $name', (setUp) => {
  let mailbox: TestMailbox;
  let deployment: Deployment;
  let browser: TestBrowser;
  let steps = 0;

  beforeAll(async () => {
    mailbox = await TestMailbox.start();
    deployment = await Deployment.start({ setUp, catalogue: sharedCatalogue, services: { mail: mailbox.route }, environment: SETTINGS });
    deployment.upstream.always(UPSTREAM_MODEL, replies({ text: ['Hello', ' there'], usage: USAGE }));
    browser = new TestBrowser(deployment.gateway(0), ORIGIN);
  }, 60_000);
  afterAll(async () => {
    await deployment.close();
    await mailbox.close();
  });

  /** Calls a route; each call goes to the next gateway. */
  function call<const Route extends RouteDefinition>(route: Route, parts: CallParts<Route> = {}): Promise<PageReply> {
    browser.use(deployment.gateway(steps += 1));
    return browser.call(route, parts);
  }

  async function ask(format: Format, secret: string): Promise<Asked> {
    const response = await fetch(`${deployment.gateway(steps += 1).url}${format.path}`, {
      method: 'POST', headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' }, body: JSON.stringify(format.body(MODEL, 'Hello!')),
    });
    const reply = (await response.json()) as JsonObject;
    const { status, headers } = response;
    return { status, requestId: headers.get('x-request-id') ?? '', debited: status === 200 ? format.readWhole(reply).figures.debited : null };
  }

  async function statusOf(secret: string): Promise<number> {
    return (await ask(CHAT, secret)).status;
  }

  it('signs up, uses a key in every format, sees the charges, revokes the key, signs out, and cancels a deletion', async () => {
    expect((await call(contract.signUp, { body: { email: EMAIL, name: 'Ann Example', password: PASSWORD } })).status).toBe(202);
    const { page, token } = await mailbox.nextLink(EMAIL);
    expect(page).toBe('verify');
    expect((await call(contract.signIn, { body: { email: EMAIL, password: PASSWORD } })).status).toBe(401);
    expect((await call(contract.verifyEmail, { body: { token, password: PASSWORD } })).status).toBe(200);
    await call(contract.signOut);
    expect((await call(contract.signIn, { body: { email: EMAIL, password: PASSWORD } })).status).toBe(200);

    const account = (await call(contract.me)).body['account'] as { readonly id: AccountId };
    const credit = { accountId: account.id, amount: ServiceTokens.parse('100'), reference: 'first', actor: SYSTEM_ACTOR };
    await deployment.gateway(steps += 1).accountAdministration.credit(credit);

    const made = await call(contract.createKey, { body: { name: 'first key' } });
    const secret = textOf(made, 'secret');
    const asked: Asked[] = [];
    for (const format of FORMATS) asked.push(await ask(format, secret));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    const records = (await call(contract.listUsage)).body['data'] as readonly { readonly request_id: string; readonly svc_tokens_debited: string }[];
    expect(records.map(({ request_id: id }) => id)).toEqual(asked.map(({ requestId }) => requestId).toReversed());
    for (const { requestId, debited } of asked) {
      const { body } = await call(contract.readUsage, { params: { request_id: requestId } });
      expect(body).toMatchObject({ svc_tokens_debited: debited, charge: { debited } });
    }

    const rotated = await call(contract.rotateKey, { params: { id: textOf(made, 'id') } });
    const next = textOf(rotated, 'secret');
    await until(async () => await statusOf(secret) === 401);
    expect(await statusOf(next)).toBe(200);
    await call(contract.revokeKey, { params: { id: textOf(rotated, 'id') } });
    await until(async () => await statusOf(next) === 401);

    const elsewhere = new TestBrowser(deployment.gateway(steps += 1), ORIGIN);
    expect((await elsewhere.call(contract.signIn, { body: { email: EMAIL, password: PASSWORD } })).status).toBe(200);
    expect((await call(contract.signOutEverywhere)).status).toBe(204);
    elsewhere.use(deployment.gateway(steps));
    expect((await elsewhere.call(contract.me)).body.error?.code).toBe('not_signed_in');

    await call(contract.signIn, { body: { email: EMAIL, password: PASSWORD } });
    expect((await call(contract.requestDeletion)).body).toMatchObject({ standing: 'pending-deletion' });
    expect((await mailbox.next(EMAIL)).subject).toContain('delet');
    expect((await call(contract.createKey, { body: {} })).body.error?.code).toBe('account_inactive');
    expect((await call(contract.cancelDeletion)).body).toMatchObject({ standing: 'good' });
  }, 30_000);
});
