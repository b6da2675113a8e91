import { dashboardLink, MILLISECONDS_PER_HOUR, Operators, SYSTEM_ACTOR } from '@tollgate/core';
import type { Resident, World } from './open-world.js';

/** A link that signs in once, within an hour, as the first start prints it. */
export async function oneTimeLink({ gateway, clock }: World, { person }: Resident): Promise<string> {
  const token = await gateway.container.get(Operators).issueLink(person.id, { actor: SYSTEM_ACTOR, at: clock.now() }, MILLISECONDS_PER_HOUR);
  if (token === null) throw new Error('a link can be issued for a person who exists');
  return dashboardLink(gateway.publicUrl, 'link', token);
}
