import { afterEach, describe, expect, it } from '@jest/globals';
import { type AccountErasure, type AccountId, later, PAY_AS_YOU_GO, type PersonId, SYSTEM_ACTOR } from '@tollgate/core';
import { UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { anAccount, until } from '@tollgate/testkit';
import { TestGateway } from '../test-support/start-test-gateway.js';
import { DELETION_INTERVAL_MILLISECONDS } from './deletion-runner.js';

describe('DeletionRunner', () => {
  let gateway: TestGateway;

  async function start(dueForDeletion: (erasure: AccountErasure) => AccountErasure['dueForDeletion']): Promise<void> {
    gateway = await TestGateway.start({
      services: ({ store }) => ({
        erasure: {
          dueForDeletion: dueForDeletion(store.erasure),
          ownerIsLastOperator: (id) => store.erasure.ownerIsLastOperator(id),
          deleteAccount: (...act) => store.erasure.deleteAccount(...act),
          eraseLeftovers: (id) => store.erasure.eraseLeftovers(id),
        },
      }),
    });
    await gateway.change({ status: 'pending-deletion', deletion: { dueAt: later(gateway.clock.now(), 1), returnsTo: 'active' } });
  }

  function logged(message: string): number {
    return gateway.parts.logged.filter(({ msg }) => msg === message).length;
  }

  afterEach(() => gateway.close());

  it('deletes an account within a minute after its due date, and its keys stop working', async () => {
    await start((erasure) => (...query) => erasure.dueForDeletion(...query));
    expect((await gateway.fetch('/v1/account')).status).toBe(403);
    await gateway.clock.advanceAsync(DELETION_INTERVAL_MILLISECONDS);
    await until(() => logged('deleted an account') === 1);
    expect((await gateway.fetch('/v1/account')).status).toBe(401);
  });

  it('reports a failure and retries', async () => {
    let failures = 1;
    await start((erasure) => (...query) => (failures-- > 0 ? Promise.reject(new Error('the store is away')) : erasure.dueForDeletion(...query)));
    await gateway.clock.advanceAsync(DELETION_INTERVAL_MILLISECONDS);
    await until(() => logged('accounts and people due for deletion could not be deleted; the gateway retries') === 1);
    await gateway.clock.advanceAsync(DELETION_INTERVAL_MILLISECONDS);
    await until(() => logged('deleted an account') === 1);
    expect((await gateway.fetch('/v1/account')).status).toBe(401);
  });

  it.each(['succeed', 'fail'])('removes all people who did not verify their address in time, however many, while account deletions %s', async (deletions) => {
    await start((erasure) => (...query) => (deletions === 'fail' ? Promise.reject(new Error('one row is unreadable')) : erasure.dueForDeletion(...query)));
    const { parts: { store: { people } }, clock } = gateway;
    const at = later(clock.now(), DELETION_INTERVAL_MILLISECONDS - UNVERIFIED_KEPT_MILLISECONDS);
    const idOf = (number: number): PersonId => `person_unverified${number}` as PersonId;
    for (let number = 0; number < 21; number += 1) {
      const email = `person${number}@example.test`;
      await people.register({
        person: { id: idOf(number), accountId: null, email, emailVerified: false, name: 'Someone', role: 'owner', factors: [], language: null, createdAt: at }, passwordHash: 'a hash',
        account: anAccount({ id: `acct_unverified${number}` as AccountId, email, planId: PAY_AS_YOU_GO, emailVerified: false, createdAt: at }),
      }, { actor: SYSTEM_ACTOR, at });
    }
    expect(await people.find(idOf(0))).not.toBeNull();
    await clock.advanceAsync(DELETION_INTERVAL_MILLISECONDS);
    await until(() => logged('removed people who never verified their address') === 1);
    expect(await Promise.all(Array.from({ length: 21 }, (_, number) => people.find(idOf(number))))).toEqual(Array.from({ length: 21 }, () => null));
  });
});
