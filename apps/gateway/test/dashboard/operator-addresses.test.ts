import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let operator: TestPerson;
let browser: TestBrowser;

beforeAll(async () => {
  running = await startTestGateway();
  operator = await addPerson(running.gateway, 'olga@example.com', 'operator');
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: operator.person.email, password: operator.password } });
});
afterAll(() => running.close());

function change(id: string | null, email: string): Promise<PageReply> {
  return browser.call(contract.changeAddressOfAccount, { params: { id: String(id) }, body: { email } });
}

function refusalOf({ status, body: { error } }: PageReply): string {
  return `${status} ${error?.code ?? ''} ${error?.param ?? ''}`.trim();
}

async function signIn(email: string, { password }: TestPerson): Promise<TestBrowser | null> {
  const owner = new TestBrowser(running.gateway);
  return (await owner.call(contract.signIn, { body: { email, password } })).status === 200 ? owner : null;
}

describe('the address of an account', () => {
  it('changes with the owner’s sign-in address: the owner is signed out, signs in with the new one and sees the change', async () => {
    const owner = await addPerson(running.gateway, 'old@example.com');
    const { person: { accountId } } = owner;
    const before = await signIn('old@example.com', owner);
    expect((await change(accountId, 'New@example.com')).body).toMatchObject({ id: accountId, email: 'new@example.com', email_verified: true, outcome: 'changed' });
    expect((await change(accountId, 'new@example.com')).body).toMatchObject({ outcome: 'unchanged' });
    expect((await before?.call(contract.me))?.status).toBe(401);
    expect(await signIn('old@example.com', owner)).toBeNull();
    const activity = (await (await signIn('new@example.com', owner))?.call(contract.activity))?.body['data'] as readonly { readonly action: string; readonly actor: unknown }[];
    expect(activity.filter(({ action }) => action === 'person.email-changed')).toHaveLength(1);
    const detail = await browser.call(contract.readAccount, { params: { id: String(accountId) } });
    expect(detail.body['person']).toMatchObject({ id: owner.person.id, sessions: 1 });
  });

  it('cannot be changed to a taken or invalid one, or if the account is an operator’s or unknown', async () => {
    const owner = await addPerson(running.gateway, 'kept@example.com');
    expect(refusalOf(await change(owner.person.accountId, 'olga@example.com'))).toBe('409 conflict email');
    expect(refusalOf(await change(owner.person.accountId, 'nobody'))).toBe('400 invalid_request email');
    expect(refusalOf(await change(operator.person.accountId, 'other@example.com'))).toBe('409 conflict');
    expect(refusalOf(await change('acct_none', 'other@example.com'))).toBe('404 not_found');
    expect(await signIn('kept@example.com', owner)).not.toBeNull();
  });
});
