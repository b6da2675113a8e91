import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createGateway } from '../composition/create-gateway.js';
import type { Gateway } from '../composition/gateway.js';
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

it('is made by one of those who find the database empty at the same moment, and by nobody afterwards', async () => {
  const made = await Promise.all([makeDemoAccount(gateway), makeDemoAccount(gateway), makeDemoAccount(gateway)]);
  expect(made.filter((demo) => demo !== null)).toEqual([expect.objectContaining({ key: expect.stringMatching(/^sk-/) })]);
  expect(await makeDemoAccount(gateway)).toBeNull();
  expect((await gateway.foundation.store.accounts.list({ limit: 10, after: null })).accounts).toHaveLength(1);
});
