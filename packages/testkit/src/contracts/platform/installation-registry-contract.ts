import { afterEach, describe, expect, it } from '@jest/globals';
import { type AuditTrail, type InstallationRegistry, SYSTEM_ACTOR } from '@tollgate/core';
import { STORE_NOON } from '../store-subject.js';

/** The registry of one empty store, and the trail that its changes leave. */
interface InstallationSubject {
  readonly installation: InstallationRegistry;
  readonly auditTrail: AuditTrail;
  close?(): Promise<void>;
}

type MakeInstallation = () => InstallationSubject | Promise<InstallationSubject>;

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const PARALLEL_STARTS = 20;

/** The guarantees of the record of an installation's secret, over any store. */
export function installationRegistryContract(name: string, make: MakeInstallation): void {
  describe(`InstallationRegistry contract: ${name}`, () => {
    let subject: InstallationSubject | null = null;
    const start = async (): Promise<InstallationSubject> => {
      subject = await make();
      return subject;
    };
    afterEach(async () => {
      await subject?.close?.();
      subject = null;
    });

    it('records the first secret and recognises it', async () => {
      const { installation } = await start();
      expect(await installation.fingerprint()).toBeNull();
      expect(await installation.claim({ current: 'a', previous: null }, BY)).toBe('recorded');
      expect(await installation.claim({ current: 'a', previous: null }, BY)).toBe('same');
      expect(await installation.fingerprint()).toBe('a');
    });

    it('refuses another secret and keeps the recorded one', async () => {
      const { installation } = await start();
      await installation.claim({ current: 'a', previous: null }, BY);
      expect(await installation.claim({ current: 'b', previous: null }, BY)).toBe('other');
      expect(await installation.claim({ current: 'b', previous: 'c' }, BY)).toBe('other');
      expect(await installation.fingerprint()).toBe('a');
    });

    it('rotates from the previous secret once, and audits it', async () => {
      const { installation, auditTrail } = await start();
      await installation.claim({ current: 'a', previous: null }, BY);
      expect(await auditTrail.verifyAuditTrail()).toMatchObject({ entries: 0 });
      expect(await installation.claim({ current: 'b', previous: 'a' }, BY)).toBe('rotated');
      expect(await installation.claim({ current: 'b', previous: 'a' }, BY)).toBe('same');
      expect(await installation.claim({ current: 'a', previous: null }, BY)).toBe('other');
      expect(await installation.fingerprint()).toBe('b');
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 1, firstBrokenEntry: null, fault: null });
    });

    it('forgets a lost secret with an audit entry, and accepts the next one', async () => {
      const { installation, auditTrail } = await start();
      expect(await installation.forget(BY)).toBe(false);
      await installation.claim({ current: 'a', previous: null }, BY);
      expect(await installation.forget(BY)).toBe(true);
      expect(await installation.fingerprint()).toBeNull();
      expect(await installation.claim({ current: 'b', previous: null }, BY)).toBe('recorded');
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 1, firstBrokenEntry: null, fault: null });
    });

    it('accepts one of several secrets when gateways start concurrently on a new store', async () => {
      const { installation } = await start();
      const names = Array.from({ length: PARALLEL_STARTS }, (_, number) => `secret ${number}`);
      const claims = await Promise.all(names.map((current) => installation.claim({ current, previous: null }, BY)));
      expect(claims.filter((claim) => claim === 'recorded')).toHaveLength(1);
      expect(claims.filter((claim) => claim === 'other')).toHaveLength(PARALLEL_STARTS - 1);
      expect(await installation.fingerprint()).toBe(names[claims.indexOf('recorded')]);
    });

    it('rotates once when gateways start concurrently with the same new secret', async () => {
      const { installation, auditTrail } = await start();
      await installation.claim({ current: 'old', previous: null }, BY);
      const claims = await Promise.all(Array.from({ length: PARALLEL_STARTS }, () => installation.claim({ current: 'new', previous: 'old' }, BY)));
      expect(claims.filter((claim) => claim === 'rotated')).toHaveLength(1);
      expect(claims.filter((claim) => claim === 'same')).toHaveLength(PARALLEL_STARTS - 1);
      expect(await auditTrail.verifyAuditTrail()).toMatchObject({ entries: 1 });
    });
  });
}
