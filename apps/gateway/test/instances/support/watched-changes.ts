import { type Instant, invariant, type PlanId, SYSTEM_ACTOR } from '@tollgate/core';
import { changeStanding } from '@tollgate/testkit';
import { services } from '../../../src/composition/services.js';
import type { Gateway } from '../../../src/gateway/gateway.js';
import type { TestCaller } from '../../../src/test-support/start-test-gateway.js';
import { Crowd, type CrowdReply } from './crowd.js';
import type { AskedGateways } from './shared-promises.js';

/** Plan of the account before the change to `OTHER_PLAN`. */
export const WATCHED_PLAN = 'ample';
const OTHER_PLAN = 'minute-37';

/** A change, and the reply by which a gateway shows that it knows of the change. */
export interface WatchedChange {
  readonly name: string;
  readonly make: (gateway: Gateway, caller: TestCaller) => Promise<unknown>;
  readonly known: (reply: CrowdReply) => boolean;
}

function refused(status: number, code: string): WatchedChange['known'] {
  return (reply) => reply.status === status && Crowd.codeOf(reply) === code;
}

function now({ container }: Gateway): { readonly actor: typeof SYSTEM_ACTOR; readonly at: Instant } {
  return { actor: SYSTEM_ACTOR, at: container.get(services.clock).now() };
}

export const CHANGES: readonly WatchedChange[] = [
  {
    name: 'a key is revoked',
    make: (gateway, { account, keyId }) => gateway.container.get(services.keys).revoke(account.id, keyId, now(gateway)),
    known: refused(401, 'invalid_api_key'),
  },
  {
    name: 'a key is blocked',
    make: (gateway, { account, keyId }) => gateway.container.get(services.keys).setBlocked(account.id, keyId, true, now(gateway)),
    known: refused(403, 'api_key_blocked'),
  },
  {
    name: 'a key is replaced',
    make: (gateway, { account, keyId }) => gateway.keyManagement.rotate({ accountId: account.id, keyId, actor: SYSTEM_ACTOR }),
    known: refused(401, 'invalid_api_key'),
  },
  {
    name: 'an account is blocked',
    make: (gateway, { account }) => changeStanding(gateway.container.get(services.accounts), account.id, { blocked: true }, now(gateway)),
    known: refused(403, 'account_blocked'),
  },
  {
    name: 'an account is suspended',
    make: (gateway, { account }) => changeStanding(gateway.container.get(services.accounts), account.id, { status: 'suspended' }, now(gateway)),
    known: refused(403, 'account_inactive'),
  },
  {
    name: 'an account has another plan',
    make: (gateway, { account }) => gateway.accountAdministration.change(account.id, { planId: OTHER_PLAN as PlanId }, SYSTEM_ACTOR),
    known: ({ status, body }) => status === 200 && body.includes(`"${OTHER_PLAN}"`),
  },
];

/** The first change of the list. Gateways must know of it within five seconds even without notifications. */
export const REVOCATION: WatchedChange = CHANGES[0] ?? ((): never => {
  throw new Error('there are no changes');
})();

const LOOK_MILLISECONDS = 2;
const MAX_MILLISECONDS = 20_000;

function read({ crowd }: AskedGateways, url: string, key: string): Promise<CrowdReply> {
  return crowd.ask({ url: `${url}/v1/account`, key });
}

/** Polls one gateway; resolves with the instant of the first reply that shows the change. */
async function knownAt(asked: AskedGateways, url: string, { key, known }: { readonly key: string; readonly known: WatchedChange['known'] }): Promise<number> {
  const deadline = performance.now() + MAX_MILLISECONDS;
  while (!known(await read(asked, url, key))) {
    if (performance.now() > deadline) throw new Error(`${url} did not notice the change in time`);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MILLISECONDS);
    });
  }
  return performance.now();
}

/**
 * Makes a change, and resolves with the milliseconds until every gateway knows. All have the old state in their caches, so only a notification tells
 * them.
 */
export async function waitForChange(asked: AskedGateways, caller: TestCaller, { make, known }: WatchedChange): Promise<number> {
  const { key } = caller;
  for (const url of asked.urls) {
    const reply = await read(asked, url, key);
    invariant(reply.status === 200 && !known(reply), 'nothing has changed yet');
  }
  const changedAt = performance.now();
  await make(asked.deployment.gateway(0), caller);
  const times = await Promise.all(asked.urls.map((url) => knownAt(asked, url, { key, known })));
  return Math.max(...times) - changedAt;
}
