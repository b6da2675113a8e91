import { describe, expect, it } from '@jest/globals';
import { createMemoryStore } from '@tollgate/adapters-memory';
import { checkPlatform, instant, SYSTEM_ACTOR } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';

const BY = { actor: SYSTEM_ACTOR, at: instant(0) };

describe('what stops a request before its key is looked at', () => {
  it('is maintenance, then a blocked network, and else nothing', async () => {
    const { platform } = createMemoryStore();
    const codeFor = (address: string) => refusalOf(() => checkPlatform(platform, address))?.code ?? 'none';
    expect(codeFor('192.0.2.1')).toBe('none');
    await platform.blockNetwork('192.0.2.0/24', null, BY);
    expect([codeFor('192.0.2.1'), codeFor('::ffff:192.0.2.1'), codeFor('198.51.100.1')]).toEqual(['ip_blocked', 'ip_blocked', 'none']);
    await platform.setMaintenance('on', BY);
    expect([codeFor('192.0.2.1'), codeFor('198.51.100.1')]).toEqual(['maintenance_mode', 'maintenance_mode']);
  });
});
