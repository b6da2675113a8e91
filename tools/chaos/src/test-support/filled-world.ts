import { type AccountId, type ProcessId, type RequestId, type ReservationId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { anEnding, requestFacts } from '@tollgate/testkit';
import { SeededRandom } from '@tollgate/testkit/programs';
import { openBeside } from '../books/database-view.js';
import { World, type WorldOptions } from '../world/world.js';

const clock = new SystemClock();
/** Pieces of output of the request that was served. */
export const PIECES = 4;

/** One request that was served and told of, one that is running, and one credit that was acknowledged. */
async function fillBooks({ ground, accounts, acknowledged }: World): Promise<void> {
  const accountId = accounts[0]?.id ?? ('' as AccountId);
  const store = await openBeside(ground.database);
  const ownerId = 'process_alive' as ProcessId;
  const at = clock.now();
  await store.ledger.checkpoint({ ownerId, progress: new Map(), at, leaseExpiresAt: at });
  for (const number of [1, 2]) {
    await store.ledger.reserve({
      reservationId: `rsv_${number}` as ReservationId, ownerId, amount: ServiceTokens.parse('5'), floor: ServiceTokens.parse('5'), expiresAt: at,
      facts: requestFacts({ requestId: `req_${number}` as RequestId, accountId, attribution: String(number), startedAt: at }),
    });
  }
  const ending = anEnding(PIECES, { endedAt: at });
  const { charge } = await store.ledger.settle({ reservationId: 'rsv_1' as ReservationId, ending });
  const receipt = { requestId: 'req_1', debited: charge.amount.toString() };
  acknowledged.note({ number: 1, status: 200, seen: PIECES, leftAtHold: false, receipt });
  await store.ledger.credit({ accountId, amount: ServiceTokens.parse('3'), reference: 'told', actor: SYSTEM_ACTOR, at });
  acknowledged.credits.push({ reference: 'told', amount: '3' });
  await store.close();
}

/** A world without gateways, in whose books something has happened. */
export async function createFilledWorld(options: Omit<WorldOptions, 'surroundings'>): Promise<World> {
  const upstream = { port: 1, sentFor: () => PIECES, letGo: () => undefined, close: () => undefined };
  const world = await World.create({ ...options, surroundings: { program: '', upstream, random: new SeededRandom(1), nextNumber: () => 1 } });
  await fillBooks(world);
  return world;
}
