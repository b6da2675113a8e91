import { afterEach, describe, expect, it } from '../test-runner.js';
import {
  type AccountRepository, type Actor, type ApiKeyId, type AuditTrail, type IncidentLimit, type InstallationRegistry, type KeyDirectory, type KeyRepository,
  later, type Maintenance, type ModelSlug, type OperatorControls, type PlatformState, SYSTEM_ACTOR, tokenCount, UNTIL_UNBLOCKED,
} from '@tollgate/core';
import { anAccount, anApiKey, MAINTENANCE } from '../../builders/builders.js';
import { STORE_NOON } from '../store-subject.js';

/** The controls of operators, the state of the platform and the audit log, on one empty store. */
interface OperatorControlsSubject {
  readonly controls: OperatorControls;
  readonly platform: PlatformState;
  readonly auditTrail: AuditTrail;
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository & KeyDirectory;
  close?(): Promise<void>;
}

type MakeOperatorControls = () => OperatorControlsSubject | Promise<OperatorControlsSubject>;

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const OLGA: Actor = { ...SYSTEM_ACTOR, kind: 'operator', id: 'olga' };
const SMALL = 'small' as ModelSlug;
const LIMIT: IncidentLimit = { model: SMALL, setAt: STORE_NOON, requestsPerMinute: 10, tokensPerMinute: tokenCount(1000), concurrentRequests: null, expiresAt: STORE_NOON };

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

    it('starts without maintenance, limits or blocks', async () => {
      const { platform, auditTrail } = await start();
      expect(platform.current()).toMatchObject({ maintenance: null, incidentLimits: new Map(), nextBlockEndsAt: null });
      expect(platform.current().isNetworkBlocked('127.0.0.1', STORE_NOON)).toBe(false);
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 0, firstBrokenEntry: null, fault: null });
    });

    it('sets, replaces and ends maintenance, and audits only changes that have an effect', async () => {
      const { controls, platform, auditTrail } = await start();
      const planned: Maintenance = { startsAt: later(STORE_NOON, 1), endsAt: later(STORE_NOON, 2), message: 'New machines – "soon".' };
      for (const maintenance of [null, MAINTENANCE, MAINTENANCE, planned, null]) {
        await controls.setMaintenance(maintenance, BY);
        expect(platform.current().maintenance).toEqual(maintenance === null ? null : { ...maintenance, setBy: SYSTEM_ACTOR.id, setAt: STORE_NOON });
      }
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 3, firstBrokenEntry: null, fault: null });
    });

    it('sets, replaces and clears an incident limit', async () => {
      const { controls, platform } = await start();
      await controls.setIncidentLimit(LIMIT, BY);
      expect(platform.current().incidentLimits.get(SMALL)).toMatchObject(LIMIT);
      const replaced = { ...LIMIT, setAt: later(STORE_NOON, 1), requestsPerMinute: null, concurrentRequests: 0, expiresAt: null };
      await controls.setIncidentLimit(replaced, BY);
      expect(platform.current().incidentLimits.get(SMALL)).toMatchObject(replaced);
      await controls.setIncidentLimit({ ...LIMIT, model: 'large' as ModelSlug }, { ...BY, actor: OLGA });
      expect((await controls.listIncidentLimits()).map(({ model, setBy }) => [model, setBy])).toEqual([['large', 'olga'], ['small', SYSTEM_ACTOR.id]]);
      expect(await controls.clearIncidentLimit('large' as ModelSlug, BY)).toBe(true);
      expect(await controls.clearIncidentLimit(SMALL, BY)).toBe(true);
      for (const model of [SMALL, '\0' as ModelSlug]) expect(await controls.clearIncidentLimit(model, BY)).toBe(false);
      expect(platform.current().incidentLimits.size).toBe(0);
    });

    it.each<[string, readonly string[], readonly string[]]>([
      ['10.1.2.3', ['10.1.2.3', '::ffff:10.1.2.3', '::FFFF:0a01:0203', '0:0:0:0:0:ffff:10.1.2.3'], ['10.1.2.4', '::10.1.2.3']],
      ['10.1.2.0/24', ['10.1.2.0', '10.1.2.255', '::ffff:10.1.2.77'], ['10.1.3.0', '10.1.1.255']],
      ['10.1.2.99/24', ['10.1.2.0', '10.1.2.255'], ['10.1.3.0']],
      ['::ffff:10.1.2.0/120', ['10.1.2.7', '::ffff:10.1.2.7'], ['10.1.3.7']],
      ['2001:db8::/32', ['2001:db8::1', '2001:0DB8:ffff::', '2001:db8::1%eth0'], ['2001:db9::1', '10.1.2.3']],
      ['2001:db8::1', ['2001:db8::1', '2001:db8:0:0:0:0:0:1'], ['2001:db8::2']],
      ['::/0', ['2001:db8::1', '10.1.2.3', '::ffff:10.1.2.3'], []],
      ['::/96', ['::10.1.2.3'], ['10.1.2.3', '::ffff:10.1.2.3']],
      ['0.0.0.0/0', ['1.2.3.4', '255.255.255.255', '::ffff:1.2.3.4'], ['2001:db8::1']],
    ])('blocks exactly the network %s', async (network, inside, outside) => {
      const { controls, platform } = await start();
      expect((await controls.blockNetwork(network, UNTIL_UNBLOCKED, BY)).outcome).toBe('blocked');
      const snapshot = platform.current();
      expect(inside.filter((address) => !snapshot.isNetworkBlocked(address, STORE_NOON))).toEqual([]);
      expect(outside.filter((address) => snapshot.isNetworkBlocked(address, STORE_NOON))).toEqual([]);
      // An address that cannot be parsed counts as blocked, because it may belong to the network.
      expect(['unknown', '', '10.9.9.9:80'].filter((address) => !snapshot.isNetworkBlocked(address, STORE_NOON))).toEqual([]);
    });

    it('accepts a network in any notation, and normalises it', async () => {
      const { controls } = await start();
      const abuse = { reason: 'abuse', expiresAt: null };
      expect(await controls.blockNetwork('::ffff:192.0.2.9/120', abuse, BY)).toEqual({ outcome: 'blocked', network: '192.0.2.0/24' });
      expect(await controls.blockNetwork('192.0.2.77/24', UNTIL_UNBLOCKED, BY)).toEqual({ outcome: 'blocked-already', network: '192.0.2.0/24' });
      expect(await controls.blockNetwork('2001:DB8:0::5/64', UNTIL_UNBLOCKED, BY)).toEqual({ outcome: 'blocked', network: '2001:db8::/64' });
      expect(await controls.findBlock({ kind: 'network', subject: '192.0.2.0/24' })).toEqual({
        target: { kind: 'network', subject: '192.0.2.0/24' }, reason: 'abuse', blockedBy: SYSTEM_ACTOR.id, blockedAt: STORE_NOON, expiresAt: null,
      });
      expect(await controls.unblockNetwork('192.0.2.1/24', BY)).toBe('unblocked');
      expect(await controls.unblockNetwork('192.0.2.0/24', BY)).toBe('not-blocked');
      expect(await controls.listBlocks({ limit: 10, after: null, now: STORE_NOON })).toHaveLength(1);
    });

    it('ends the block of a network at its expiry', async () => {
      const { controls, platform } = await start();
      const endsAt = later(STORE_NOON, 10);
      await controls.blockNetwork('10.0.0.0/8', { reason: null, expiresAt: endsAt }, BY);
      const { isNetworkBlocked, nextBlockEndsAt } = platform.current();
      expect(nextBlockEndsAt).toBe(endsAt);
      expect([isNetworkBlocked('10.1.1.1', later(endsAt, -1)), isNetworkBlocked('10.1.1.1', endsAt), isNetworkBlocked('unreadable', endsAt)]).toEqual([true, false, false]);
      expect(await controls.listBlocks({ limit: 10, after: null, now: endsAt })).toEqual([]);
      expect((await controls.blockNetwork('10.0.0.0/8', UNTIL_UNBLOCKED, { ...BY, at: endsAt })).outcome).toBe('blocked');
      expect(await controls.endExpiredBlocks({ ...BY, at: endsAt })).toBe(0);
      expect(platform.current().isNetworkBlocked('10.1.1.1', endsAt)).toBe(true);
    });

    it('lists blocks of accounts and keys with their terms, and ends those that have expired', async () => {
      const { controls, platform, auditTrail, accounts, keys } = await start();
      const endsAt = later(STORE_NOON, 10);
      await accounts.create(anAccount(), SYSTEM_ACTOR);
      await keys.create({ key: anApiKey(), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
      const from = anAccount();
      await accounts.moveStanding(from.id, { from, to: { ...from, blocked: true }, action: 'account.blocked', terms: { reason: 'card testing', expiresAt: endsAt } }, { ...BY, actor: OLGA });
      await keys.setBlocked(from.id, anApiKey().id, true, { ...BY, at: later(STORE_NOON, 1), reason: 'leaked', expiresAt: later(endsAt, 1) });
      await keys.setBlocked(from.id, anApiKey().id, true, { ...BY, reason: 'again', expiresAt: null });
      const list = async () => controls.listBlocks({ limit: 1, after: null, now: STORE_NOON });
      const [newest] = await list();
      expect(newest).toMatchObject({ target: { kind: 'key', subject: anApiKey().id }, reason: 'leaked', expiresAt: later(endsAt, 1) });
      expect(await controls.listBlocks({ limit: 1, after: newest ?? null, now: STORE_NOON })).toEqual([
        { target: { kind: 'account', subject: from.id }, reason: 'card testing', blockedBy: 'olga', blockedAt: STORE_NOON, expiresAt: endsAt },
      ]);
      // Other processes learn of changes to accounts and keys after a short delay.
      while (platform.current().nextBlockEndsAt === null) await new Promise(setImmediate);
      expect(platform.current().nextBlockEndsAt).toBe(endsAt);
      const before = await auditTrail.verifyAuditTrail();
      expect(await controls.endExpiredBlocks({ ...BY, at: endsAt })).toBe(1);
      const holder = await keys.findByHash(anApiKey().hash);
      expect([holder?.account.blocked, holder?.key.blocked]).toEqual([false, true]);
      expect(await controls.endExpiredBlocks({ ...BY, at: later(endsAt, 1) })).toBe(1);
      expect((await keys.findByHash(anApiKey().hash))?.key.blocked).toBe(false);
      expect(await controls.endExpiredBlocks({ ...BY, at: later(endsAt, 2) })).toBe(0);
      expect(await auditTrail.verifyAuditTrail()).toEqual({ ...before, entries: before.entries + 2 });
      expect([platform.current().nextBlockEndsAt, await list()]).toEqual([null, []]);
    });

    it('blocks the key of a playground for a time, and ends the block when it expires', async () => {
      const { controls, accounts, keys } = await start();
      const { id: accountId } = anAccount();
      const id = 'key_play' as ApiKeyId;
      await accounts.create(anAccount(), SYSTEM_ACTOR);
      await keys.createPlaygroundKey({ id, accountId, createdAt: STORE_NOON }, SYSTEM_ACTOR);
      await keys.setBlocked(accountId, id, true, { ...BY, reason: 'abuse', expiresAt: later(STORE_NOON, 10) });
      expect(await controls.findBlock({ kind: 'key', subject: id })).toMatchObject({ reason: 'abuse', expiresAt: later(STORE_NOON, 10) });
      expect(await controls.endExpiredBlocks({ ...BY, at: later(STORE_NOON, 10) })).toBe(1);
      expect(await keys.findPlaygroundKey(accountId)).toMatchObject({ blocked: false });
      expect(await controls.findBlock({ kind: 'key', subject: id })).toBeNull();
    });

    it('omits a block from the list after an operator has ended it', async () => {
      const { controls, accounts, keys } = await start();
      const from = anAccount();
      await accounts.create(from, SYSTEM_ACTOR);
      await keys.create({ key: anApiKey(), maximumActive: 1, maximumPerHour: 1, actor: SYSTEM_ACTOR });
      await accounts.moveStanding(from.id, { from, to: { ...from, blocked: true }, action: 'account.blocked' }, BY);
      await keys.setBlocked(from.id, anApiKey().id, true, BY);
      expect(await keys.accountOf(anApiKey().id)).toBe(from.id);
      await accounts.moveStanding(from.id, { from: { ...from, blocked: true }, to: from, action: 'account.unblocked' }, BY);
      await keys.setBlocked(from.id, anApiKey().id, false, BY);
      expect(await controls.listBlocks({ limit: 10, after: null, now: STORE_NOON })).toEqual([]);
    });

    it.each(['', 'localhost', '10.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/', '::/129', 'fe80::1%eth0', '10.0.0.0/x'])('refuses %j as a network', async (network) => {
      const { controls } = await start();
      expect(await controls.blockNetwork(network, UNTIL_UNBLOCKED, BY)).toEqual({ outcome: 'malformed' });
      expect(await controls.unblockNetwork(network, BY)).toBe('malformed');
    });
  });
}

/** The record of the installation's secret and the audit log, on one empty store. */
interface InstallationSubject {
  readonly installation: InstallationRegistry;
  readonly auditTrail: AuditTrail;
  close?(): Promise<void>;
}

type MakeInstallation = () => InstallationSubject | Promise<InstallationSubject>;
const PARALLEL_STARTS = 20;

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

    it('accepts a rotation from the previous secret once, and audits it', async () => {
      const { installation, auditTrail } = await start();
      await installation.claim({ current: 'a', previous: null }, BY);
      expect(await auditTrail.verifyAuditTrail()).toMatchObject({ entries: 0 });
      expect(await installation.claim({ current: 'b', previous: 'a' }, BY)).toBe('rotated');
      expect(await installation.claim({ current: 'b', previous: 'a' }, BY)).toBe('same');
      expect(await installation.claim({ current: 'a', previous: null }, BY)).toBe('other');
      expect(await installation.fingerprint()).toBe('b');
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 1, firstBrokenEntry: null, fault: null });
    });

    it('removes the record of a lost secret with an audit entry, and accepts the next secret', async () => {
      const { installation, auditTrail } = await start();
      expect(await installation.forget(BY)).toBe(false);
      await installation.claim({ current: 'a', previous: null }, BY);
      expect(await installation.forget(BY)).toBe(true);
      expect(await installation.fingerprint()).toBeNull();
      expect(await installation.claim({ current: 'b', previous: null }, BY)).toBe('recorded');
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: 1, firstBrokenEntry: null, fault: null });
    });

    it('accepts one of several secrets if gateways start concurrently on a new store', async () => {
      const { installation } = await start();
      const names = Array.from({ length: PARALLEL_STARTS }, (_, number) => `secret ${number}`);
      const claims = await Promise.all(names.map((current) => installation.claim({ current, previous: null }, BY)));
      expect(claims.filter((claim) => claim === 'recorded')).toHaveLength(1);
      expect(claims.filter((claim) => claim === 'other')).toHaveLength(PARALLEL_STARTS - 1);
      expect(await installation.fingerprint()).toBe(names[claims.indexOf('recorded')]);
    });

    it('records a rotation once if gateways start concurrently with the same new secret', async () => {
      const { installation, auditTrail } = await start();
      await installation.claim({ current: 'old', previous: null }, BY);
      const claims = await Promise.all(Array.from({ length: PARALLEL_STARTS }, () => installation.claim({ current: 'new', previous: 'old' }, BY)));
      expect(claims.filter((claim) => claim === 'rotated')).toHaveLength(1);
      expect(claims.filter((claim) => claim === 'same')).toHaveLength(PARALLEL_STARTS - 1);
      expect(await auditTrail.verifyAuditTrail()).toMatchObject({ entries: 1 });
    });
  });
}
