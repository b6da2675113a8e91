import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { services } from '../composition/services.js';
import { createGateway } from '../composition/container.js';
import type { Gateway } from '../gateway/gateway.js';
import { TestBrowser } from '../test-support/test-browser.js';
import { makeDemoAccount } from './demo-account.js';

let folder = '';
let gateway: Gateway;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-demo-'));
  gateway = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` });
});

afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

const LINK = /^http:\/\/localhost:\d+\/dashboard\/link#token=[A-Za-z0-9_-]{43}$/;

it('the demo account is created once by concurrent starts on an empty database, and never again', async () => {
  const made = await Promise.all([makeDemoAccount(gateway), makeDemoAccount(gateway), makeDemoAccount(gateway)]);
  expect(made.filter((demo) => demo !== null)).toEqual([expect.objectContaining({ key: expect.stringMatching(/^sk-/), signInLink: expect.stringMatching(LINK) })]);
  expect(await makeDemoAccount(gateway)).toBeNull();
  expect((await gateway.container.get(services.accounts).list({ limit: 10, after: null })).accounts).toHaveLength(1);
});

it('the demo account belongs to an operator, who can sign in once with its link', async () => {
  const demo = await makeDemoAccount(gateway);
  const token = demo?.signInLink?.split('#token=')[1] ?? '';
  const browser = new TestBrowser(gateway);
  expect((await browser.call(contract.signInByLink, { body: { token } })).status).toBe(200);
  expect((await browser.call(contract.me)).body).toMatchObject({ person: { email: 'demo@localhost', role: 'operator' }, account: { name: 'Demo' } });
  expect((await new TestBrowser(gateway).call(contract.signInByLink, { body: { token } })).body.error?.code).toBe('sign_in_failed');
});
