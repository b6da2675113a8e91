import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { type AccountId, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { contract } from '@tollgate/api-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const REFUSAL = { code: 'invalid_request', param: 'code', message: 'code: is not valid. It may be mistyped, used, expired or revoked.' };
const WRONG = '7K3QF-0A1BC-DEFGH-JKMN7';

let running: TestGateway;
let operator: TestBrowser;
let password: string;

async function signedIn(email: string, role: 'owner' | 'operator' = 'owner'): Promise<TestBrowser> {
  ({ password } = await addPerson(running.gateway, email, role));
  const browser = new TestBrowser(running.gateway);
  expect((await browser.call(contract.signIn, { body: { email, password } })).status).toBe(200);
  return browser;
}

interface Issued {
  readonly id: string;
  readonly codes: readonly string[];
  readonly reply: PageReply;
}

/** Proves the password, then issues vouchers. */
async function issue(terms: object = {}): Promise<Issued> {
  await operator.call(contract.provePassword, { body: { password } });
  const reply = await operator.call(contract.createVouchers, { body: { name: 'Spring', svc_tokens: '5', code_count: 1, ...terms } });
  expect(reply.status).toBe(201);
  const { batch, codes } = reply.body as unknown as { readonly batch: { readonly id: string }; readonly codes: readonly string[] };
  return { id: batch.id, codes, reply };
}

function redeem(browser: TestBrowser, code = ''): Promise<PageReply> {
  return browser.call(contract.redeemVoucher, { body: { code } });
}

beforeAll(async () => {
  running = await startTestGateway({ services: { secret: new InstallationSecret(new Uint8Array(32).fill(1), null) } });
  operator = await signedIn('op@example.test', 'operator');
});
afterAll(() => running.close());

it('vouchers are issued by an operator, and redeemed by an owner once', async () => {
  const { id, codes: [code], reply } = await issue({ note: 'for the fair', uses_per_code: 2, credit_expires_after_days: 30 });
  expect(reply.body).toMatchObject({ object: 'issued_vouchers', batch: { status: 'active', code_count: 1, uses: 0, note: 'for the fair' }, csv: `\uFEFFcode,svc_tokens,uses,expires_at,batch\r\n${code},5,2,,Spring\r\n` });
  const ada = await signedIn('ada@example.test');
  const first = await redeem(ada, ` ${code?.toLowerCase().replaceAll('-', '')} `);
  expect([first.status, first.body]).toMatchObject([200, { object: 'voucher_redemption', repeated: false, svc_tokens: '5', balance: { available: { svc_tokens: '5' } } }]);
  running.clock.advance(MILLISECONDS_PER_MINUTE);
  const again = await redeem(ada, code);
  expect(again.body).toEqual({ ...first.body, repeated: true });
  const account = textOf(await ada.call(contract.account), 'id');
  const params = { id };
  expect((await operator.call(contract.readVoucherBatch, { params })).body).toMatchObject({ id, uses: 1, status: 'active' });
  expect((await operator.call(contract.listVoucherBatches, { query: {} })).body).toMatchObject({ data: [{ id, uses: 1 }], has_more: false });
  expect((await operator.call(contract.listVoucherUses, { params, query: {} })).body).toMatchObject({ data: [{ number: 1, account_id: account, svc_tokens: '5', hint: `${code?.slice(0, 5)}…` }] });
  expect((await operator.call(contract.listMoneyActs, { params: { id: account } })).body).toMatchObject({ data: [{ kind: 'voucher', svc_tokens: '5', reference: expect.stringMatching(/^voucher:voucher_\S+:acct_\S+$/), by: { kind: 'owner' } }] });
});

it('vouchers are refused in the same words whether they are wrong, used, expired or revoked', async () => {
  const [bob, cid] = [await signedIn('bob@example.test'), await signedIn('cid@example.test')];
  const [used, revoked, expired] = [await issue(), await issue(), await issue({ expires_at: new Date(running.clock.now() + MILLISECONDS_PER_MINUTE).toISOString() })];
  await redeem(bob, used.codes[0]);
  expect((await operator.call(contract.revokeVoucherBatch, { params: { id: revoked.id } })).body).toMatchObject({ status: 'revoked', uses: 0 });
  expect((await operator.call(contract.revokeVoucherBatch, { params: { id: revoked.id } })).status).toBe(404);
  running.clock.advance(MILLISECONDS_PER_MINUTE);
  for (const code of [WRONG, 'x', used.codes[0], revoked.codes[0], expired.codes[0]]) {
    const { status, body } = await redeem(cid, code);
    expect([status, body['error']]).toMatchObject([400, REFUSAL]);
  }
});

it('a voucher can be redeemed only once per mailbox, even by another account or after the first is deleted', async () => {
  const { codes: [code] } = await issue({ uses_per_code: 10 });
  const first = await signedIn('d.ora@gmail.com');
  expect((await redeem(first, code)).status).toBe(200);
  const id = textOf(await first.call(contract.account), 'id') as AccountId;
  expect((await operator.call(contract.deleteAccount, { params: { id }, body: { now: true } })).status).toBe(200);
  const again = await signedIn('d.ora@gmail.com');
  expect(textOf(await again.call(contract.account), 'id')).not.toBe(id);
  expect((await redeem(again, code)).body['error']).toMatchObject(REFUSAL);
  expect((await redeem(await signedIn('dora+tag@googlemail.com'), code)).body['error']).toMatchObject(REFUSAL);
});

it('an owner who sent ten wrong codes cannot redeem a voucher for the rest of the hour', async () => {
  const eve = await signedIn('eve@example.test');
  const { codes: [code] } = await issue();
  for (let count = 0; count < 10; count += 1) expect((await redeem(eve, WRONG)).status).toBe(400);
  running.clock.advance(MILLISECONDS_PER_MINUTE);
  const refused = await redeem(eve, code);
  expect([refused.status, refused.headers['retry-after'], refused.body['error']]).toMatchObject([429, '3540', { code: 'too_many_attempts' }]);
  running.clock.advance(MILLISECONDS_PER_HOUR - MILLISECONDS_PER_MINUTE);
  expect((await redeem(eve, code)).status).toBe(200);
});

it('vouchers cannot be redeemed for a suspended account', async () => {
  const fay = await signedIn('fay@example.test');
  const { codes: [code] } = await issue();
  const params = { id: textOf(await fay.call(contract.account), 'id') };
  await operator.call(contract.suspendAccount, { params, body: { reason: 'abuse' } });
  const { status, body } = await redeem(fay, code);
  expect([status, body['error']]).toMatchObject([403, { code: 'account_inactive' }]);
  await operator.call(contract.reactivateAccount, { params });
  expect((await redeem(fay, code)).status).toBe(200);
});

it('vouchers are managed by operators only, and their codes are shown once', async () => {
  const gus = await signedIn('gus@example.test');
  const { id, codes: [code = ''] } = await issue();
  const params = { id };
  const asked = [
    await gus.call(contract.listVoucherBatches, { query: {} }), await gus.call(contract.createVouchers, { body: { name: 'Mine', svc_tokens: '5', code_count: 1 } }),
    await gus.call(contract.readVoucherBatch, { params }), await gus.call(contract.listVoucherUses, { params, query: {} }), await gus.call(contract.revokeVoucherBatch, { params }),
  ];
  expect(asked.map(({ status }) => status)).toEqual(Array(5).fill(404));
  const shown = [await operator.call(contract.listVoucherBatches, { query: {} }), await operator.call(contract.readVoucherBatch, { params }), await operator.call(contract.listAudit, { query: {} })];
  expect(JSON.stringify([shown.map(({ body }) => body), running.parts.logged])).not.toContain(code);
  expect((await operator.call(contract.readVoucherBatch, { params: { id: 'vbatch_none' } })).status).toBe(404);
  expect((await operator.call(contract.listVoucherBatches, { query: { cursor: 'x' } })).body['error']).toMatchObject({ code: 'invalid_request', param: 'cursor' });
});

it('vouchers cannot be redeemed while the installation lacks the secret by which it recognises mailboxes', async () => {
  const bare = await startTestGateway({ services: { secret: null } });
  await addPerson(bare.gateway, 'ada@example.test', 'owner');
  const browser = new TestBrowser(bare.gateway);
  await browser.call(contract.signIn, { body: { email: 'ada@example.test', password } });
  expect((await redeem(browser, WRONG)).status).toBe(409);
  await bare.close();
});
