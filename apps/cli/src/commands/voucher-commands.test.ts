import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from '../test-support/tollgate-run.js';

interface Batch { readonly id: string; readonly status: string; readonly code_count: number }
interface Issued { readonly batch: Batch; readonly codes: readonly string[] }
interface Listed { readonly batches: readonly Batch[]; readonly next_cursor: string | null }

const CODE = /^[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}$/;

let folder: TollgateFolder;
beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
});
afterAll(() => folder.remove());

describe('vouchers', () => {
  it('are created, listed, shown and revoked; the audit log does not contain the codes', async () => {
    expect((await folder.run('vouchers', 'list')).out).toContain('`tollgate vouchers create NAME --tokens AMOUNT` creates one');
    const { batch, codes } = await folder.json<Issued>('vouchers', 'create', 'Spring', '--tokens', '2.5', '--count', '3', '--uses', '2', '--expires', '30d', '--credit-days', '90', '--note', 'for the fair');
    expect(batch).toMatchObject({
      id: expect.stringMatching(/^vbatch_/), name: 'Spring', note: 'for the fair', status: 'active', svc_tokens: '2.5', code_count: 3, uses_per_code: 2, uses: 0, credit_expires_after_days: 90, revoked_at: null,
    });
    expect([codes.length, codes.every((code) => CODE.test(code))]).toEqual([3, true]);
    expect(await folder.json<Listed>('vouchers', 'list')).toEqual({ batches: [batch], next_cursor: null });
    expect((await folder.run('vouchers', 'list')).out).toMatch(/vbatch_\S+ +Spring +2\.5 +3 +2 +0 +active +\d{4}-\d{2}-\d{2} \d{2}:\d{2} +(?:just now|\d+ s ago)/);
    expect(await folder.json('vouchers', 'show', batch.id)).toEqual({ batch, uses: [], next_cursor: null });
    expect((await folder.run('vouchers', 'show', batch.id)).out).toMatch(/credit expires: +after 90 days/);
    expect((await folder.runAnswering('no', 'vouchers', 'revoke', batch.id)).asked).toContain(`The codes of ${batch.id} can no longer be redeemed.`);
    expect((await folder.run('vouchers', 'revoke', batch.id, '--yes')).out).toContain(`Batch ${batch.id} is revoked; 0 of`);
    expect((await folder.json<Listed>('vouchers', 'list')).batches).toMatchObject([{ id: batch.id, status: 'revoked' }]);
    const { out } = await folder.run('audit', 'list', '--json');
    expect([...out.matchAll(/"action": "(voucher-batch\.\w+)"/g)].map(([, action]) => action)).toEqual(['voucher-batch.revoked', 'voucher-batch.created']);
    expect(codes.filter((code) => out.includes(code))).toEqual([]);
  });

  it('create writes the codes as CSV to standard output', async () => {
    const { out, error } = await folder.run('vouchers', 'create', 'Fair', '--tokens', '1', '--count', '2');
    expect([out.startsWith('\uFEFFcode,svc_tokens,uses,expires_at,batch\r\n'), error]).toEqual([true, '']);
    expect(out.split('\r\n').slice(1, -1)).toEqual([expect.stringMatching(/^[0-9A-Z-]{23},1,1,,Fair$/), expect.stringMatching(/^[0-9A-Z-]{23},1,1,,Fair$/)]);
    expect((await folder.run('vouchers', 'create', 'Fair', '--tokens', '1', '--no-bom')).out).toMatch(/^code,/);
  });

  it('create writes the codes to a file that only its owner may read, and replaces no file without confirmation', async () => {
    const { out } = await folder.run('vouchers', 'create', 'File', '--tokens', '1', '--output', 'codes.csv');
    const file = join(folder.path, 'codes.csv');
    expect([out.includes(`Its codes are in ${file}`), statSync(file).mode & 0o777, readFileSync(file, 'utf8').split('\r\n').length]).toEqual([true, 0o600, 3]);
    const before = (await folder.json<Listed>('vouchers', 'list')).batches.length;
    expect(await folder.run('vouchers', 'create', 'File', '--tokens', '1', '--output', 'codes.csv')).toMatchObject({ exitCode: 2, error: expect.stringMatching(/exists and will be overwritten/) });
    expect((await folder.json<Listed>('vouchers', 'list')).batches.length).toBe(before);
  });

  it('create revokes a batch whose codes cannot be written', async () => {
    mkdirSync(join(folder.path, 'codes.part.csv.part'));
    expect(await folder.run('vouchers', 'create', 'Lost', '--tokens', '1', '--output', 'codes.part.csv')).toMatchObject({ exitCode: 1, error: expect.stringMatching(/could not be written, so the batch vbatch_\w+ is revoked/) });
    expect((await folder.json<Listed>('vouchers', 'list')).batches[0]).toMatchObject({ name: 'Lost', status: 'revoked' });
  });

  it('list shows the batches page by page', async () => {
    const first = await folder.json<Listed>('vouchers', 'list', '--limit', '1');
    const second = await folder.json<Listed>('vouchers', 'list', '--limit', '1', '--cursor', first.next_cursor ?? '');
    expect([first.batches.length, second.batches.length, first.batches[0]?.id === second.batches[0]?.id]).toEqual([1, 1, false]);
    expect((await folder.run('vouchers', 'list', '--limit', '1')).out).toContain(`There are more: --cursor '${first.next_cursor}'`);
  });

  it.each([
    [['create', 'Spring'], 2, /required option '--tokens <amount>' not specified/], [['create', 'Spring', '--tokens', '0'], 2, /decimal number above 0/], [['create', ' ', '--tokens', '1'], 2, /It must be one line/],
    [['create', 'Spring', '--tokens', '1', '--count', '10001'], 2, /whole number from 1 to 10000/], [['create', 'Spring', '--tokens', '1', '--expires', '2020-01-01'], 2, /expires_at: must be in the future/],
    [['list', '--cursor', 'x'], 2, /is not a cursor of this list/], [['show', 'vbatch_none'], 1, /there is no batch vbatch_none/],
    [['revoke', 'vbatch_none'], 2, /Repeat the command with --yes/], [['revoke', 'vbatch_none', '--yes'], 1, /there is no batch vbatch_none, or it is revoked/],
  ] as const)('given %j, exits with code %i', async (argv, exitCode, error) => {
    expect(await folder.run('vouchers', ...argv)).toMatchObject({ exitCode, error: expect.stringMatching(error) });
  });
});
