import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../src/test-support/start-test-gateway.js';

const CREDIT_LINE = 'Write to billing@example.com, or see https://example.com/credit.';
const CONVERSATION = { model: 'small', ...bodyOfEveryFormat('Hello', 10) };

let running: TestGateway;

beforeAll(async () => {
  running = await startTestGateway({ credit: '0.000001', settings: { dashboard: { ...TEST_SETTINGS.dashboard, creditLine: CREDIT_LINE } } });
});
afterAll(() => running.close());

it.each(FORMATS)('a refusal for the balance at $path ends with the operator’s line', async ({ path }) => {
  const reply = await running.post(path, CONVERSATION);
  const { error } = await reply.json() as { readonly error: { readonly code: string; readonly message: string } };
  expect([reply.status, error.code]).toEqual([402, 'insufficient_balance']);
  expect(error.message).toMatch(new RegExp(`^This request needs at least .+, but only 0\\.000001 are available\\. ${CREDIT_LINE}$`));
});
