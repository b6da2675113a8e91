import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type AuditRecord, clientAt, later, MAX_AUDIT_PAGE, NO_AUDIT_FILTERS, rfc3339 } from '@tollgate/core';
import { adminContract, contract } from '@tollgate/api-contract';
import { services } from '../../src/composition/services.js';
import { addPerson, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';
import { type AdminHeaders, type AdminReply, AdminWorld } from './admin-world.js';

const LINK = /^http:\/\/localhost:\d+\/dashboard\/link#token=([A-Za-z0-9_-]{43})$/;

describe('sign-in links of machines over HTTP', () => {
  let world: AdminWorld;
  let headers: AdminHeaders;
  let ann: TestPerson;

  beforeEach(async () => {
    world = await AdminWorld.start();
    headers = await world.headersOf(['sign-in:write']);
    ann = await addPerson(world.gateway.gateway, 'ann@example.test');
  });
  afterEach(() => world.close());

  function ask(account: string | null, body: unknown = {}, more: AdminHeaders = {}): Promise<AdminReply> {
    return world.call(`/accounts/${account ?? ''}/sign-in-links`, { ...headers, ...more }, { method: 'POST', body });
  }

  function tokenIn({ body }: AdminReply): string {
    const [, token] = LINK.exec(String(body['url'])) ?? [];
    if (token === undefined) throw new Error(JSON.stringify(body));
    return token;
  }

  async function signedIn(): Promise<TestBrowser> {
    const browser = new TestBrowser(world.gateway.gateway);
    expect((await browser.call(contract.signInByLink, { body: { token: tokenIn(await ask(ann.person.accountId)) } })).body).toMatchObject({ object: 'sign_in', reach: 'full' });
    return browser;
  }

  async function trail(): Promise<readonly AuditRecord[]> {
    const page = await world.gateway.gateway.container.get(services.auditTrail).list({ ...NO_AUDIT_FILTERS, limit: MAX_AUDIT_PAGE, cursor: null });
    return page?.records.toReversed() ?? [];
  }

  const told = ({ status, body: { error } }: AdminReply) => [status, error?.['code'], error?.['message']];

  it('open the owner’s dashboard once, by the button on the linked page, and not by opening that page', async () => {
    const made = await ask(ann.person.accountId);
    expect([made.status, adminContract.createSignInLink.reply.parse(made.body)]).toMatchObject([201, { account_id: ann.person.accountId, expires_at: rfc3339(later(world.clock.now(), 60_000)) }]);
    const [browser, other] = [new TestBrowser(world.gateway.gateway), new TestBrowser(world.gateway.gateway)];
    for (let times = 0; times < 2; times += 1) expect((await browser.send({ method: 'GET', path: '/dashboard/link' })).headers['content-type']).toContain('text/html');
    const body = { token: tokenIn(made) };
    expect((await browser.call(contract.signInByLink, { body })).status).toBe(200);
    expect((await other.call(contract.signInByLink, { body })).body.error?.code).toBe('sign_in_failed');
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { email: 'ann@example.test' } });
  });

  it('begin a session attributed to the machine in the session list and the audit log, and without a fresh proof', async () => {
    const browser = await signedIn();
    const machine = `machine:${(await world.machines.list())[0]?.id ?? ''}`;
    expect((await browser.call(contract.listSessions)).body).toMatchObject({ data: [{ is_current: true, signed_in_by: 'machine', via: machine }] });
    const { status } = await browser.call(contract.createKey, { body: { name: 'laptop' } });
    await browser.call(contract.changeProfile, { body: { name: 'Ann' } });
    const change = () => browser.call(contract.changeEmail, { body: { email: 'new@example.test' } });
    expect([status, (await change()).body.error?.code]).toEqual([201, 'fresh_proof_required']);
    expect((await browser.call(contract.provePassword, { body: { password: ann.password } })).status).toBe(200);
    expect((await change()).status).toBe(202);
    await browser.call(contract.changePassword, { body: { current_password: ann.password, new_password: 'battery of another kind' } });
    await browser.call(contract.requestDeletion);
    const acts = (await trail()).filter(({ actor }) => actor.id === ann.person.id);
    const inSession = acts.slice(acts.findIndex(({ action }) => action === 'key.created'));
    expect(inSession.map(({ action, origin: { via } }) => [action, via])).toEqual(
      ['key.created', 'person.renamed', 'person.password-changed', 'account.deletion-requested'].map((action) => [action, machine]),
    );
    expect(acts[0]?.origin.via).toBeNull();
    const { body } = await browser.call(contract.activity);
    expect((body['data'] as readonly { readonly action: string; readonly via: string | null }[]).filter(({ via }) => via !== null).map(({ action, via }) => [action, via])).toEqual(
      ['account.deletion-requested', 'person.password-changed', 'person.renamed', 'key.created'].map((action) => [action, machine]),
    );
  });

  it('lead to a page of the dashboard, never elsewhere', async () => {
    const { body } = await ask(ann.person.accountId, { return_to: '/dashboard/usage?group=key' });
    expect(body['url']).toMatch(/#token=[A-Za-z0-9_-]{43}&return_to=%2Fdashboard%2Fusage%3Fgroup%3Dkey$/);
    for (const path of ['https://evil.example/dashboard', '//evil.example', '/dashboard/../v1', '/dashboard//evil.example', '/dashboardevil', '/dashboard/\\evil', '/docs', '']) {
      expect([path, (await ask(ann.person.accountId, { return_to: path })).body.error]).toMatchObject([path, { code: 'invalid_request', param: 'return_to' }]);
    }
  });

  it('are not made for operators or for accounts whose owner may not sign in', async () => {
    const boss = await addPerson(world.gateway.gateway, 'boss@example.test', 'operator');
    const { people, container } = world.gateway.gateway;
    const { standings } = container.get(services.administration);
    const actor = { kind: 'operator', id: 'person_boss', origin: clientAt('203.0.113.9') } as const;
    expect(told(await ask(boss.person.accountId))).toEqual([403, 'session_required', 'The account is of a person with the role of an operator, who has to sign in personally.']);
    expect(told(await ask(world.gateway.caller.account.id))).toEqual([409, 'conflict', 'The account has no person yet; the person who verifies its address owns it.']);
    const registered = await people.invite({ email: 'new@example.test', name: 'New', by: actor, at: world.clock.now() });
    const invited = await people.find(registered.outcome === 'created' ? registered.id : ann.person.id);
    expect(told(await ask(invited?.accountId ?? null))).toEqual([409, 'conflict', 'The owner of the account has not verified the address.']);
    const id = ann.person.accountId ?? '' as AccountId;
    await standings.perform({ accountId: id, actor, trigger: 'block' });
    expect(told(await ask(id))).toEqual([409, 'conflict', 'The account is blocked.']);
    await standings.perform({ accountId: id, actor, trigger: 'unblock' });
    expect((await ask(id)).status).toBe(201);
  });

  it('are stored neither in the answer kept for an idempotency key nor in the audit log', async () => {
    const key = { 'idempotency-key': 'portal-1' };
    const made = await ask(ann.person.accountId, {}, key);
    const again = await ask(ann.person.accountId, {}, key);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([{ ...made.body, url: null }, 'true']);
    const stored = await world.gateway.gateway.container.get(services.machineClaims).find({ machineId: (await world.machines.list())[0]?.id ?? 'mach_none' as never, key: 'portal-1' }, world.clock.now());
    expect(stored?.answer?.body).toBe(JSON.stringify({ ...made.body, url: null }));
    expect(JSON.stringify(await trail())).not.toContain(tokenIn(made));
  });
});
