import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from '../test-support/tollgate-run.js';

interface Issued { readonly machine: { readonly id: string; readonly secret: string } }
interface Listed { readonly machines: readonly Readonly<Record<string, unknown>>[] }

const SECRET = /^tgm_[A-Za-z0-9]{48}$/;
const CREATE = ['machines', 'create', 'Shop', '--scopes', 'usage:read, accounts:read'] as const;

let folder: TollgateFolder;
beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
});
afterAll(() => folder.remove());

describe('machines', () => {
  it('are created, listed, rotated and revoked; the audit log does not contain the secret', async () => {
    expect((await folder.run('machines', 'list')).out).toContain('`tollgate machines create NAME --scopes LIST` creates one');
    const { machine } = await folder.json<Issued>(...CREATE, '--networks', '10.0.0.0/8', '--expires', '30d');
    expect(machine).toMatchObject({
      id: expect.stringMatching(/^mach_/), name: 'Shop', secret: expect.stringMatching(SECRET), status: 'active', scopes: ['accounts:read', 'usage:read'], networks: ['10.0.0.0/8'],
      last_used_at: null, revoked_at: null,
    });
    const listed = await folder.json<Listed>('machines', 'list');
    const { secret, ...shown } = machine;
    expect(listed.machines).toEqual([shown]);
    expect((await folder.run('machines', 'list')).out).toMatch(/mach_\S+ +Shop +tgm_\S+ +active +accounts:read,usage:read +10\.0\.0\.0\/8 +\d{4}-\d{2}-\d{2} \d{2}:\d{2} +never/);

    const rotated = await folder.json<Issued>('machines', 'rotate', machine.id, '--overlap', '1', '--yes');
    expect([rotated.machine.id, rotated.machine.secret === secret]).toEqual([machine.id, false]);
    expect((await folder.runAnswering('yes', 'machines', 'rotate', machine.id, '--overlap', '0')).asked).toContain(`The present secret of ${machine.id} stops working immediately. Continue?`);
    expect((await folder.run('machines', 'revoke', machine.id, '--yes')).out).toBe(`Machine ${machine.id} is revoked.\n`);
    expect((await folder.json<Listed>('machines', 'list')).machines).toMatchObject([{ id: machine.id, status: 'revoked' }]);

    const { out } = await folder.run('audit', 'list', '--json');
    expect([...out.matchAll(/"action": "(machine\.\w+)"/g)].map(([, action]) => action)).toEqual(['machine.revoked', 'machine.rotated', 'machine.rotated', 'machine.created']);
    expect([secret, rotated.machine.secret].filter((text) => out.includes(text))).toEqual([]);
  });

  it('are granted keys:write only with ADMIN_KEYS=on', async () => {
    const argv = ['machines', 'create', 'Keys', '--scopes', 'keys:write'] as const;
    expect(await folder.run(...argv)).toMatchObject({ exitCode: 2, error: 'error: scopes: keys:write can be granted only with ADMIN_KEYS=on.\n' });
    folder.environment['ADMIN_KEYS'] = 'on';
    expect((await folder.run(...argv)).exitCode).toBe(0);
    delete folder.environment['ADMIN_KEYS'];
  });

  it.each([
    [['create', 'Shop'], 2, /required option '--scopes <list>' not specified/], [['create', 'Shop', '--scopes', 'accounts'], 2, /It must name one or more of accounts:read, /],
    [['create', ' ', '--scopes', 'usage:read'], 2, /It must be one line/], [['create', 'Shop', '--scopes', 'usage:read', '--networks', 'home'], 2, /CIDR ranges/],
    [['create', 'Shop', '--scopes', 'usage:read', '--expires', '366d'], 2, /expires_at: must be at most 365 days ahead/],
    [['rotate', 'mach_none', '--overlap', '25', '--yes'], 2, /whole number from 0 to 24/], [['rotate', 'mach_none', '--yes'], 1, /there is no machine mach_none, or it is revoked/],
    [['revoke', 'mach_none'], 2, /Repeat the command with --yes/], [['revoke', 'mach_none', '--yes'], 1, /there is no machine mach_none/],
  ] as const)('given %j, exits with code %i', async (argv, exitCode, error) => {
    expect(await folder.run('machines', ...argv)).toMatchObject({ exitCode, error: expect.stringMatching(error) });
  });
});
