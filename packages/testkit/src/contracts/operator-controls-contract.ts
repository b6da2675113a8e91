import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type AuditTrail, type IncidentLimit, later, type ModelSlug, type OperatorControls, type PlatformState, SYSTEM_ACTOR, tokenCount,
} from '@tollgate/core';
import { STORE_NOON } from './store-subject.js';

/** Operators' switches, what they show, and the trail they leave; all on one empty store. */
export interface OperatorControlsSubject {
  readonly controls: OperatorControls;
  readonly platform: PlatformState;
  readonly auditTrail: AuditTrail;
  close?(): Promise<void>;
}

export type MakeOperatorControls = () => OperatorControlsSubject | Promise<OperatorControlsSubject>;

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const SMALL = 'small' as ModelSlug;
const LIMIT: IncidentLimit = { model: SMALL, setAt: STORE_NOON, requestsPerMinute: 10, tokensPerMinute: tokenCount(1000), concurrentRequests: null, expiresAt: STORE_NOON };

/** What operators' switches guarantee, whatever keeps them: in force on the next look, and on record. */
export function operatorControlsContract(name: string, make: MakeOperatorControls): void {
  describe(`OperatorControls contract: ${name}`, () => {
    let subject: OperatorControlsSubject | null = null;
    const start = async (): Promise<OperatorControlsSubject> => {
      subject = await make();
      return subject;
    };
    afterEach(async () => {
      await subject?.close?.();
      subject = null;
    });

    it('begins with nothing switched', async () => {
      const { platform, auditTrail } = await start();
      expect(platform.current()).toMatchObject({ maintenance: false, incidentLimits: new Map() });
      expect(platform.current().isNetworkBlocked('127.0.0.1')).toBe(false);
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 0, firstBrokenEntry: null, fault: null });
    });

    it('switches maintenance on and off, and records what changed something', async () => {
      const { controls, platform, auditTrail } = await start();
      for (const state of ['off', 'on', 'on', 'off'] as const) {
        await controls.setMaintenance(state, BY);
        expect(platform.current().maintenance).toBe(state === 'on');
      }
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 2, firstBrokenEntry: null, fault: null });
    });

    it('sets, replaces and clears an incident limit', async () => {
      const { controls, platform } = await start();
      await controls.setIncidentLimit(LIMIT, BY);
      expect(platform.current().incidentLimits.get(SMALL)).toEqual(LIMIT);
      const replaced = { ...LIMIT, setAt: later(STORE_NOON, 1), requestsPerMinute: null, concurrentRequests: 0, expiresAt: null };
      await controls.setIncidentLimit(replaced, BY);
      expect(platform.current().incidentLimits.get(SMALL)).toEqual(replaced);
      expect(await controls.clearIncidentLimit(SMALL, BY)).toBe(true);
      expect(await controls.clearIncidentLimit(SMALL, BY)).toBe(false);
      expect(platform.current().incidentLimits.size).toBe(0);
    });

    it.each<[string, readonly string[], readonly string[]]>([
      ['10.1.2.3', ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:0a01:0203', '0:0:0:0:0:ffff:10.1.2.3'], ['10.1.2.4', '::10.1.2.3']],
      ['10.1.2.0/24', ['10.1.2.0', '10.1.2.255', '::ffff:10.1.2.77'], ['10.1.3.0', '10.1.1.255']],
      ['10.1.2.99/24', ['10.1.2.0', '10.1.2.255'], ['10.1.3.0']],
      ['::ffff:10.1.2.0/120', ['10.1.2.7', '::ffff:10.1.2.7'], ['10.1.3.7']],
      ['2001:db8::/32', ['2001:db8::1', '2001:0DB8:ffff::', '2001:db8::1%eth0'], ['2001:db9::1', '10.1.2.3']],
      ['2001:db8::1', ['2001:db8::1', '2001:db8:0:0:0:0:0:1'], ['2001:db8::2']],
      ['0.0.0.0/0', ['1.2.3.4', '255.255.255.255', '::ffff:1.2.3.4'], ['2001:db8::1']],
    ])('blocks exactly the network %s', async (network, inside, outside) => {
      const { controls, platform } = await start();
      expect(await controls.blockNetwork(network, null, BY)).toBe('blocked');
      const snapshot = platform.current();
      expect(inside.filter((address) => !snapshot.isNetworkBlocked(address))).toEqual([]);
      expect(outside.filter((address) => snapshot.isNetworkBlocked(address))).toEqual([]);
      // Fails closed: an address that cannot be read may be one of them.
      expect(['unknown', '', '10.9.9.9:80'].filter((address) => !snapshot.isNetworkBlocked(address))).toEqual([]);
    });

    it('names one network by one name, however it is written', async () => {
      const { controls } = await start();
      expect(await controls.blockNetwork('::ffff:192.0.2.9/120', 'abuse', BY)).toBe('blocked');
      expect(await controls.blockNetwork('192.0.2.77/24', null, BY)).toBe('blocked-already');
      expect(await controls.blockNetwork('2001:DB8:0::5/64', null, BY)).toBe('blocked');
      const blocks = [...await controls.listNetworkBlocks()];
      expect(blocks).toEqual([
        { network: '192.0.2.0/24', reason: 'abuse', blockedAt: STORE_NOON }, { network: '2001:db8::/64', reason: null, blockedAt: STORE_NOON },
      ]);
      expect(await controls.unblockNetwork('192.0.2.1/24', BY)).toBe('unblocked');
      expect(await controls.unblockNetwork('192.0.2.0/24', BY)).toBe('not-blocked');
      expect(await controls.listNetworkBlocks()).toHaveLength(1);
    });

    it.each(['', 'localhost', '10.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/', '::/129', 'fe80::1%eth0', '10.0.0.0/x'])('takes %j for no network', async (network) => {
      const { controls } = await start();
      expect(await controls.blockNetwork(network, null, BY)).toBe('malformed');
      expect(await controls.unblockNetwork(network, BY)).toBe('malformed');
    });
  });
}
