import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(async () => { folder = await TollgateFolder.withDatabase(); });
afterEach(() => folder.remove());

describe('the options for a period', () => {
  it.each([['audit', 'list'], ['payments', 'list'], ['usage', 'export', '--all', '--format', 'ndjson']])('of %s %s accept their former names, with a hint', async (...command) => {
    const now = await folder.run(...command, '--from', '2d', '--to', '1h');
    const before = await folder.run(...command, '--start', '2d', '--end', '1h');
    expect([now.exitCode, now.error, before.exitCode, before.out]).toEqual([0, '', 0, now.out]);
    expect(before.error).toBe('--start is called --from now.\n--end is called --to now.\n');
    expect((await folder.run(...command, '--help')).out).not.toContain('--start');
  });

  it('refuse both names of one option together, and text that is not a time', async () => {
    expect(await folder.run('audit', 'list', '--from', '2d', '--start', '1d')).toMatchObject({ exitCode: 2, error: expect.stringContaining('--start is the former name of --from: give only one of them') });
    expect(await folder.run('audit', 'list', '--start', 'soon')).toMatchObject({ exitCode: 2, error: expect.stringContaining('--start <when>') });
  });
});
