import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, rfc3339 } from '@tollgate/core';
import { AdminWorld } from './admin-world.js';

let world: AdminWorld;

beforeEach(async () => { world = await AdminWorld.start(); });
afterEach(() => world.close());

it('a machine reads its scopes, its networks and when each of its valid secrets expires, but no secret', async () => {
  const { machine, secret } = await world.machine(['usage:read'], { networks: ['127.0.0.0/8'] });
  await world.machine(['events:read']);
  const headers = { authorization: `Bearer ${secret.reveal()}` };
  const expiresAt = rfc3339(later(world.clock.now(), 90 * MILLISECONDS_PER_DAY));
  const before = await world.call('/machine', headers);
  expect(before.body).toMatchObject({
    object: 'machine', id: machine.id, status: 'active', scopes: ['usage:read'], networks: ['127.0.0.0/8'], expires_at: expiresAt, previous_secret_expires_at: null,
  });
  await world.machines.rotate({ id: machine.id, overlapMilliseconds: MILLISECONDS_PER_HOUR, expiresAt: later(world.clock.now(), MILLISECONDS_PER_DAY) }, world.by());
  const after = await world.call('/machine', headers);
  expect(after.body).toMatchObject({ expires_at: rfc3339(later(world.clock.now(), MILLISECONDS_PER_DAY)), previous_secret_expires_at: rfc3339(later(world.clock.now(), MILLISECONDS_PER_HOUR)) });
  expect(before.text + after.text).not.toContain(secret.reveal());
});
