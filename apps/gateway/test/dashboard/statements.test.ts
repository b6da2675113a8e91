import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type AccountId, type Instant, later, MILLISECONDS_PER_DAY, type NamedStatement, ServiceTokens, startOfNextUtcMonth, Statements, SYSTEM_ACTOR, utcDayOf, utcMonthOf, verifyAllStatements,
} from '@tollgate/core';
import { readPdf } from '@tollgate/testkit/pdf-reader';
import { adminContract, contract } from '@tollgate/api-contract';
import { services } from '../../src/composition/services.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';
import { AdminWorld } from '../admin/admin-world.js';

let world: AdminWorld;
let ada: TestBrowser;
let bob: TestBrowser;
let operator: TestBrowser;
let adaId: AccountId;
let booked: Instant;
let number: number;

async function signedIn(email: string, role: 'owner' | 'operator' = 'owner'): Promise<TestBrowser> {
  const { password } = await addPerson(world.gateway.gateway, email, role);
  const browser = new TestBrowser(world.gateway.gateway);
  expect((await browser.call(contract.signIn, { body: { email, password } })).status).toBe(200);
  return browser;
}

async function accountOf(browser: TestBrowser): Promise<AccountId> {
  return textOf(await browser.call(contract.account), 'id') as AccountId;
}

function credit(accountId: AccountId, amount: string): Promise<unknown> {
  const { container } = world.gateway.gateway;
  return container.get(services.ledger).credit({ accountId, amount: ServiceTokens.parse(amount), reference: 'invoice 7', actor: SYSTEM_ACTOR, at: booked });
}

/** Ada has a statement, Bob has booked nothing. */
beforeAll(async () => {
  world = await AdminWorld.start();
  booked = world.clock.now();
  [ada, bob, operator] = [await signedIn('ada@example.test'), await signedIn('bob@example.test'), await signedIn('op@example.test', 'operator')];
  adaId = await accountOf(ada);
  await credit(adaId, '12.5');
  const records = world.gateway.gateway.container.get(services.statementRecords);
  while ((await records.makeSome({ name: 'Example Ltd', address: null, tax_number: null }, later(booked, 32 * MILLISECONDS_PER_DAY))).outcome === 'more');
  number = (await records.list({ accountId: adaId, month: utcMonthOf(booked), before: null, limit: 1 })).statements[0]?.number ?? 0;
});
afterAll(() => world.close());

async function numbersOf(browser: TestBrowser): Promise<readonly number[]> {
  const { body } = await browser.call(contract.listStatements, { query: {} });
  return (body as unknown as { readonly data: readonly { readonly number: number }[] }).data.map((statement) => statement.number);
}

it('owners list the statements of their own account, and operators those of any account', async () => {
  const month = utcMonthOf(booked);
  const { body } = await ada.call(contract.listStatements, { query: {} });
  expect(body).toMatchObject({ object: 'list', has_more: false, next_cursor: null });
  expect((body as unknown as { readonly data: readonly unknown[] }).data.at(-1)).toEqual({
    object: 'statement_summary', number, account_id: adaId, month, made_at: expect.any(String), opening_balance: '0', closing_balance: '12.5',
  });
  expect(await numbersOf(bob)).toEqual([]);
  expect((await operator.call(contract.listAllStatements, { query: { account: adaId, month } })).body).toMatchObject({ data: [{ number, month }], has_more: false });
  expect((await ada.call(contract.listAllStatements, { query: {} })).status).toBe(404);
  expect((await ada.call(contract.listStatements, { query: { cursor: 'x' } })).status).toBe(400);
});

it('a statement has a content type in each format, and its PDF has a file name and the same bytes every time', async () => {
  const [json, csv, pdf] = await Promise.all((['json', 'csv', 'pdf'] as const).map((format) => ada.call(contract.downloadStatement, { params: { number, format } })));
  const types = [json, csv, pdf].map((reply) => reply?.headers['content-type']);
  expect(types).toEqual(['application/json', 'text/csv; charset=utf-8; header=present', 'application/pdf']);
  expect(pdf?.headers['content-disposition']).toBe(`attachment; filename="statement_${number}_${utcMonthOf(booked)}.pdf"`);
  expect(JSON.parse(json?.text ?? '')).toMatchObject({ number, account_id: adaId, names: { account: { email: 'ada@example.test' }, references: expect.any(Object) } });
  expect(csv?.text).toContain(`${number},${adaId},${utcMonthOf(booked)},entry,`);
  expect(pdf?.text.startsWith('%PDF-1.7')).toBe(true);
  const again = await operator.call(contract.downloadAnyStatement, { params: { number, format: 'pdf' } });
  expect(again.text).toBe(pdf?.text);
});

it('an owner cannot read a statement of another account', async () => {
  for (const other of [number, 999]) {
    expect((await bob.call(contract.downloadStatement, { params: { number: other, format: 'pdf' } })).status).toBe(404);
  }
  expect((await ada.call(contract.downloadAnyStatement, { params: { number, format: 'json' } })).status).toBe(404);
});

it('machines read statements only with the scope accounts:read', async () => {
  const headers = await world.headersOf(['accounts:read']);
  const month = utcMonthOf(booked);
  expect((await world.call(`/statements?month=${month}&account=${adaId}`, headers)).body).toMatchObject({ data: [{ number, account_id: adaId }], has_more: false, next_cursor: null });
  const page = await world.call(`/accounts/${adaId}/statements?limit=1`, headers);
  expect(adminContract.listAccountStatements.reply.parse(page.body).data).toHaveLength(1);
  const read = await world.call(`/statements/${number}`, headers);
  const statement = adminContract.readStatement.reply.parse(read.body) as NamedStatement;
  expect(statement).toMatchObject({ number, month, totals: [{ kind: 'top-up', entries: 1, svc_tokens: '12.5' }] });
  expect((await world.call('/statements/999', headers)).status).toBe(404);
  expect((await world.call('/statements?month=2026-13', headers)).status).toBe(400);
  expect((await world.call(`/statements/${number}`, await world.headersOf(['usage:read']))).status).toBe(403);
});

it('a statement shows the same expired credit in JSON, CSV and PDF', async () => {
  const { container } = world.gateway.gateway;
  const eve = await accountOf(await signedIn('eve@example.test'));
  const [begin, records] = [startOfNextUtcMonth(booked), container.get(services.statementRecords)];
  const [expiresAt, end] = [later(begin, MILLISECONDS_PER_DAY), startOfNextUtcMonth(begin)];
  for (const [reference, amount, expiry] of [['month', '5', expiresAt], ['lasting', '3', null]] as const) {
    await container.get(services.ledger).book({ kind: 'top-up', accountId: eve, amount: ServiceTokens.parse(amount), reference, reason: null, expiresAt: expiry, actor: SYSTEM_ACTOR, at: begin });
  }
  expect(await container.get(services.credits).expire(eve, later(expiresAt, 1))).toBe('done');
  while ((await records.makeSome({ name: null, address: null, tax_number: null }, later(end, MILLISECONDS_PER_DAY))).outcome === 'more');
  const [summary] = (await records.list({ accountId: eve, month: utcMonthOf(begin), before: null, limit: 1 })).statements;
  const statements = container.get(Statements);
  const [json, csv, pdf] = [await statements.find(summary?.number ?? 0, eve), await statements.file(summary?.number ?? 0, 'csv', eve), await statements.file(summary?.number ?? 0, 'pdf', eve)];

  const expiry = json?.entries.find(({ kind }) => kind === 'expiry');
  const [day, reference] = [utcDayOf(expiresAt), json?.names?.references[expiry?.entry ?? ''] ?? ''];
  expect(expiry).toMatchObject({ day, svc_tokens: '-5' });
  expect(json).toMatchObject({ opening_balance: '0', closing_balance: '3', totals: [{ kind: 'expiry', entries: 1, svc_tokens: '-5' }, { kind: 'top-up', entries: 2, svc_tokens: '8' }] });
  expect(reference).toMatch(/^expiry:\d+:\d+$/);
  const rows = Buffer.from(csv ?? []).toString().split('\r\n').filter((line) => line.includes(',expiry,'));
  const common = `${json?.number},${eve},${json?.month}`;
  expect(rows).toEqual([`${common},total,,expiry,,,,,,,1,-5`, `${common},entry,${day},expiry,,,,${expiry?.entry},,${reference},,-5`]);
  const text = (await readPdf(pdf ?? new Uint8Array())).pages.join(' ');
  for (const line of ['Expiry 1 -5', `${day} Expiry ${reference} -5`]) expect(text).toContain(line);
});

it('a statement agrees with the ledger', async () => {
  const records = world.gateway.gateway.container.get(services.statementRecords);
  expect((await verifyAllStatements(records)).differences).toEqual([]);
});
