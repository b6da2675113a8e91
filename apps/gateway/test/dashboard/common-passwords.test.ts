import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, TestMailbox } from '../../src/test-support/test-browser.js';

const EMAIL = 'ann.example@big-company.test';
const WEAK = ['password', 'Qwertyuiop', 'annexample1', '3xample2026!', 'bigcompany99'];
const GOOD = 'staple of another kind';

let mailbox: TestMailbox;
let running: TestGateway;
let browser: TestBrowser;

function refusal({ status, body }: PageReply): readonly unknown[] {
  return [status, body.error?.code, body.error?.param];
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({ services: { mail: mailbox.route } });
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});
beforeEach(() => {
  running.clock.advance(MILLISECONDS_PER_HOUR);
  browser = new TestBrowser(running.gateway);
});

it.each(WEAK)('%s is refused as a password at sign-up, reset and change, and the field is named', async (weak) => {
  expect(refusal(await browser.call(contract.signUp, { body: { email: EMAIL, name: 'Ann', password: weak } }))).toEqual([400, 'invalid_request', 'password']);

  const known = `ann.example@big-company${WEAK.indexOf(weak)}.test`;
  const { password } = await addPerson(running.gateway, known);
  const own = weak.replace('bigcompany', `bigcompany${WEAK.indexOf(weak)}`);
  await browser.call(contract.signIn, { body: { email: known, password } });
  expect(refusal(await browser.call(contract.changePassword, { body: { current_password: password, new_password: own } }))).toEqual([400, 'invalid_request', 'new_password']);

  await browser.call(contract.requestReset, { body: { email: known } });
  const { token } = await mailbox.nextLink(known);
  expect(refusal(await browser.call(contract.resetPassword, { body: { token, password: own } }))).toEqual([400, 'invalid_request', 'password']);
  // The refused request did not consume the link.
  expect((await browser.call(contract.resetPassword, { body: { token, password: GOOD } })).status).toBe(200);
  expect(refusal(await browser.call(contract.resetPassword, { body: { token, password: own } }))).toEqual([400, 'token_invalid', undefined]);
});
