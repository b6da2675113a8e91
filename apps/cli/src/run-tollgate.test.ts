import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PAGE_SIZES } from '@tollgate/core';
import Database from 'better-sqlite3';
import { type CreatedAccount, TollgateFolder } from './test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
});
afterEach(() => folder.remove());

const LONG = 'x'.repeat(201);

function ada(...more: readonly string[]): Promise<CreatedAccount> {
  return folder.json<CreatedAccount>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', ...more);
}

/** Sets `DATABASE_URL` to a path below a file, where no folder can be created. */
function unusableDatabase(): void {
  writeFileSync(join(folder.path, 'taken'), '');
  folder.environment['DATABASE_URL'] = 'sqlite:./taken/tollgate.db';
}

describe('accounts', () => {
  it('create creates an active account with its credit and a key that is shown once', async () => {
    const { account, key } = await ada('--plan', 'pro', '--credit', '5000.25');
    expect(account).toMatchObject({
      email: 'ada@example.test', name: 'Ada', plan: 'pro', standing: 'good', balance: { total: { svc_tokens: '5000.25' }, reserved: { svc_tokens: '0' }, available: { svc_tokens: '5000.25' } },
    });
    expect(key.secret).toMatch(/^sk-[A-Za-z0-9]{48}$/);
    const shown = await folder.run('accounts', 'show', 'ada@example.test');
    expect(shown.out).toContain(key.id);
    expect(shown.out).not.toContain(key.secret);
  });

  it('create prints the account and the key as text by default', async () => {
    const { out, exitCode } = await folder.run('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '7');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Account:\s+acct_/m);
    expect(out).toMatch(/^Balance:\s+7 service tokens, 7 available$/m);
    expect(out).toMatch(/^sk-[A-Za-z0-9]{48}$/m);
  });

  it('credit adds an amount once per reference, and generates a reference if none is given', async () => {
    await ada();
    const credit = (...more: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
      folder.json('accounts', 'credit', 'ada@example.test', '10.5', ...more);
    expect(await credit('--reference', 'invoice 7')).toMatchObject({ outcome: 'credited', amount: '10.5', balance: { available: { svc_tokens: '10.5' } } });
    expect(await credit('--reference', 'invoice 7')).toMatchObject({ outcome: 'repeated', balance: { available: { svc_tokens: '10.5' } } });
    const { reference, balance } = await credit();
    expect(balance).toMatchObject({ available: { svc_tokens: '21' } });
    expect(reference).toMatch(/^credit_/);
    expect(await credit('--reference', String(reference))).toMatchObject({ outcome: 'repeated' });
    expect(await folder.run('accounts', 'credit', 'ada@example.test', '11', '--reference', 'invoice 7')).toEqual({
      exitCode: 1, out: '', error: 'error: the reference invoice 7 was used for another amount or expiry; nothing has changed\n',
    });
  });

  it('a credit can expire at a future time, and `accounts credits` shows what is left of each credit', async () => {
    await ada();
    expect((await folder.run('accounts', 'credit', 'ada@example.test', '2', '--expires', '2020-01-01')).error).toContain('expires_at: must be in the future');
    const { expires_at: expiresAt } = await folder.json<{ readonly expires_at: string }>('accounts', 'credit', 'ada@example.test', '2', '--reference', 'a', '--expires', '30d');
    await folder.json('accounts', 'credit', 'ada@example.test', '3', '--reference', 'b');
    expect(await folder.json('accounts', 'credits', 'ada@example.test')).toMatchObject({ data: [{ reference: 'a', left: '2', expires_at: expiresAt }, { reference: 'b', left: '3', expires_at: null }] });
    expect((await folder.run('accounts', 'credits', 'ada@example.test')).out).toContain('never');
  });

  it.each([
    [['suspend'], { status: 'suspended', standing: 'suspended' }],
    [['suspend', 'reactivate'], { status: 'active', standing: 'good' }],
    [['block'], { blocked: true, standing: 'blocked' }],
    [['block', 'unblock'], { blocked: false, standing: 'good' }],
  ])('%j changes the standing of an account', async (commands, expected) => {
    const { account: { id } } = await ada();
    for (const command of commands) await folder.json('accounts', command, id);
    expect(await folder.json('accounts', 'show', id)).toMatchObject({ account: expected });
  });

  it('verify-email activates an unverified account', async () => {
    const { account } = await ada('--unverified');
    expect(account).toMatchObject({ standing: 'email-unverified' });
    expect(await folder.json('accounts', 'verify-email', account.id)).toMatchObject({ account: { standing: 'good' } });
  });

  it('rename changes the name', async () => {
    await ada();
    expect(await folder.json('accounts', 'rename', 'ada@example.test', 'Ada Lovelace')).toMatchObject({ account: { name: 'Ada Lovelace' } });
  });

  it('change-email changes the address of account and owner once, and refuses an address that is taken', async () => {
    const { account: { id } } = await ada();
    expect(await folder.json('accounts', 'change-email', 'ada@example.test', 'ada@new.example.test')).toMatchObject({ account: { id, email: 'ada@new.example.test' }, outcome: 'changed' });
    expect(await folder.json('accounts', 'change-email', 'ada@new.example.test', 'Ada@new.example.test')).toMatchObject({ account: { id }, outcome: 'unchanged' });
    expect(await folder.json('mail', 'list')).toMatchObject({ mail: [{ kind: 'address-changed' }, { kind: 'address-changed' }] });
    await ada();
    expect(await folder.run('accounts', 'change-email', id, 'ada@example.test')).toMatchObject({ exitCode: 1, error: 'error: Another account has this address.\n' });
    expect((await folder.run('accounts', 'change-email', id, 'nobody')).exitCode).toBe(2);
  });

  it('notes are added, listed and removed; control characters are refused', async () => {
    const { account: { id } } = await ada();
    const { note } = await folder.json<{ note: { id: string } }>('accounts', 'add-note', id, 'Pays late;\nask first.');
    expect(await folder.json('accounts', 'notes', id)).toMatchObject({ notes: [{ id: note.id, text: 'Pays late;\nask first.' }] });
    expect((await folder.run('accounts', 'notes', id)).out).toContain('Pays late; ask first.');
    expect((await folder.run('accounts', 'add-note', id, 'a\u001B[31mb')).exitCode).toBe(2);
    expect((await folder.run('accounts', 'remove-note', id, note.id)).exitCode).toBe(0);
    expect(await folder.run('accounts', 'remove-note', id, note.id)).toMatchObject({ exitCode: 1, error: `error: there is no note ${note.id}\n` });
    expect((await folder.run('accounts', 'notes', id)).out).toBe('There are no notes about this account.\n');
  });

  it('an act without an effect reports that nothing changed', async () => {
    await ada();
    await folder.json('accounts', 'suspend', 'ada@example.test');
    expect(await folder.json('accounts', 'suspend', 'ada@example.test')).toMatchObject({ outcome: 'unchanged' });
    expect((await folder.run('accounts', 'suspend', 'ada@example.test')).out).toContain('Nothing has changed: the account was already in this state.');
  });

  it('delete schedules a deletion after DELETION_GRACE_DAYS, and undelete cancels it', async () => {
    await ada();
    folder.environment.DELETION_GRACE_DAYS = '2';
    const before = Date.now();
    const { account } = await folder.json<{ account: { standing: string; deletion_due_at: string } }>('accounts', 'delete', 'ada@example.test');
    expect(account.standing).toBe('pending-deletion');
    expect(Date.parse(account.deletion_due_at) - before).toBeGreaterThanOrEqual(2 * 86_400_000);
    expect((await folder.run('accounts', 'show', 'ada@example.test')).out).toContain(account.deletion_due_at);
    expect(await folder.json('accounts', 'undelete', 'ada@example.test')).toMatchObject({ account: { standing: 'good', deletion_due_at: null } });
  });

  it('delete --now requires --yes, forfeits the balance, frees the address and keeps the books balanced', async () => {
    const { account: { id } } = await ada('--credit', '7');
    expect(await folder.run('accounts', 'delete', id, '--now')).toMatchObject({ exitCode: 2, error: expect.stringContaining('Repeat the command with --yes') });
    expect(await folder.run('accounts', 'delete', id, '--now', '--yes')).toMatchObject({
      exitCode: 0, out: `Account ${id} is deleted; 7 service tokens are forfeited. Its address is free again.\n`,
    });
    expect((await folder.run('accounts', 'delete', id, '--now', '--yes')).out).toBe(`Account ${id} is already deleted.\n`);
    expect(await folder.run('accounts', 'undelete', id)).toEqual({
      exitCode: 1, out: '', error: 'error: conflict: The account is deleted and cannot be changed.\n',
    });
    expect(await folder.json('ledger', 'verify')).toMatchObject({ accounts: 1, differences: [] });
    await ada();
  });

  it('correct raises and lowers the balance within the available amount, once per reference', async () => {
    await ada('--credit', '7');
    const correct = (...more: readonly string[]): ReturnType<typeof folder.run> => folder.run('accounts', 'correct', 'ada@example.test', '--reason', 'a mistake', ...more);
    expect((await correct('2.5', '--reference', 'a')).out).toBe('+2.5 service tokens are booked as a correction (reference a). Available: 9.5\n');
    expect((await correct('2.5', '--reference', 'a')).out).toContain('this reference was booked before; nothing has changed');
    expect((await correct('--reference', 'b', '--', '-9')).out).toBe('-9 service tokens are booked as a correction (reference b). Available: 0.5\n');
    expect((await correct('--', '-1')).error).toBe('error: conflict: Only 0.5 service tokens are available; those held by running requests cannot be taken.\n');
    expect((await correct('3', '--reference', 'b')).error).toContain('conflict: The reference b was already used for something else');
    expect(await folder.json('ledger', 'verify')).toMatchObject({ differences: [] });
  });

  it('refund and correct require a reason; refund also requires a request that has ended', async () => {
    await ada('--credit', '7');
    expect((await folder.run('accounts', 'refund', 'ada@example.test', 'req_none', '1')).exitCode).toBe(2);
    expect((await folder.run('accounts', 'refund', 'ada@example.test', 'req_none', '1', '--reason', 'slow')).error).toContain('has no such request, or it has not ended');
    expect((await folder.run('accounts', 'correct', 'ada@example.test', '1')).exitCode).toBe(2);
    expect((await folder.run('accounts', 'correct', 'ada@example.test', '0', '--reason', 'x')).exitCode).toBe(2);
  });

  it('set-plan changes the plan of an account, and lists the plans if the given one does not exist', async () => {
    await ada();
    expect(await folder.json('accounts', 'set-plan', 'ada@example.test', 'business')).toMatchObject({ account: { plan: 'business' } });
    expect(await folder.run('accounts', 'set-plan', 'ada@example.test', 'gold')).toMatchObject({
      exitCode: 2, error: 'error: argument <plan>: there is no plan gold; there are pay-as-you-go, starter, pro, power, business\n',
    });
  });

  it('set-prices assigns an account a price list of the catalogue, or the standard prices again', async () => {
    folder.environment['CATALOG_FILE'] = 'mine.yaml';
    writeFileSync(join(folder.path, 'mine.yaml'), `
usd_per_service_token: 1
upstreams: { s: { kind: sandbox } }
models: { mine: { context_window: 9, max_output_tokens: 9, price: { prompt: 1, output: 1 }, targets: [{ upstream: s, model: m }] } }
price_lists: { partners: { name: Partners, entries: [{ factor: 0.8 }, { from: 2027-01-01, factor: 0.9, models: { mine: { prompt: 2, output: 3 } } }] } }
`);
    await ada();
    expect(await folder.json('accounts', 'set-prices', 'ada@example.test', 'partners')).toMatchObject({ account: { price_list: 'partners' } });
    expect(await folder.run('accounts', 'set-prices', 'ada@example.test', 'gold')).toMatchObject({ exitCode: 2, error: 'error: argument <list>: there is no price list gold; there are standard, partners\n' });
    expect((await folder.run('accounts', 'show', 'ada@example.test')).out).toMatch(/^Prices: +partners$/m);
    expect(await folder.json('accounts', 'set-prices', 'ada@example.test', 'standard')).toMatchObject({ account: { price_list: null } });
    expect(await folder.json('prices', 'list')).toMatchObject({ price_lists: [{ id: 'partners', entries: [{ from: null, factor: '0.8' }, { from: '2027-01-01T00:00:00.000Z', models: [{ model: 'mine', output: '0.000003' }] }] }] });
    expect((await folder.run('prices', 'list')).out).toMatch(/^partners +Partners +2027-01-01 +0\.9 +all others\npartners +Partners +2027-01-01 +mine +2 +3 +2 +3$/m);
    const trail = await folder.json<{ readonly entries: readonly { readonly action: string; readonly details: unknown }[] }>('audit', 'list', '--account', 'ada@example.test');
    expect(trail.entries.filter(({ action }) => action === 'account.changed').map(({ details }) => details)).toEqual([{ priceList: null }, { priceList: 'partners' }]);
  });

  it('list shows all accounts, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await folder.json('accounts', 'create', '--email', `${name}@example.test`, '--name', name);
    interface Page { readonly accounts: readonly { readonly name: string }[]; readonly next: string | null }
    const first = await folder.json<Page>('accounts', 'list', '--limit', '2');
    const second = await folder.json<Page>('accounts', 'list', '--cursor', String(first.next));
    expect([first, second].map(({ accounts }) => accounts.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
    expect(second.next).toBeNull();
    expect((await folder.run('accounts', 'list')).out.split('\n')[0]).toMatch(/^ID +E-MAIL +NAME +PLAN +STATUS +AVAILABLE +LAST USED$/);
  });

  it('list finds accounts by parts of names, and filters and orders the accounts', async () => {
    for (const [name, credit] of [['Rocket', '5'], ['Rockets', '1'], ['Other', '2']] as const) await folder.json('accounts', 'create', '--email', `${name}@example.test`, '--name', name, '--credit', credit);
    const names = async (...options: readonly string[]) => (await folder.json<{ readonly accounts: readonly { readonly name: string }[] }>('accounts', 'list', ...options)).accounts.map(({ name }) => name);
    expect(await names('--search', 'OCK', '--sort', 'available')).toEqual(['Rockets', 'Rocket']);
    expect(await names('--below', '3', '--sort', 'email', '--descending')).toEqual(['Rockets', 'Other']);
    expect([await names('--plan', 'none'), await names('--status', 'suspended'), await names('--used-since', '2026-01-01')]).toEqual([[], [], []]);
    expect((await names('--status', 'good', '--unused-since', '2026-01-01')).length).toBe(3);
    expect((await folder.run('accounts', 'list', '--sort', 'available', '--limit', '1')).out).toContain('There are more: raise --limit, or narrow the list');
    expect(await folder.run('accounts', 'list', '--sort', 'available', '--cursor', 'acct_1')).toMatchObject({ exitCode: 2, error: 'error: option \'--cursor <id>\' continues the ascending order of creation only\n' });
    expect(await folder.run('accounts', 'list', '--cursor', 'acct_none')).toMatchObject({ exitCode: 2, error: 'error: option \'--cursor <id>\': there is no account acct_none\n' });
  });
});

describe('keys', () => {
  interface Keys { readonly keys: readonly Readonly<Record<string, unknown>>[] }

  it('create, rotate and revoke change the list of keys, which never contains a secret', async () => {
    const { key: first } = await ada();
    const { key: second } = await folder.json<CreatedAccount>('keys', 'create', 'ada@example.test', '--name', 'ci', '--expires', '90d');
    const { key: third } = await folder.json<CreatedAccount>('keys', 'rotate', 'ada@example.test', second.id, '--yes');
    await folder.json('keys', 'revoke', 'ada@example.test', first.id, '--yes');
    const { keys } = await folder.json<Keys>('keys', 'list', 'ada@example.test');
    expect(new Map(keys.map(({ id, status }) => [id, status]))).toEqual(new Map([[first.id, 'revoked'], [second.id, 'revoked'], [third.id, 'active']]));
    expect(keys.find(({ id }) => id === third.id)).toMatchObject({ name: 'ci' });
    expect(JSON.stringify(keys)).not.toContain(third.secret);
    expect(await folder.run('keys', 'revoke', 'ada@example.test', first.id, '--yes')).toMatchObject({ exitCode: 1 });
    expect(await folder.run('keys', 'rotate', 'ada@example.test', first.id, '--yes')).toMatchObject({
      exitCode: 1, error: `error: key ${first.id} is already revoked or expired\n`,
    });
  });

  it('create refuses more active keys than the plan allows', async () => {
    await ada();
    for (let made = 1; made < 5; made += 1) await folder.json('keys', 'create', 'ada@example.test');
    expect(await folder.run('keys', 'create', 'ada@example.test')).toEqual({
      exitCode: 1, out: '', error: 'error: the account has as many active keys as its plan allows\n',
    });
  });

  it('rename and limit change the name, models and spending limit of a key; rotate keeps its name and models', async () => {
    const { key } = await ada();
    expect(await folder.json('keys', 'rename', 'ada@example.test', key.id, 'laptop')).toMatchObject({ key: { name: 'laptop', models: null } });
    expect(await folder.json('keys', 'limit', 'ada@example.test', key.id, '--models', 'sandbox-small, sandbox-reasoner')).toMatchObject({
      key: { name: 'laptop', models: ['sandbox-small', 'sandbox-reasoner'] },
    });
    const { key: successor } = await folder.json<CreatedAccount>('keys', 'rotate', 'ada@example.test', key.id, '--yes');
    expect(successor).toMatchObject({ name: 'laptop', models: ['sandbox-small', 'sandbox-reasoner'] });
    expect((await folder.run('keys', 'list', 'ada@example.test')).out).toContain('sandbox-small, sandbox-reasoner');
    expect(await folder.json('keys', 'limit', 'ada@example.test', successor.id, '--per-day', '2.5')).toMatchObject({
      key: {
        object: 'api_key', models: ['sandbox-small', 'sandbox-reasoner'], spending_limit: { svc_tokens: '2.5', period: 'day' },
        spent: { svc_tokens: '0' }, reserved: { svc_tokens: '0' }, limit_reached: false, spending_resets_at: expect.stringMatching(/T00:00:00.000Z$/),
      },
    });
    expect((await folder.run('keys', 'list', 'ada@example.test')).out).toContain('0 of 2.5 a day');
    expect((await folder.run('accounts', 'show', 'ada@example.test')).out).toContain('; sandbox-small, sandbox-reasoner; 0 of 2.5 a day');
    expect(await folder.run('keys', 'limit', 'ada@example.test', successor.id, '--per-month', '7')).toMatchObject({ out: `Key ${successor.id} may use sandbox-small, sandbox-reasoner and has spent 0 of 7 a month (service tokens, UTC).\n` });
    expect(await folder.json('keys', 'limit', 'ada@example.test', successor.id, '--none')).toMatchObject({ key: { spending_limit: null, spent: null } });
    expect(await folder.run('keys', 'limit', 'ada@example.test', successor.id, '--models', 'all')).toMatchObject({ exitCode: 0, out: `Key ${successor.id} may use all models.\n` });
    expect(await folder.run('keys', 'rename', 'ada@example.test', successor.id)).toMatchObject({ exitCode: 0, out: `Key ${successor.id} has no name.\n` });
  });

  it.each([
    ['an unknown model', ['--models', 'nobody'], 'error: option \'--models <list>\': There is no model nobody. `tollgate models list` shows the models on offer.\n'],
    ['no model', ['--models', ','], 'error: option \'--models <list>\': A key needs at least one model. `tollgate models list` shows the models on offer.\n'],
    ['nothing', [], 'error: at least one of the options --per-day, --per-month, --none and --models is needed\n'],
    ['two amounts', ['--per-day', '1', '--per-month', '2'], 'error: only one of the options --per-day, --per-month and --none may be given\n'],
  ])('limit to %s is a misuse', async (_, options, error) => {
    const { key } = await ada();
    expect(await folder.run('keys', 'limit', 'ada@example.test', key.id, ...options)).toEqual({ exitCode: 2, out: '', error });
  });

  it('block and unblock print the key’s state', async () => {
    const { key } = await ada();
    expect(await folder.json('keys', 'block', 'ada@example.test', key.id)).toMatchObject({ key: { blocked: true } });
    expect(await folder.json('keys', 'unblock', 'ada@example.test', key.id)).toMatchObject({ key: { blocked: false } });
    expect(await folder.run('keys', 'block', 'ada@example.test', 'key_unknown')).toMatchObject({ exitCode: 1 });
  });

  it.each([
    ['accounts', 'create', '--email', 'bob@example.test', '--name', ''], ['accounts', 'create', '--email', 'bob@example.test', '--name', LONG],
    ['accounts', 'rename', 'ada@example.test', 'a\nb'], ['accounts', 'rename', 'ada@example.test', ' '], ['keys', 'create', 'ada@example.test', '--name', LONG],
    ['keys', 'rename', 'ada@example.test', 'key_1', LONG], ['operators', 'create', 'op@example.test', '--name', LONG],
  ])('the command %s %s refuses an invalid name in its arguments (%s %s %s %s)', async (...command) => {
    expect(await folder.run(...command)).toMatchObject({ exitCode: 2, error: expect.stringContaining('It must be one line of 1 to 200 characters.') as unknown });
  });

  it('names have up to 200 characters, and lists truncate long names', async () => {
    const name = LONG.slice(1);
    await folder.json('accounts', 'create', '--email', 'bob@example.test', '--name', name);
    await folder.json('keys', 'create', 'bob@example.test', '--name', name);
    for (const command of [['accounts', 'list'], ['keys', 'list', 'bob@example.test']]) {
      const { out } = await folder.run(...command);
      expect([out.includes(` ${'x'.repeat(39)}… `), out.includes('x'.repeat(40))]).toEqual([true, false]);
    }
    expect((await folder.run('accounts', 'show', 'bob@example.test')).out).toContain(name);
    expect((await folder.run('keys', 'list', 'bob@example.test', '--json')).out).toContain(name);
  });

  it('an expiry date in the past is a misuse', async () => {
    await ada();
    const dated = await folder.run('keys', 'create', 'ada@example.test', '--expires', '2099-11-28');
    expect(dated.out).toContain('It expires at 2099-11-28T23:59:59.999Z.\n');
    expect(await folder.run('keys', 'create', 'ada@example.test', '--expires', '2020-01-01')).toMatchObject({
      exitCode: 2, error: 'error: option \'--expires <when>\' is in the past\n',
    });
  });
});

describe('models and plans', () => {
  it('are listed from the built-in catalogue without a database', async () => {
    unusableDatabase();
    const { models } = await folder.json<{ models: readonly { id: string; pricing: Readonly<Record<string, string>> }[] }>('models', 'list');
    expect(models.map(({ id }) => id)).toContain('sandbox-small');
    expect(models.every(({ pricing }) => /^\d+(\.\d+)?$/.test(pricing['prompt'] ?? ''))).toBe(true);
    const { plans } = await folder.json<{ plans: readonly { id: string }[] }>('plans', 'list');
    expect(plans.map(({ id }) => id)).toEqual(['pay-as-you-go', 'starter', 'pro', 'power', 'business']);
  });

  it('are listed from the catalogue file that .env in the working folder names', async () => {
    writeFileSync(join(folder.path, '.env'), 'CATALOG_FILE=mine.yaml\n');
    writeFileSync(join(folder.path, 'mine.yaml'), `
usd_per_service_token: 1
upstreams: { s: { kind: sandbox } }
models: { mine: { context_window: 9, max_output_tokens: 9, price: { prompt: 1, output: 1 }, targets: [{ upstream: s, model: m }] } }
plans: { own: { name: Own, requests_per_minute: 1, tokens_per_minute: 1, concurrent_requests: 1, max_context_tokens: 1, active_keys: 1 } }
`);
    expect((await folder.run('models', 'list')).out).toContain('mine (simulated)');
    expect(await ada('--plan', 'own')).toMatchObject({ account: { plan: 'own' } });
  });

  it('an account whose plan left the catalogue is shown with its effective plan, and can get keys', async () => {
    const plan = '{ name: Own, requests_per_minute: 1, tokens_per_minute: 1, concurrent_requests: 1, max_context_tokens: 1, active_keys: 1 }';
    const catalogue = (plans: string): void => writeFileSync(join(folder.path, 'mine.yaml'), `
usd_per_service_token: 1
upstreams: { s: { kind: sandbox } }
models: { mine: { context_window: 9, max_output_tokens: 9, price: { prompt: 1, output: 1 }, targets: [{ upstream: s, model: m }] } }
${plans}`);
    folder.environment['CATALOG_FILE'] = 'mine.yaml';
    catalogue(`plans: { own: ${plan} }\n`);
    const { account } = await ada('--plan', 'own');
    catalogue('');
    expect(await folder.json('accounts', 'show', account.id)).toMatchObject({ account: { plan: 'own' }, plan: { id: 'pay-as-you-go' } });
    expect((await folder.run('keys', 'create', account.id)).exitCode).toBe(0);
  });

  it('catalog check warns of prices that rise before the period of notice is over', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    writeFileSync(join(folder.path, 'mine.yaml'), `
usd_per_service_token: 1
upstreams: { s: { kind: sandbox } }
models:
  soon: { context_window: 9, max_output_tokens: 9, price: { prompt: 1, output: 1, later: [{ from: ${inDays(5)}, prompt: 2, output: 1 }] }, targets: [{ upstream: s, model: m }] }
  later: { context_window: 9, max_output_tokens: 9, price: { prompt: 1, output: 1, later: [{ from: ${inDays(20)}, prompt: 2, output: 1 }] }, targets: [{ upstream: s, model: m }] }
`);
    const warning = { list: 'standard', model: 'soon', from: inDays(5) };
    expect(await folder.json('catalog', 'check', 'mine.yaml')).toMatchObject({ valid: true, warnings: [warning] });
    const { out, exitCode } = await folder.run('catalog', 'check', 'mine.yaml');
    expect([exitCode, out]).toEqual([0, expect.stringContaining(`warning: the price of soon in the list standard rises on ${inDays(5)}`)]);
    folder.environment['PRICE_NOTICE_DAYS'] = '2';
    expect(await folder.json('catalog', 'check', 'mine.yaml')).toMatchObject({ warnings: [] });
  });

  it('a catalogue file with errors makes the command exit with code 2 and list all errors', async () => {
    folder.environment['CATALOG_FILE'] = 'broken.yaml';
    writeFileSync(join(folder.path, 'broken.yaml'), 'usd_per_service_token: much\nupstreams: {}\n');
    const { exitCode, error } = await folder.run('models', 'list');
    expect(exitCode).toBe(2);
    expect(error).toContain('broken.yaml:1: usd_per_service_token: must be a decimal number');
    expect(error).toContain('broken.yaml:1: models: is missing');
  });
});

describe('usage, ledger and audit', () => {
  it('an account without requests has no usage', async () => {
    await ada();
    expect(await folder.json('usage', 'list', 'ada@example.test', '--from', '7d')).toEqual({ usage: [], next_cursor: null });
    expect(await folder.json('usage', 'summary', 'ada@example.test', '--by', 'model')).toEqual({ group_by: 'model', buckets: [] });
    expect(await folder.run('usage', 'show', 'ada@example.test', 'req_1')).toMatchObject({ exitCode: 1, error: 'error: the account has no request req_1\n' });
    expect(await folder.run('usage', 'list', 'ada@example.test', '--cursor', 'junk')).toMatchObject({ exitCode: 2 });
  });

  it('verify accepts sound books and a sound audit log, and reports an audit log that is cut off', async () => {
    await ada('--credit', '100');
    expect(await folder.json('ledger', 'verify')).toMatchObject({ accounts: 1, usage_records: 0, differences: [] });
    expect(await folder.run('audit', 'verify')).toEqual({ exitCode: 0, out: '3 entries, all intact\n', error: '' });
    const connection = new Database(join(folder.path, 'tollgate.db'));
    connection.exec('DROP TRIGGER audit_entries_no_delete; DELETE FROM audit_entries WHERE seq > 1');
    connection.close();
    expect(await folder.run('audit', 'verify')).toEqual({
      exitCode: 1, out: 'the log is cut off: of 3 entries that were written, 2 and all later ones are missing\n', error: '',
    });
    expect(JSON.parse((await folder.run('audit', 'verify', '--json')).out)).toEqual({ entries: 3, first_broken_entry: 2, fault: 'cut-off' });
    expect((await folder.run('ledger', 'verify')).out).toMatch(/: 0 differences\n$/);
  });
});

describe('platform', () => {
  it('status shows the maintenance, blocks and incident limits that other commands set and clear', async () => {
    await folder.json('platform', 'maintenance', 'on', '--until', '2h', '--message', 'New machines.', '--yes');
    await folder.json('platform', 'block-network', '192.0.2.7/24', '--reason', 'abuse', '--expires', '7d');
    await folder.json('platform', 'limit-model', 'sandbox-small', '--requests-per-minute', '5', '--expires', '30m');
    expect(await folder.json('platform', 'status')).toMatchObject({
      maintenance: { state: 'on', message: 'New machines.', text: expect.stringMatching(/^The service is in maintenance until .+Z\. New machines\.$/), set_by: 'command-line' },
      blocks: [{ id: '192.0.2.0/24', kind: 'network', reason: 'abuse', blocked_by: 'command-line', expires_at: expect.any(String) }],
      incident_limits: [{ model: 'sandbox-small', requests_per_minute: 5, tokens_per_minute: null, set_by: 'command-line' }],
    });
    await folder.json('platform', 'maintenance', 'on', '--from', '1h', '--yes');
    expect((await folder.run('platform', 'status')).out).toMatch(/^Maintenance is planned from .+Z\.\n/);
    await folder.json('platform', 'maintenance', 'off');
    await folder.json('platform', 'unblock-network', '192.0.2.0/24');
    await folder.json('platform', 'clear-limit', 'sandbox-small');
    expect(await folder.json('platform', 'status')).toMatchObject({ maintenance: { state: 'off' }, blocks: [], incident_limits: [] });
  });

  it('lists blocked accounts and keys with reason and expiry', async () => {
    const { account, key } = await folder.json<{ account: { id: string }; key: { id: string } }>('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada');
    await folder.json('accounts', 'block', account.id, '--reason', 'card testing', '--expires', '7d');
    await folder.json('keys', 'block', account.id, key.id, '--reason', 'leaked');
    expect(await folder.json('platform', 'blocks')).toMatchObject({
      blocks: [{ id: key.id, kind: 'key', reason: 'leaked', expires_at: null }, { id: account.id, kind: 'account', reason: 'card testing', expires_at: expect.any(String) }],
    });
    await folder.json('accounts', 'unblock', account.id);
    expect((await folder.run('platform', 'blocks')).out).toContain(key.id);
    await folder.json('keys', 'unblock', account.id, key.id);
    expect((await folder.run('platform', 'blocks')).out).toBe('Nothing is blocked.\n');
  });

  it('sets and clears the incident limit of a model by any of its names, and refuses unknown models', async () => {
    const set = await folder.run('platform', 'limit-model', 'gpt-4o', '--requests-per-minute', '5', '--concurrent-requests', '2');
    expect(set).toEqual({
      exitCode: 0, error: '',
      out: 'Each account is limited to 5 requests per minute and 2 requests at the same time to sandbox-small, until the limit is cleared.\n',
    });
    expect(await folder.run('platform', 'limit-model', 'sandbox-smal', '--requests-per-minute', '5')).toEqual({
      exitCode: 2, out: '', error: 'error: argument <model>: there is no model sandbox-smal; `tollgate models list` shows the models on offer\n',
    });
    expect(await folder.json('platform', 'status')).toMatchObject({ incident_limits: [{ model: 'sandbox-small' }] });
    expect((await folder.run('platform', 'clear-limit', 'gpt-4o')).out).toBe('Only the limits of the plans apply to sandbox-small again.\n');
    expect(await folder.json('platform', 'status')).toMatchObject({ incident_limits: [] });
  });

  it('refuses to limit a model while the upstream that lists it does not respond', async () => {
    folder.environment['UPSTREAM_BASE_URL'] = 'http://127.0.0.1:1/v1';
    const { exitCode, error } = await folder.run('platform', 'limit-model', 'ghost', '--requests-per-minute', '5');
    expect([exitCode, error]).toEqual([1, expect.stringMatching(/^error: cannot look up the model ghost: .+\. Check UPSTREAM_BASE_URL\n$/)]);
  });

  it('limit-model sets a limit that expires after the given number of seconds', async () => {
    const before = Date.now();
    const { incident_limit: { expires_at: expiresAt } } = await folder.json<{ incident_limit: { expires_at: string } }>(
      'platform', 'limit-model', 'sandbox-small', '--requests-per-minute', '5', '--expires', '45s');
    expect(Date.parse(expiresAt) - before).toBeGreaterThanOrEqual(45_000);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(45_000);
  });

  it.each([
    [['maintenance', 'maybe'], 2],
    [['maintenance', 'on', '--until', '2020-01-01', '--yes'], 2],
    [['maintenance', 'on', '--from', '2h', '--until', '1h', '--yes'], 2],
    [['maintenance', 'on', '--message', 'two\nlines', '--yes'], 2],
    [['block-network', 'nowhere'], 2],
    [['block-network', '192.0.2.1', '--expires', '2020-01-01'], 2],
    [['block-network', '192.0.2.1', '--reason', 'x'.repeat(501)], 2],
    [['limit-model', 'sandbox-small'], 2],
    [['limit-model', 'sandbox-small', '--tokens-per-minute', '-1'], 2],
    [['limit-model', 'sandbox-small', '--tokens-per-minute', '1', '--expires', '2020-01-01'], 2],
    [['limit-model', 'ghost', '--tokens-per-minute', '1'], 2],
    [['clear-limit', 'sandbox-small'], 1],
  ])('given %j, exits with code %d', async (argv, exitCode) => {
    const run = await folder.run('platform', ...argv);
    expect(run).toMatchObject({ exitCode, out: '' });
    expect(run.error).not.toBe('');
  });
});

describe('a command', () => {
  it.each([
    [[], 'error: no command given; try --help\n'],
    [['frobnicate'], 'error: unknown command \'frobnicate\'\n'],
    [['accounts', 'create', '--name', 'x'], 'error: required option \'--email <address>\' not specified\n'],
    [['accounts', 'create', '--email', 'x', '--name', 'x'], 'error: option \'--email <address>\' is not an e-mail address: x\n'],
    [
      ['accounts', 'create', '--email', 'a@b', '--name', 'x', '--credit', '1e3'],
      'error: option \'--credit <amount>\' argument \'1e3\' is invalid. It must be a decimal number above 0 with at most 6 decimal places.\n',
    ],
    [['accounts', 'list', '--limit', '0'], `error: option '--limit <number>' argument '0' is invalid. It must be a whole number from 1 to ${PAGE_SIZES.accounts.commandLine.most}.\n`],
    [['accounts', 'list', '--colour'], 'error: unknown option \'--colour\'\n'],
    [['accounts', 'show'], 'error: missing required argument \'account\'\n'],
  ])('exits with 2 and names the error: %j', async (argv, error) => {
    expect(await folder.run(...argv)).toEqual({ exitCode: 2, out: '', error });
  });

  it('prints the error as JSON with --json', async () => {
    const { exitCode, error } = await folder.run('accounts', 'show', 'acct_none', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(error)).toEqual({ error: { message: 'there is no account acct_none' } });
  });

  it('warns of an unknown name in .env and continues', async () => {
    writeFileSync(join(folder.path, '.env'), 'DATABSE_URL=sqlite:./other.db\n');
    const { exitCode, error } = await folder.run('ledger', 'verify');
    expect([exitCode, error]).toEqual([0, 'warning: .env: DATABSE_URL is no setting of Tollgate and has no effect; did you mean DATABASE_URL?\n']);
    expect(await folder.run('ledger', 'verify', '--json')).toMatchObject({ exitCode: 0, error: '' });
  });

  it('reports every invalid setting', async () => {
    Object.assign(folder.environment, { PORT: 'http', DATABASE_URL: 'mysql://db/tollgate' });
    const { exitCode, error } = await folder.run('accounts', 'list');
    expect(exitCode).toBe(2);
    expect(error).toMatch(/PORT: .+\nDATABASE_URL: must have the form/);
  });

  it('reports a database that cannot be opened, without a stack trace', async () => {
    unusableDatabase();
    const { exitCode, error } = await folder.run('database', 'create');
    expect(exitCode).toBe(1);
    expect(error).toMatch(/^error: cannot open the database file \/.*\/taken\/tollgate\.db: [^\n]+\n$/);
  });

  it('marks the required options in its help', async () => {
    const { out } = await folder.run('accounts', 'create', '--help');
    const described = out.split('\n').filter((line) => /^ +--/.test(line)).map((line) => [/--[\w-]+/.exec(line)?.[0], line.endsWith('(required)')]);
    expect(described.filter(([, required]) => required).map(([name]) => name)).toEqual(['--email', '--name']);
  });

  it('prints its help without an error', async () => {
    const { exitCode, out, error } = await folder.run('accounts', 'credit', '--help');
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
    expect(out).toContain('--reference <text>');
    expect(out).toContain('--json');
  });
});

describe('at a terminal', () => {
  it('tables are cut to its width and say so, unless --wide is given; JSON is whole', async () => {
    const { account: { id } } = await ada('--credit', '5000.25');
    const widest = (out: string): number => Math.max(...out.split('\n').map(({ length }) => length));
    const narrow = await folder.runWithin(80, 'accounts', 'list');
    expect([widest(narrow.out) <= 80, narrow.out.includes('Cut to 80 columns: --wide shows all.'), narrow.out.includes('5000.25'), narrow.out.includes(id)]).toEqual([true, true, true, false]);
    const { out: piped } = await folder.run('accounts', 'list');
    expect([piped.includes(id), piped.includes('…')]).toEqual([true, false]);
    expect(await folder.runWithin(80, 'accounts', 'list', '--wide')).toMatchObject({ out: piped });
    expect((await folder.runWithin(80, 'accounts', 'list', '--json')).out).toContain(id);
  });
});

it('models list shows the prices in force per million tokens', async () => {
  folder.environment['CATALOG_FILE'] = 'mine.yaml';
  writeFileSync(join(folder.path, 'mine.yaml'), `
usd_per_service_token: 0.5
upstreams: { s: { kind: sandbox } }
models:
  mine: { context_window: 9, max_output_tokens: 9, price: { prompt: 1, output: 1, later: [{ from: 2026-01-01, prompt: 3, output: 4.5 }] }, targets: [{ upstream: s, model: m }] }
`);
  expect((await folder.run('models', 'list')).out).toMatch(/^mine \(simulated\) +9 +9 +no +3 +4\.5 +1\.5 +2\.25 +s$/m);
});

describe('dangerous commands', () => {
  const everybody = 'Every request of every account is refused until maintenance is off.';

  it('ask at a terminal, and change nothing unless confirmed', async () => {
    const { key } = await ada();
    expect(await folder.runAnswering('n', 'keys', 'revoke', 'ada@example.test', key.id)).toEqual({
      exitCode: 1, out: '', error: 'error: cancelled; nothing has changed\n', asked: `Key ${key.id} stops working immediately and permanently. Continue? [y/N] `,
    });
    expect(await folder.runAnswering('n', 'keys', 'rotate', 'ada@example.test', key.id)).toMatchObject({ exitCode: 1, asked: expect.stringContaining('wherever its owner uses it') });
    expect(await folder.runAnswering('no', 'platform', 'maintenance', 'on')).toMatchObject({ exitCode: 1, asked: `${everybody} Continue? [y/N] ` });
    expect(await folder.json('keys', 'list', 'ada@example.test')).toMatchObject({ keys: [{ id: key.id, status: 'active' }] });
    expect(await folder.json('platform', 'status')).toMatchObject({ maintenance: { state: 'off' } });
    expect(await folder.runAnswering('yes', 'keys', 'revoke', 'ada@example.test', key.id)).toMatchObject({ exitCode: 0 });
  });

  it('require --yes in a script, and never ask there', async () => {
    expect(await folder.run('platform', 'maintenance', 'on')).toEqual({ exitCode: 2, out: '', error: `error: ${everybody} Repeat the command with --yes to do it\n` });
    expect(await folder.run('platform', 'maintenance', 'on', '--yes')).toMatchObject({ exitCode: 0 });
    expect(await folder.run('platform', 'maintenance', 'off')).toMatchObject({ exitCode: 0 });
  });
});

it('slow commands show progress at a terminal', async () => {
  expect(await folder.runWatched('ledger', 'verify')).toMatchObject({ exitCode: 0, error: '', progress: ['Recomputing the ledger …'] });
  expect(await folder.runWatched('audit', 'verify')).toMatchObject({ exitCode: 0, error: '', progress: ['Checking the audit log …'] });
  expect(await folder.runWatched('ledger', 'verify', '--json')).toMatchObject({ exitCode: 0, progress: [] });
});

it('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(await folder.run('--version')).toEqual({ exitCode: 0, out: `${version}\n`, error: '' });
});
