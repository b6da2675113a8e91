import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type CreatedAccount, TollgateFolder } from '../test-support/tollgate-run.js';

interface Webhooks { readonly webhooks: readonly { readonly id: string; readonly types: readonly string[] | null; readonly secret?: string }[] }
interface Issued { readonly webhook: { readonly id: string; readonly secret: string; readonly previous_secret_expires_at: string | null } }
interface Deliveries { readonly deliveries: readonly { readonly type: string; readonly status: string }[] }

let folder: TollgateFolder;

beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  folder.environment['SECRET'] = 'ab'.repeat(32);
});
afterEach(() => folder.remove());

it('a webhook is created with a secret that is shown once, rotated, tested and deleted', async () => {
  const { webhook: { id, secret } } = await folder.json<Issued>('webhooks', 'create', 'http://shop:3000/hook', '--types', 'balance.low,account.created');
  expect(secret).toMatch(/^whsec_[A-Za-z0-9]{40}$/);
  const listed = await folder.run('webhooks', 'list', '--json');
  expect((JSON.parse(listed.out) as Webhooks).webhooks).toMatchObject([{ id, types: ['account.created', 'balance.low'] }]);
  expect(listed.out).not.toContain('whsec_');
  const rotated = await folder.json<Issued>('webhooks', 'rotate', id);
  expect([rotated.webhook.secret === secret, rotated.webhook.previous_secret_expires_at === null]).toEqual([false, false]);
  await folder.json('webhooks', 'test', id);
  expect((await folder.json<Deliveries>('webhooks', 'deliveries', id)).deliveries).toMatchObject([{ type: 'webhook.test', status: 'waiting' }]);
  await folder.json('webhooks', 'delete', id, '--yes');
  expect(await folder.json<Webhooks>('webhooks', 'list')).toEqual({ webhooks: [] });
});

it('webhooks resend sends events again', async () => {
  await folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada');
  const { webhook: { id } } = await folder.json<Issued>('webhooks', 'create', 'http://shop:3000/hook');
  const { events: [event] } = await folder.json<{ readonly events: readonly { readonly id: string }[] }>('events');
  await folder.json('webhooks', 'resend', id, '--event', event?.id ?? '');
  expect((await folder.json<Deliveries>('webhooks', 'deliveries', id)).deliveries).toMatchObject([{ type: 'account.created', status: 'waiting' }]);
  await folder.json('webhooks', 'resend', id, '--from', '2026-01-01');
});

it.each([
  [['create', 'ftp://shop/'], 2, 'url: must be an https:// address.'], [['create', 'http://shop/', '--types', 'x'], 2, 'It must name one or more of account.created'],
  [['rotate', 'hook_none'], 1, 'there is no webhook hook_none'], [['test', 'hook_none'], 1, 'there is no webhook hook_none'], [['delete', 'hook_none', '--yes'], 1, 'there is no webhook hook_none'],
  [['deliveries', 'hook_none'], 1, 'there is no webhook hook_none'], [['resend', 'hook_none'], 2, 'exactly one of the options --from and --event is needed'], [['resend', 'hook_none', '--from', '2026-01-01'], 1, 'there is no webhook hook_none'],
])('refuses %j', async (options, exitCode, message) => {
  const run = await folder.run('webhooks', ...options);
  expect([run.exitCode, run.error.includes(message)]).toEqual([exitCode, true]);
});

it('no webhook is created without the secret of the installation', async () => {
  delete folder.environment['SECRET'];
  const run = await folder.run('webhooks', 'create', 'http://shop/');
  expect([run.exitCode, run.error.includes('Webhooks need the secret of the installation')]).toEqual([1, true]);
});
