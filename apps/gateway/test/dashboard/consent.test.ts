import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { later, MILLISECONDS_PER_DAY, PAY_AS_YOU_GO, rfc3339, SYSTEM_ACTOR } from '@tollgate/core';
import type { PublishedDocument } from '@tollgate/identity';
import { IssuerServer, visitIssuer } from '@tollgate/testkit/issuer-server';
import { services } from '../../src/composition/services.js';
import { TEST_SETTINGS } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, type TestPerson, textOf } from '../../src/test-support/test-browser.js';
import { AdminWorld } from '../admin/admin-world.js';

const ORIGIN = 'http://localhost:8080';
const CALLBACK = `${ORIGIN}/dashboard/api/auth/callback/oidc`;
const CLIENT = { clientId: 'tollgate', clientSecret: 'a secret of the client' };
const EMAIL = 'ann@example.test';
const TERMS = { document: 'terms', version: '1', url: 'https://acme.example/terms' } as const;
const PRIVACY = { document: 'privacy', version: '2026-11', url: 'https://acme.example/privacy' } as const;

let issuer: IssuerServer;
let world: AdminWorld;
let browser: TestBrowser;
let documents: PublishedDocument[];

beforeAll(async () => { issuer = await IssuerServer.start({ ...CLIENT, redirectUri: CALLBACK }); });
afterAll(() => issuer.close());
beforeEach(async () => {
  documents = [TERMS, PRIVACY];
  world = await AdminWorld.start({
    settings: {
      brand: { ...TEST_SETTINGS.brand, documents },
      dashboard: { ...TEST_SETTINGS.dashboard, publicUrl: ORIGIN, issuer: { ...CLIENT, issuer: issuer.url, name: 'Example', trustEmail: false } },
    },
  });
  browser = new TestBrowser(world.gateway.gateway, ORIGIN);
});
afterEach(() => world.close());

const gateway = () => world.gateway.gateway;
const codeOf = ({ status, body }: Awaited<ReturnType<TestBrowser['call']>>) => [status, body.error?.code];
const agree = (body: { readonly terms?: string; readonly privacy?: string } = { terms: TERMS.version, privacy: PRIVACY.version }) => browser.call(contract.agree, { body });

async function signedInByPassword(role: 'owner' | 'operator' = 'owner'): Promise<TestPerson> {
  const ann = await addPerson(gateway(), EMAIL, role);
  expect((await browser.call(contract.signIn, { body: { email: EMAIL, password: ann.password } })).body).toMatchObject({ reach: 'full' });
  return ann;
}

async function bySignInLink(): Promise<void> {
  const { person } = await addPerson(gateway(), EMAIL);
  const made = await world.call(`/accounts/${person.accountId ?? ''}/sign-in-links`, await world.headersOf(['sign-in:write']), { method: 'POST', body: {} });
  const [, token = ''] = /#token=(.+)$/.exec(String(made.body['url'])) ?? [];
  expect((await browser.call(contract.signInByLink, { body: { token } })).status).toBe(200);
}

async function byInvitation(): Promise<void> {
  const at = world.clock.now();
  const invited = await gateway().people.invite({ email: EMAIL, name: 'Ann', by: SYSTEM_ACTOR, at });
  if (invited.outcome !== 'created') throw new Error(invited.outcome);
  const issued = await gateway().people.issueToken({ personId: invited.id, purpose: 'invitation', expiresAt: later(at, MILLISECONDS_PER_DAY), at });
  expect((await browser.call(contract.acceptInvitation, { body: { token: issued?.token ?? '', password: 'correct horse battery' } })).body).toMatchObject({ sign_in: { reach: 'full' } });
}

async function byIssuer(): Promise<void> {
  issuer.account = { sub: 'subject-1', email: EMAIL, email_verified: true, name: 'Ann' };
  const { headers } = await browser.call(contract.issuerStart);
  const { pathname, search } = await visitIssuer(headers.location ?? '', CALLBACK);
  expect((await browser.send({ method: 'GET', path: pathname + search })).headers.location).toBe('/dashboard');
}

const WAYS: readonly (readonly [string, () => Promise<unknown>])[] = [['a password', signedInByPassword], ['a link of a machine', bySignInLink], ['an invitation', byInvitation], ['an issuer', byIssuer]];

describe('consent to the terms and the privacy notice', () => {
  it.each(WAYS)('is the first thing that a person is asked for after %s', async (_way, enter) => {
    await enter();
    for (const route of [contract.me, contract.account, contract.overview, contract.listSessions]) expect(codeOf(await browser.call(route))).toEqual([403, 'consent_required']);
    expect(codeOf(await browser.call(contract.createKey, { body: { name: 'ci' } }))).toEqual([403, 'consent_required']);
    expect((await browser.call(contract.consent)).body).toEqual({ object: 'consent', documents: [{ ...TERMS, agreed_version: null }, { ...PRIVACY, agreed_version: null }] });
    expect((await agree()).status).toBe(204);
    expect((await browser.call(contract.me)).status).toBe(200);
    expect((await browser.call(contract.consent)).body).toEqual({ object: 'consent', documents: [] });
  });

  it('is recorded once, with the versions that were shown', async () => {
    await signedInByPassword();
    for (const body of [{}, { terms: '1' }, { terms: '0', privacy: '2026-11' }]) expect(codeOf(await agree(body))).toEqual([409, 'conflict']);
    expect(codeOf(await browser.call(contract.me))).toEqual([403, 'consent_required']);
    expect([(await agree()).status, (await agree()).status]).toEqual([204, 204]);
    const { data } = (await browser.call(contract.activity)).body as { readonly data?: readonly { readonly action: string }[] };
    expect(data?.filter(({ action }) => action === 'person.agreed')).toHaveLength(1);
  });

  it('is asked for again only after a new version, and requests with a key are served meanwhile', async () => {
    await signedInByPassword();
    await agree();
    const key = textOf(await browser.call(contract.createKey, { body: { name: 'ci' } }), 'secret');
    const keyStatus = async () => (await fetch(`${gateway().url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status;
    // Changes the version as a start with another TERMS_VERSION would.
    documents[0] = { ...TERMS, version: '2' };
    expect(codeOf(await browser.call(contract.me))).toEqual([403, 'consent_required']);
    expect((await browser.call(contract.consent)).body).toEqual({ object: 'consent', documents: [{ ...TERMS, version: '2', agreed_version: '1' }] });
    expect(await keyStatus()).toBe(200);
    expect(codeOf(await agree())).toEqual([409, 'conflict']);
    expect((await agree({ terms: '2' })).status).toBe(204);
    expect([(await browser.call(contract.me)).status, await keyStatus()]).toEqual([200, 200]);
  });

  it('does not prevent signing out, and is not asked of operators', async () => {
    const { person } = await signedInByPassword();
    expect((await browser.call(contract.signOut)).status).toBe(204);
    await gateway().people.setRole(person.id, 'operator', { actor: SYSTEM_ACTOR, at: world.clock.now() });
    await browser.call(contract.signIn, { body: { email: EMAIL, password: 'correct horse' } });
    expect([(await browser.call(contract.me)).status, (await browser.call(contract.consent)).body['documents']]).toEqual([200, []]);
  });

  it('is shown to operators and machines', async () => {
    const { person: { accountId } } = await signedInByPassword();
    const at = rfc3339(world.clock.now());
    await agree();
    const consents = [{ document: 'privacy', version: '2026-11', agreed_at: at }, { document: 'terms', version: '1', agreed_at: at }];
    const headers = await world.headersOf(['accounts:read']);
    expect((await world.call(`/accounts/${accountId ?? ''}`, headers)).body).toMatchObject({ consents });
    const ownerless = await gateway().accountAdministration.create({ email: 'nobody@example.test', name: 'Shop', planId: PAY_AS_YOU_GO, emailVerified: true, actor: SYSTEM_ACTOR });
    expect(ownerless.outcome === 'created' && (await world.call(`/accounts/${ownerless.account.id}`, headers)).body).toMatchObject({ consents: [] });
    const olga = await addPerson(gateway(), 'olga@example.test', 'operator');
    const operator = new TestBrowser(gateway(), ORIGIN);
    await operator.call(contract.signIn, { body: { email: 'olga@example.test', password: olga.password } });
    expect((await operator.call(contract.readAccount, { params: { id: accountId ?? '' } })).body).toMatchObject({ consents });
  });

  it('is not asked for if no document is set', async () => {
    documents.length = 0;
    await signedInByPassword();
    expect((await browser.call(contract.me)).status).toBe(200);
    expect(gateway().container.get(services.settings).brand.documents).toEqual([]);
  });
});
