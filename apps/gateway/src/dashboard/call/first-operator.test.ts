import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { services } from '../../composition/services.js';
import { startTestGateway, type TestGateway } from '../../test-support/start-test-gateway.js';
import { addPerson, TestBrowser } from '../../test-support/test-browser.js';
import { adviseOnFirstOperator } from './first-operator.js';

let running: TestGateway;
beforeEach(async () => { running = await startTestGateway(); });
afterEach(() => running.close());

async function shownCommand(): Promise<unknown> {
  return (await new TestBrowser(running.gateway).call(contract.signInMethods)).body['first_operator'];
}

/** What `adviseOnFirstOperator` logs. */
async function advice(): Promise<readonly unknown[]> {
  const { gateway: { container }, parts: { logged } } = running;
  const before = logged.length;
  await adviseOnFirstOperator(container.get(services.people), container.get(services.log));
  return logged.slice(before).map(({ msg }) => msg);
}

it('the log and the sign-in page say how to make the first operator, until there is one', async () => {
  await addPerson(running.gateway, 'ada@example.com');
  expect(await shownCommand()).toBe('tollgate operators create EMAIL');
  expect(await advice()).toEqual(['no operator exists yet: on this machine, `tollgate operators create EMAIL` makes the first one and prints a link to sign in']);
  await addPerson(running.gateway, 'op@example.com', 'operator');
  expect([await shownCommand(), await advice()]).toEqual([null, []]);
});
