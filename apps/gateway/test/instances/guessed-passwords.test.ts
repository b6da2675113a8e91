import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { contract } from '@tollgate/api-contract';
import { type PageReply, addPerson, TestBrowser, TestMailbox } from '../../src/test-support/test-browser.js';
import { WEAK_ARGON2 } from '../../src/test-support/start-test-gateway.js';
import { Deployment } from './support/deployment.js';
import { EMBEDDED, SHARED, type SetUp } from './support/set-up.js';
import { sharedCatalogue } from './support/shared-catalogue.js';

const EMAIL = 'ann@example.test';
const PASSWORD = 'correct horse';
const ORIGIN = 'http://localhost:8080';
const SETTINGS = { SIGN_UP: 'open', PUBLIC_URL: ORIGIN, SECRET: 'ab'.repeat(32), TRUST_PROXY: '127.0.0.0/8', REQUIRE_SECOND_FACTOR: 'none' };
const SET_UPS: readonly SetUp[] = [EMBEDDED, { ...SHARED, name: 'PostgreSQL and Redis, two gateways', gateways: 2 }];
const GUESSES = 120;
/** Number of concurrent guesses, because each guess after the tenth is delayed by up to two seconds. */
const AT_A_TIME = 60;

describe.each(SET_UPS)('a password that is being guessed from many networks, on $name,', (setUp) => {
  let mailbox: TestMailbox;
  let deployment: Deployment;

  beforeAll(async () => {
    mailbox = await TestMailbox.start();
    deployment = await Deployment.start({ setUp, catalogue: sharedCatalogue, services: { mail: mailbox.route, passwordHasher: new Argon2Hasher(WEAK_ARGON2) }, environment: SETTINGS });
    await addPerson(deployment.gateway(0), EMAIL);
  }, 60_000);
  afterAll(async () => {
    await deployment.close();
    await mailbox.close();
  });

  function signIn(browser: TestBrowser, network: string, password = PASSWORD): Promise<PageReply> {
    return browser.call(contract.signIn, { body: { email: EMAIL, password }, headers: { 'x-forwarded-for': network } });
  }

  it('is insufficient in a new browser on every gateway until the mailed link is opened, but sufficient in a known browser', async () => {
    const owner = new TestBrowser(deployment.gateway(0), ORIGIN);
    expect((await signIn(owner, '192.0.2.7')).status).toBe(200);
    for (let begun = 0; begun < GUESSES; begun += AT_A_TIME) {
      const replies = await Promise.all(Array.from({ length: AT_A_TIME }, (_, offset) => {
        const number = begun + offset;
        return signIn(new TestBrowser(deployment.gateway(number), ORIGIN), `2001:db8:${(number + 1).toString(16)}::1`, `wrong horse ${number}`);
      }));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    }
    const wrong = await signIn(new TestBrowser(deployment.gateway(0), ORIGIN), '198.51.100.8', 'wrong horse');
    const strangers = [new TestBrowser(deployment.gateway(0), ORIGIN), new TestBrowser(deployment.gateway(1), ORIGIN)];
    for (const stranger of strangers) {
      const refused = await signIn(stranger, '198.51.100.9');
      expect([refused.status, refused.body.error?.code, refused.body.error?.message]).toEqual([401, wrong.body.error?.code, wrong.body.error?.message]);
      expect(stranger.cookies.size).toBe(0);
      owner.use(deployment.gateway(strangers.indexOf(stranger)));
      expect((await signIn(owner, '192.0.2.7')).status).toBe(200);
    }
    const mails = [await mailbox.next(EMAIL), await mailbox.next(EMAIL), await mailbox.next(EMAIL)];
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(['Confirm your sign-in', 'Confirm your sign-in', 'Many failed sign-ins']);
  }, 120_000);

  it('needs the mailed link, which signs in once, on any gateway; afterwards it suffices alone again', async () => {
    const browser = new TestBrowser(deployment.gateway(1), ORIGIN);
    expect((await signIn(browser, '198.51.100.10')).status).toBe(401);
    const { page, token } = await mailbox.nextLink(EMAIL);
    expect(page).toBe('link');
    browser.use(deployment.gateway(0));
    expect((await browser.call(contract.signInByLink, { body: { token } })).body).toMatchObject({ reach: 'full' });
    expect([...browser.cookies.keys()].toSorted()).toEqual(['tollgate_device', 'tollgate_session']);
    expect((await new TestBrowser(deployment.gateway(1), ORIGIN).call(contract.signInByLink, { body: { token } })).status).toBe(401);
    expect((await signIn(new TestBrowser(deployment.gateway(1), ORIGIN), '198.51.100.11')).status).toBe(200);
  });
});
