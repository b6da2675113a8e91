import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@tollgate/testkit/programs';
import type { DatabaseView } from '../books/database-view.js';
import type { FaultSight, RoundOptions } from './fault-round.js';
import { onPostgres } from './on-postgres.js';
import { pendingIn } from './pending-receipts.js';

/** Time for progress that a checkpoint stores: longer than the checkpoint interval, shorter than the upstream's hold. */
const PROGRESS_MILLISECONDS = 7000;
/** Time in which another gateway must sweep: leases last 15 s, and sweeps run every 2 s. */
const SWEEP_MILLISECONDS = 40_000;

/** Query for the number and the charge of each swept request. */
const SWEPT = "select attribution, charge from usage_records where end_reason = 'crashed'";

async function sweptOf(view: DatabaseView, numbers: readonly number[]): Promise<readonly bigint[]> {
  const [rows = []] = await view.read([SWEPT]);
  return rows.filter(([number]) => numbers.includes(Number(number))).map(([, charge]) => BigInt(charge ?? '0'));
}

/** Queues settlements with pending receipts until another gateway has swept their reservations, and then lets the settlements be booked. */
export async function sweepWhilePending(options: RoundOptions): Promise<FaultSight> {
  const { world, network, throughNetwork } = await onPostgres(options);
  const cutOff = await world.startGateway({ DATABASE_URL: throughNetwork });
  await world.startGateway();
  const held = world.holdAll(cutOff);
  await until(() => held.numbers.every((number) => world.upstream.sentFor(number) > 0));
  await pause(PROGRESS_MILLISECONDS);
  network.blackHole();
  world.upstream.letGo();
  const ended = await held.ended;
  const { notes, violations } = pendingIn(ended);
  await until(async () => (await sweptOf(world.view, held.numbers)).length === held.numbers.length, SWEEP_MILLISECONDS).catch(() => undefined);
  const charges = await sweptOf(world.view, held.numbers);
  network.heal();
  const inPart = charges.filter((charge) => charge > 0n).length;
  return {
    world, notes: [...notes, `${charges.length} reservations were swept before they were settled, ${inPart} of them with a charge`],
    violations: [...violations, ...charges.length === held.numbers.length ? [] : [`only ${charges.length} of ${held.numbers.length} reservations were swept before they were settled`]],
  };
}
