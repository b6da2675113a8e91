import {
  type AuditTrail, instant, type Instant, later, type MachineId, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, NO_AUDIT_FILTERS, SYSTEM_ACTOR,
} from '@tollgate/core';
import { type CreateMachine, type IdentityIdGenerator, type IssuedMachine, type MachineRecords, Machines, MAX_MACHINES, type SecretTokens } from '@tollgate/identity';
import { STORE_NOON } from '../store-subject.js';
import { afterEach, beforeEach, describe, expect, it } from '../test-runner.js';

/** One empty store, opened by two gateways. */
export interface MachinesSubject {
  readonly store: { readonly machines: MachineRecords; readonly auditTrail: AuditTrail };
  readonly other: { readonly machines: MachineRecords };
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
  close?(): Promise<void>;
}

const SHOP: CreateMachine = { name: 'Shop', scopes: ['usage:read', 'accounts:read'], networks: [], expiresAt: null };
const HOME = '192.0.2.7';
const NO_SUCH = 'mach_none' as MachineId;
const LAST_MILLISECOND = 90 * MILLISECONDS_PER_DAY - 1;

function by(at: Instant = STORE_NOON) {
  return { actor: SYSTEM_ACTOR, at };
}

function after(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

export function machinesContract(name: string, make: () => Promise<MachinesSubject>): void {
  describe(`machines contract: ${name}`, () => {
    let subject: MachinesSubject;
    let machines: Machines;

    beforeEach(async () => {
      subject = await make();
      machines = over(subject.store.machines, false);
    });
    afterEach(() => subject.close?.());

    function over(records: MachineRecords, allowsKeys: boolean): Machines {
      return new Machines({ records, tokens: subject.tokens, ids: subject.ids, allowsKeys });
    }

    async function create(differences: Partial<CreateMachine> = {}, at = STORE_NOON): Promise<IssuedMachine> {
      const created = await machines.create({ ...SHOP, ...differences }, by(at));
      if (created.outcome !== 'created') throw new Error(created.outcome);
      return created.issued;
    }

    async function rotate({ machine: { id } }: IssuedMachine, overlapMilliseconds: number, at = STORE_NOON): Promise<IssuedMachine> {
      const rotated = await machines.rotate({ id, overlapMilliseconds, expiresAt: null }, by(at));
      if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
      return rotated.issued;
    }

    /** Authenticates the secret. Returns the name of the machine, or the reason of the refusal. */
    async function call({ secret }: IssuedMachine, at = STORE_NOON, address = HOME): Promise<string> {
      const authentication = await machines.authenticate({ text: secret.reveal(), address }, at);
      return authentication.outcome === 'authenticated' ? authentication.machine.name : authentication.reason;
    }

    it('authenticates the secret that was shown once, up to its expiry after 90 days', async () => {
      const issued = await create();
      expect(issued.secret.reveal()).toMatch(/^tgm_[A-Za-z0-9]{48}$/);
      expect(await machines.authenticate({ text: issued.secret.reveal(), address: HOME }, STORE_NOON)).toEqual({ outcome: 'authenticated', machine: issued.machine });
      expect(issued.machine).toMatchObject({ scopes: ['accounts:read', 'usage:read'], networks: [], expiresAt: after(90 * MILLISECONDS_PER_DAY), hint: issued.secret.hint() });
      expect(await call(issued, after(LAST_MILLISECOND))).toBe('Shop');
      expect(await call(issued, after(LAST_MILLISECOND + 1))).toBe(`the secret of ${issued.machine.id} has expired`);
    });

    it('refuses text that is not a secret, and a secret that was never issued', async () => {
      await create();
      const secret = subject.ids.machineSecret().reveal();
      const reasons = await Promise.all([null, 'sk-1', secret, `${secret}0`].map((text) => machines.authenticate({ text, address: HOME }, STORE_NOON)));
      expect(reasons.map((refusal) => 'reason' in refusal && refusal.reason)).toEqual([
        'no secret was sent', 'the secret does not have the form of a machine secret', 'the secret is unknown', 'the secret does not have the form of a machine secret',
      ]);
    });

    it('accepts calls only from the networks of the machine', async () => {
      const issued = await create({ networks: ['192.0.2.0/24', '2001:db8::1'] });
      expect(issued.machine.networks).toEqual(['192.0.2.0/24', '2001:db8::1/128']);
      const calls = await Promise.all([HOME, '::ffff:192.0.2.7', '2001:db8::1', '198.51.100.1', '2001:db8::2', ''].map((address) => call(issued, STORE_NOON, address)));
      const elsewhere = `${issued.machine.id} called from outside its permitted networks`;
      expect(calls).toEqual(['Shop', 'Shop', 'Shop', elsewhere, elsewhere, elsewhere]);
    });

    it('accepts the old and the new secret during the overlap of a rotation, and renews the expiry', async () => {
      const first = await create();
      const rotatedAt = after(MILLISECONDS_PER_DAY);
      const second = await rotate(first, MILLISECONDS_PER_HOUR, rotatedAt);
      expect(second.machine).toMatchObject({ id: first.machine.id, expiresAt: later(rotatedAt, 90 * MILLISECONDS_PER_DAY), hint: second.secret.hint() });
      const lastOfOverlap = later(rotatedAt, MILLISECONDS_PER_HOUR - 1);
      expect([await call(first, lastOfOverlap), await call(second, lastOfOverlap)]).toEqual(['Shop', 'Shop']);
      expect(await call(first, later(lastOfOverlap, 1))).toBe(`the secret of ${first.machine.id} has expired`);
      const third = await rotate(second, MILLISECONDS_PER_HOUR, rotatedAt);
      expect([await call(first, rotatedAt), await call(second, rotatedAt), await call(third, rotatedAt)]).toEqual(['the secret is unknown', 'Shop', 'Shop']);
    });

    it('invalidates the replaced secret at once if there is no overlap, and at the latest at its own expiry', async () => {
      const first = await create({ expiresAt: after(MILLISECONDS_PER_MINUTE) });
      const expiredAt = after(MILLISECONDS_PER_MINUTE);
      const second = await rotate(first, MILLISECONDS_PER_DAY, expiredAt);
      expect([await call(first, expiredAt), await call(second, expiredAt)]).toEqual([`the secret of ${first.machine.id} has expired`, 'Shop']);
      const third = await rotate(second, 0, expiredAt);
      expect([await call(second, expiredAt), await call(third, expiredAt)]).toEqual([`the secret of ${first.machine.id} has expired`, 'Shop']);
    });

    it('invalidates both secrets of a revoked machine on every gateway, permanently', async () => {
      const first = await create();
      const second = await rotate(first, MILLISECONDS_PER_HOUR);
      const elsewhere = over(subject.other.machines, false);
      expect(await elsewhere.revoke(first.machine.id, by())).toBe(true);
      expect([await call(first), await call(second)]).toEqual(Array(2).fill(`${first.machine.id} is revoked`));
      expect(await elsewhere.revoke(first.machine.id, by())).toBe(false);
      expect(await machines.rotate({ id: first.machine.id, overlapMilliseconds: 0, expiresAt: null }, by())).toEqual({ outcome: 'no-such-machine' });
      expect(await machines.rotate({ id: NO_SUCH, overlapMilliseconds: 0, expiresAt: null }, by())).toEqual({ outcome: 'no-such-machine' });
    });

    it('records the last use of a machine to the minute', async () => {
      const issued = await create();
      const lastUse = async (at: Instant): Promise<number | null> => {
        await call(issued, at);
        const [machine] = await machines.list();
        return machine?.lastUsedAt ?? null;
      };
      expect(await lastUse(STORE_NOON)).toBe(STORE_NOON);
      expect(await lastUse(after(MILLISECONDS_PER_MINUTE - 1))).toBe(STORE_NOON);
      expect(await lastUse(after(MILLISECONDS_PER_MINUTE))).toBe(after(MILLISECONDS_PER_MINUTE));
      expect(await call(issued, after(2 * MILLISECONDS_PER_MINUTE), 'nowhere')).toBe('Shop');
    });

    it(`allows at most ${MAX_MACHINES} unrevoked machines, even if two gateways create them concurrently`, async () => {
      const elsewhere = over(subject.other.machines, false);
      const attempts = Array.from({ length: MAX_MACHINES + 10 }, (_, number) => (number % 2 === 0 ? machines : elsewhere).create(SHOP, by(after(number))));
      const created = (await Promise.all(attempts)).flatMap((outcome) => (outcome.outcome === 'created' ? [outcome.issued.machine] : []));
      expect(created.length).toBe(MAX_MACHINES);
      const listed = await machines.list();
      expect(listed.map(({ createdAt }) => createdAt)).toEqual(created.map(({ createdAt }) => createdAt).toSorted((one, two) => two - one));
      await machines.revoke(created[0]?.id ?? NO_SUCH, by());
      expect((await machines.create(SHOP, by())).outcome).toBe('created');
      expect((await machines.create(SHOP, by())).outcome).toBe('too-many');
    });

    it('records every change in the audit log, without secrets', async () => {
      const issued = await create({ networks: ['10.0.0.0/8'] });
      await rotate(issued, MILLISECONDS_PER_HOUR);
      await machines.revoke(issued.machine.id, by());
      await machines.revoke(issued.machine.id, by());
      const page = await subject.store.auditTrail.list({ ...NO_AUDIT_FILTERS, limit: 10, cursor: null });
      const expiresAt = after(90 * MILLISECONDS_PER_DAY);
      expect(page?.records.map(({ action, details, texts }) => ({ action, details, texts }))).toEqual([
        { action: 'machine.revoked', details: {}, texts: {} },
        { action: 'machine.rotated', details: { expiresAt, previousExpiresAt: after(MILLISECONDS_PER_HOUR) }, texts: {} },
        { action: 'machine.created', details: { scopes: ['accounts:read', 'usage:read'], networks: ['10.0.0.0/8'], expiresAt }, texts: { name: 'Shop' } },
      ]);
      expect(page?.records.every(({ subject: id, accountId }) => id === issued.machine.id && accountId === null)).toBe(true);
      expect(await subject.store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 3, firstBrokenEntry: null });
    });

    it('grants and honours keys:write only while ADMIN_KEYS allows it', async () => {
      await expect(create({ scopes: ['keys:write'] })).rejects.toThrow('scopes: keys:write can be granted only with ADMIN_KEYS=on.');
      const allowed = over(subject.store.machines, true);
      const created = await allowed.create({ ...SHOP, scopes: ['keys:write', 'usage:read'] }, by());
      if (created.outcome !== 'created') throw new Error(created.outcome);
      const request = { text: created.issued.secret.reveal(), address: HOME };
      expect(await allowed.authenticate(request, STORE_NOON)).toMatchObject({ machine: { scopes: ['usage:read', 'keys:write'] } });
      expect(await machines.authenticate(request, STORE_NOON)).toMatchObject({ machine: { scopes: ['usage:read'] } });
    });

    const refusals: readonly (readonly [Partial<CreateMachine>, string])[] = [
      [{ name: ' ' }, 'name: must be one line of 1 to 200 characters.'],
      [{ scopes: [] }, 'scopes: must name at least one scope.'],
      [{ networks: ['home'] }, 'networks: must be addresses or CIDR ranges such as 10.0.0.0/8.'],
      [{ networks: Array.from({ length: 51 }, () => HOME) }, 'networks: must name at most 50 networks.'],
      [{ expiresAt: STORE_NOON }, 'expires_at: must be in the future.'],
      [{ expiresAt: instant(STORE_NOON + 365 * MILLISECONDS_PER_DAY + 1) }, 'expires_at: must be at most 365 days ahead.'],
    ];
    it('refuses invalid properties of a machine, and names the field', async () => {
      for (const [differences, message] of refusals) await expect(create(differences)).rejects.toThrow(message);
      const issued = await create({ expiresAt: after(365 * MILLISECONDS_PER_DAY) });
      await expect(rotate(issued, MILLISECONDS_PER_DAY + 1)).rejects.toThrow('overlap: must be from 0 to 24 hours.');
      await expect(machines.rotate({ id: issued.machine.id, overlapMilliseconds: 0, expiresAt: STORE_NOON }, by())).rejects.toThrow('expires_at: must be in the future.');
    });
  });
}
