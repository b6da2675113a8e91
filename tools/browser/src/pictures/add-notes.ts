import { AccountNotes, type Actor, GATEWAY_ORIGIN, type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Resident, World } from '../world/open-world.js';

interface NotesOf {
  readonly about: Resident;
  readonly by: Resident;
}

/** Adds notes of one operator, a minute apart. */
export async function addNotes({ gateway, clock }: World, { about, by }: NotesOf, texts: readonly string[]): Promise<void> {
  const notes = gateway.container.get(AccountNotes);
  const actor: Actor = { kind: 'operator', id: by.person.id, origin: GATEWAY_ORIGIN };
  for (const text of texts) {
    clock.stopAt((clock.now() + MILLISECONDS_PER_MINUTE) as Instant);
    await notes.add({ accountId: about.accountId, text, actor });
  }
}
