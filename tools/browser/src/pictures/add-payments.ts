import { type Instant, MILLISECONDS_PER_DAY, type SimulatedAct, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '@tollgate/gateway';
import type { Resident, World } from '../world/open-world.js';

const ACTS: readonly (readonly [daysAgo: number, act: SimulatedAct | null])[] = [[24, 'pay'], [9, 'decline'], [8.9, 'pay'], [0, null]];

export interface PaymentsInUse {
  /** Id of the newest payment that is paid. */
  readonly paymentId: string;
  /** Reference of a checkout that is still open. */
  readonly checkout: string;
}

/** Adds payments by the simulated provider: paid and declined ones, followed by one that is open. */
export async function addPayments({ gateway, clock, origin }: World, { accountId }: Resident): Promise<PaymentsInUse> {
  const { desk, simulated } = gateway.container.get(services.payments);
  const [offered] = desk.offer().packages;
  if (simulated === null || offered === undefined) throw new Error('nothing is for sale');
  const end = clock.now();
  const billing = `${origin}/dashboard/billing`;
  let [paymentId, checkout] = ['', ''];
  for (const [daysAgo, act] of ACTS) {
    clock.stopAt((end - daysAgo * MILLISECONDS_PER_DAY) as Instant);
    const payment = await desk.start({ accountId, choice: { packageId: offered.id }, saveMethod: false, returnUrlOf: (id) => `${billing}/payments/${id}`, cancelUrl: billing }, { actor: SYSTEM_ACTOR, at: clock.now() });
    checkout = payment.reference ?? '';
    if (act === null) continue;
    await simulated.act(checkout, act, accountId);
    await desk.check(payment);
    if (act === 'pay') paymentId = payment.id;
  }
  clock.stopAt(end);
  return { paymentId, checkout };
}
