import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from '../test-support/tollgate-run.js';

interface Created { readonly id: string; readonly link: string }

let folder: TollgateFolder;
beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
});
afterAll(() => folder.remove());

const LINK = /^http:\/\/localhost:8080\/dashboard\/link#token=[A-Za-z0-9_-]{43}$/;

describe('operators', () => {
  it('are created, listed, sent a link and removed', async () => {
    expect((await folder.run('operators', 'list')).out).toContain('`tollgate operators create EMAIL` creates one');
    const created = await folder.json<Created>('operators', 'create', 'olga@example.test');
    expect(created).toMatchObject({ id: expect.stringMatching(/^person_/), email: 'olga@example.test', name: 'olga', role: 'operator', link: expect.stringMatching(LINK) });
    expect((await folder.run('operators', 'list')).out).toMatch(/person_\S+ +olga@example\.test +olga +none/);
    const { link } = await folder.json<Created>('operators', 'link', 'OLGA@example.test');
    expect([link, link === created.link]).toEqual([expect.stringMatching(LINK), false]);
    expect(await folder.json('operators', 'link', 'OLGA@example.test', '--remove-factors')).toMatchObject({ factors_removed: false });
    expect(await folder.run('operators', 'remove', 'olga@example.test', '--yes')).toEqual({
      exitCode: 1, out: '', error: 'error: olga@example.test is the last operator; create another one first\n',
    });
    await folder.json('operators', 'create', 'omar@example.test', '--name', 'Omar');
    expect((await folder.run('operators', 'remove', created.id, '--yes')).out).toContain('is no longer an operator; the person and the account remain.');
    expect((await folder.json<{ readonly operators: readonly Created[] }>('operators', 'list')).operators).toMatchObject([{ email: 'omar@example.test', name: 'Omar' }]);
  });

  it('link uses PUBLIC_URL, and requires it if PORT is 0', async () => {
    folder.environment['PUBLIC_URL'] = 'https://api.example.test';
    expect((await folder.json<Created>('operators', 'link', 'omar@example.test')).link).toMatch(/^https:\/\/api\.example\.test\/dashboard\/link#token=/);
    delete folder.environment['PUBLIC_URL'];
    folder.environment['PORT'] = '0';
    expect(await folder.run('operators', 'link', 'omar@example.test')).toMatchObject({ exitCode: 2, error: expect.stringContaining('PUBLIC_URL: must be set if PORT is 0') });
    delete folder.environment['PORT'];
  });

  it.each([
    [['create', 'olga'], 2, /'olga' is invalid for argument 'email'\. It must be one e-mail address/], [['create', 'olga@example.test', '--name', ' '], 2, /It must be one line/], [['link', 'nina@example.test'], 1, /there is no operator nina@example\.test/],
    [['remove', 'omar@example.test'], 2, /Repeat the command with --yes/],
  ] as const)('%j exits with %i and states the reason', async (argv, exitCode, error) => {
    expect(await folder.run('operators', ...argv)).toMatchObject({ exitCode, error: expect.stringMatching(error) });
  });
});
