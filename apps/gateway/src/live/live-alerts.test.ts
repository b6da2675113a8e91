import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { CircuitState } from '@tollgate/adapters-upstream';
import type { Reconciliation } from '../background/reconciler.js';
import { LiveAlerts } from './live-alerts.js';

type Ports = ConstructorParameters<typeof LiveAlerts>[0];

function alertsOf(clock: ManualClock, { state, reason, differences }: { readonly state: CircuitState; readonly reason: string | null; readonly differences: number }): LiveAlerts {
  const lastFailure = reason === null ? null : { reason, at: clock.now() };
  const ports = {
    clock, outbox: { waiting: 0, releasesWaiting: 0, releasesDropped: 0, isFailing: false }, leaseKeeper: { storeState: 'ok' }, limiterHealth: { isLocal: false }, reconciler: { last: { differences } as Reconciliation },
    upstreams: { circuits: () => [{ upstreamId: 'primary', upstreamModel: 'large', state }], health: { of: () => ({ lastFailure }) } },
  };
  return new LiveAlerts(ports as unknown as Ports);
}

it('an open circuit, refused credentials and differences in the ledger are reported as alert conditions', () => {
  const clock = new ManualClock();
  expect(alertsOf(clock, { state: 'open', reason: 'bad-credentials', differences: 0 }).conditions()).toEqual([{ kind: 'upstream-down', upstreamId: 'primary', upstreamModel: 'large' }]);
  expect(alertsOf(clock, { state: 'closed', reason: 'bad-credentials', differences: 2 }).conditions()).toEqual([
    { kind: 'credentials-refused', upstreamId: 'primary' }, { kind: 'ledger-disagreement' },
  ]);
  expect(alertsOf(clock, { state: 'closed', reason: 'timeout', differences: 0 }).conditions()).toEqual([]);
});
