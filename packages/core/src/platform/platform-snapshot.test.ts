import { describe, expect, it } from '@jest/globals';
import { createMemoryStore } from '@tollgate/adapters-memory';
import { checkPlatform, GatewayError, instant, type Instant, SYSTEM_ACTOR, UNTIL_UNBLOCKED } from '@tollgate/core';
import { MAINTENANCE } from '@tollgate/testkit';

const BY = { actor: SYSTEM_ACTOR, at: instant(0) };
const NOON = instant(Date.UTC(2026, 10, 23, 12));

describe('the refusal before a key is read', () => {
  const { platform } = createMemoryStore();
  const refusalFor = (address: string, now: Instant = NOON): GatewayError | null => {
    try {
      checkPlatform(platform, address, now);
      return null;
    } catch (thrown) {
      if (thrown instanceof GatewayError) return thrown;
      throw thrown;
    }
  };

  it('is maintenance_mode during maintenance, otherwise ip_blocked from a blocked network, otherwise none', async () => {
    const codesFor = (...addresses: readonly string[]) => addresses.map((address) => refusalFor(address)?.code ?? 'none');
    expect(codesFor('192.0.2.1')).toEqual(['none']);
    await platform.blockNetwork('192.0.2.0/24', UNTIL_UNBLOCKED, BY);
    expect(codesFor('192.0.2.1', '::ffff:192.0.2.1', '198.51.100.1')).toEqual(['ip_blocked', 'ip_blocked', 'none']);
    await platform.setMaintenance(MAINTENANCE, BY);
    expect(codesFor('192.0.2.1', '198.51.100.1')).toEqual(['maintenance_mode', 'maintenance_mode']);
    expect(refusalFor('198.51.100.1')).toMatchObject({ message: 'The service is in maintenance. Please try again later.', retryAfterSeconds: null });
  });

  it('names planned maintenance from its start to its end, with the operator’s message', async () => {
    const endsAt = instant(NOON + 90_000);
    await platform.setMaintenance({ startsAt: NOON, endsAt, message: 'New machines.' }, BY);
    const at = (now: number) => refusalFor('198.51.100.1', instant(now));
    expect([at(NOON - 1), at(endsAt)]).toEqual([null, null]);
    expect(at(NOON)).toMatchObject({
      code: 'maintenance_mode', message: 'The service is in maintenance until 2026-11-23T12:01:30.000Z. New machines.', retryAfterSeconds: 90,
    });
    expect(at(endsAt - 1)).toHaveProperty('retryAfterSeconds', 1);
  });
});
