import { type Instant, MACHINE_SCOPES, type MachineScope, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, SYSTEM_ACTOR } from '@tollgate/core';
import { Machines } from '@tollgate/identity';
import type { World } from '../world/open-world.js';

/** Adds a revoked machine, one that is about to expire, and one in use whose secret is being rotated. */
export async function addMachines({ gateway, clock }: World): Promise<void> {
  const end = clock.now();
  const machines = gateway.container.get(Machines);
  const create = async (name: string, scopes: readonly MachineScope[], { networks = [], days = 90 }: { readonly networks?: readonly string[]; readonly days?: number } = {}) => {
    clock.stopAt((clock.now() + MILLISECONDS_PER_MINUTE) as Instant);
    const by = { actor: SYSTEM_ACTOR, at: clock.now() };
    const made = await machines.create({ name, scopes, networks, expiresAt: (by.at + days * MILLISECONDS_PER_DAY) as Instant }, by);
    if (made.outcome !== 'created') throw new Error(`the machine ${name} was not created: ${made.outcome}`);
    return { ...made.issued, by };
  };
  const old = await create('Old portal', ['accounts:read', 'accounts:write', 'sign-in:write']);
  await machines.revoke(old.machine.id, old.by);
  await create('Accounting system of the group', ['usage:read'], { networks: ['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48', '192.0.2.0/28', '192.0.2.64/28'], days: 5 });
  const shop = await create('Shop', MACHINE_SCOPES.filter((scope) => scope !== 'keys:write'), { networks: ['127.0.0.1'] });
  await machines.authenticate({ text: shop.secret.reveal(), address: '127.0.0.1' }, clock.now());
  await machines.rotate({ id: shop.machine.id, overlapMilliseconds: MILLISECONDS_PER_DAY, expiresAt: null }, shop.by);
  clock.stopAt(end);
}
