import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(async () => { folder = await TollgateFolder.withDatabase(); });
afterEach(() => folder.remove());

/** Replaces what may differ between two runs: the batch's id, ages in seconds, and the spaces that align columns. */
function withoutVariation(output: string): string {
  return output.replace(/vbatch_\w+/, 'BATCH').replace(/just now|\d+ s ago/g, 'AGE').replace(/ +/g, ' ');
}

describe('the former name of an option', () => {
  it.each([
    ['accounts list', '--after', '--cursor', 'ACCOUNT'], ['events', '--type', '--types', 'key.created'], ['accounts list', '--standing', '--status', 'good'], ['statements list', '--before', '--cursor', '7'],
    ['vouchers create Ten --tokens 1 --yes', '--out', '--output', 'codes.csv'],
  ])('in %s %s works like %s, with a hint, and is not in the help', async (command, former, present, value) => {
    const { account: { id } } = await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada');
    const argv = command.split(' ');
    const given = value === 'ACCOUNT' ? id : value;
    const [before, now] = [await folder.run(...argv, former, given), await folder.run(...argv, present, given)];
    expect([before.exitCode, now.exitCode, now.error]).toEqual([0, 0, '']);
    expect(before.error).toBe(`${former} is called ${present} now.\n`);
    expect(withoutVariation(before.out)).toBe(withoutVariation(now.out));
    const { out: help } = await folder.run(...argv, '--help');
    expect([help.includes(`${former} `), help.includes(`${present} `)]).toEqual([false, true]);
  });

  it('refuses the same values as the present name', async () => {
    expect(await folder.run('statements', 'list', '--before', 'x')).toMatchObject({ exitCode: 2, error: expect.stringContaining('option \'--before <number>\' argument \'x\' is invalid. It must be a whole number') });
    expect(await folder.run('webhooks', 'resend', 'hook_1', '--since', 'soon')).toMatchObject({ exitCode: 2, error: expect.stringContaining('--since <when>') });
  });

  it('is refused together with the present name', async () => {
    expect(await folder.run('statements', 'list', '--before', '7', '--cursor', '8')).toEqual({ exitCode: 2, out: '', error: 'error: --before is the former name of --cursor: give only one of them\n' });
  });
});
