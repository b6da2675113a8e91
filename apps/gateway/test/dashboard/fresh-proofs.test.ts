import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import { PAY_AS_YOU_GO, SYSTEM_ACTOR } from '@tollgate/core';
import { FRESH_PROOF_MILLISECONDS, Operators } from '@tollgate/identity';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';

const FRESH = (Object.entries(contract) as [string, RouteDefinition][]).filter(([, { fresh }]) => fresh === true);
const CREDIT = { svc_tokens: '1', reference: 'gift 1', reason: 'a gift' };

let running: TestGateway;
let operator: TestPerson;
let browser: TestBrowser;

async function signIn(): Promise<void> {
  expect((await browser.call(contract.signIn, { body: { email: operator.person.email, password: operator.password } })).status).toBe(200);
}

/** Error code of a request with unknown ids, and with an empty object if the route has a body. */
async function codeOf(route: RouteDefinition): Promise<string | undefined> {
  const path = `/dashboard/api${route.path.replaceAll(/\{\w+\}/g, 'none')}`;
  return (await browser.send({ method: route.method.toUpperCase(), path, ...(route.body === undefined ? {} : { body: '{}' }) })).body.error?.code;
}

async function credit(): Promise<string> {
  const { status, body } = await browser.call(contract.creditAccount, { params: { id: running.caller.account.id }, body: CREDIT });
  return body.error?.code ?? String(status);
}

beforeAll(async () => {
  running = await startTestGateway();
  operator = await addPerson(running.gateway, 'olga@example.com', 'operator');
});
afterAll(() => running.close());
beforeEach(() => {
  browser = new TestBrowser(running.gateway);
});

it.each(FRESH)('%s requires a proof that is at most ten minutes old', async (_name, route) => {
  await signIn();
  expect(await codeOf(route)).not.toBe('fresh_proof_required');
  await signIn();
  running.clock.advance(FRESH_PROOF_MILLISECONDS);
  expect(await codeOf(route)).toBe('fresh_proof_required');
});

it.each([
  'creditAccount', 'refundRequest', 'correctBalance', 'deleteAccount', 'createKeyOfAccount', 'revokeKeyOfAccount', 'endSessionsOfPerson', 'changeAddressOfAccount', 'resendMail', 'createMachine', 'rotateMachine', 'revokeMachine', 'createVouchers', 'revokeVoucherBatch',
  'createWebhook', 'changeWebhook', 'rotateWebhook', 'createOperatorWebhook', 'changeOperatorWebhook', 'rotateOperatorWebhook',
])('%s requires a recent proof, since it moves money, gives access or cannot be undone', (name) => {
  expect(FRESH.map(([fresh]) => fresh)).toContain(name);
});

describe('an operator', () => {
  it('whose password proof is too old may act again after a new proof', async () => {
    await signIn();
    running.clock.advance(FRESH_PROOF_MILLISECONDS);
    expect(await credit()).toBe('fresh_proof_required');
    expect((await browser.call(contract.provePassword, { body: { password: operator.password } })).status).toBe(200);
    expect(await credit()).toBe('200');
  });

  it('who signed in by a link may act for ten minutes, and then needs a new link', async () => {
    const operators = running.gateway.container.get(Operators);
    const by = () => ({ actor: SYSTEM_ACTOR, at: running.clock.now() });
    const { id } = await operators.appoint({ email: 'op@example.com', name: 'Op', planId: PAY_AS_YOU_GO, by: by() });
    for (let time = 0; time < 2; time += 1) {
      const token = await operators.issueLink(id, by()) ?? '';
      expect((await browser.call(contract.signInByLink, { body: { token } })).status).toBe(200);
      expect(await credit()).toBe('200');
      running.clock.advance(FRESH_PROOF_MILLISECONDS);
      expect(await credit()).toBe('fresh_proof_required');
    }
  });
});
