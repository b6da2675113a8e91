import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { type Clock, type Instant, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { ANSWER_STEP_MILLISECONDS, type Password, type PasswordHasher, type TurnHolder } from '@tollgate/identity';
import { eventually } from '../../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, TestMailbox } from '../../src/test-support/test-browser.js';

const ANN = 'ann@example.test';
const PASSWORD = 'correct horse';

class CountingHasher implements PasswordHasher {
  hashed = 0;
  private readonly hasher = new Argon2Hasher({ memory: 8, passes: 1, parallelism: 1 });

  checkRoom(holder: TurnHolder): void {
    this.hasher.checkRoom(holder);
  }

  hash(password: Password, holder: TurnHolder): Promise<string> {
    this.hashed += 1;
    return this.hasher.hash(password, holder);
  }

  verify(password: Password, stored: string | null, holder: TurnHolder) {
    this.hashed += 1;
    return this.hasher.verify(password, stored, holder);
  }
}

/** Counts replies that wait for their delay, which is shorter than all other timers. */
class AnswerClock implements Clock {
  waitingAnswers = 0;

  constructor(private readonly clock: Clock) {}

  now(): Instant {
    return this.clock.now();
  }

  schedule(delayMilliseconds: number, task: () => void): () => void {
    if (delayMilliseconds > ANSWER_STEP_MILLISECONDS) return this.clock.schedule(delayMilliseconds, task);
    this.waitingAnswers += 1;
    return this.clock.schedule(delayMilliseconds, () => {
      this.waitingAnswers -= 1;
      task();
    });
  }
}

const hasher = new CountingHasher();
let mailbox: TestMailbox;
let running: TestGateway;
let browser: TestBrowser;

function signIn(email: string, password: string, from = '203.0.113.7'): Promise<PageReply> {
  return browser.call(contract.signIn, { body: { email, password }, headers: { 'x-forwarded-for': from } });
}

async function statuses(replies: readonly Promise<PageReply>[]): Promise<readonly number[]> {
  return (await Promise.all(replies)).map(({ status }) => status);
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({ services: { mail: mailbox.route, passwordHasher: hasher }, settings: { trustedProxies: ['127.0.0.0/8'] } });
  await addPerson(running.gateway, ANN);
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});
beforeEach(() => {
  running.clock.advance(MILLISECONDS_PER_HOUR);
  browser = new TestBrowser(running.gateway);
});

describe('guessing a password', () => {
  it('is limited to five attempts a minute per network, without a hash for refused ones; other networks are unaffected', async () => {
    expect(await statuses(Array.from({ length: 5 }, () => signIn(ANN, 'wrong horse')))).toEqual([401, 401, 401, 401, 401]);
    const before = hasher.hashed;
    const refused = await signIn(ANN, PASSWORD);
    expect([refused.status, refused.body.error?.code, refused.headers['retry-after']]).toEqual([429, 'too_many_attempts', '60']);
    expect(hasher.hashed).toBe(before);
    expect((await signIn(ANN, PASSWORD, '203.0.113.8')).status).toBe(200);
    running.clock.advance(MILLISECONDS_PER_MINUTE);
    expect((await signIn(ANN, PASSWORD)).status).toBe(200);
  });

  it('is refused in the same way for known and unknown addresses', async () => {
    const texts = [];
    for (const [email, from] of [[ANN, '203.0.113.7'], ['stranger@example.test', '203.0.113.8']] as const) {
      for (let tries = 0; tries < 5; tries += 1) await signIn(email, 'wrong horse', from);
      texts.push((await signIn(email, 'wrong horse', from)).text.replace(/req_\w+/, 'req'));
    }
    expect(texts[0]).toBe(texts[1]);
  });

  it('is limited for all addresses of an IPv6 /64 together, as for one network', async () => {
    await statuses(Array.from({ length: 5 }, (_, number) => signIn(ANN, 'wrong horse', `2001:db8::${number + 1}`)));
    expect(await statuses([signIn(ANN, PASSWORD, '2001:db8::ffff'), signIn(ANN, PASSWORD, '2001:db8:0:1::1')])).toEqual([429, 200]);
  });

  it('is limited for all networks of one /56 together, and for all networks of one /48', async () => {
    let guesses = 0;
    const checked = async (tries: number, networkOf: (number: number) => string): Promise<number> => {
      let count = 0;
      for (let number = 0; number < tries; number += 1) {
        const { status } = await signIn(`person${guesses += 1}@example.test`, 'wrong horse', `2001:db8:0:${networkOf(number)}::1`);
        if (status === 401) count += 1;
      }
      return count;
    };
    expect(await checked(50, (number) => number.toString(16))).toBe(40);
    expect(await checked(50, (number) => `${number + 1}00`)).toBe(40);
    expect((await signIn(ANN, PASSWORD, '2001:db8:1::1')).status).toBe(200);
  });

  it('at sign-up with a stolen link is limited too, and the link stays valid for its owner', async () => {
    const email = 'new@example.test';
    await browser.call(contract.signUp, { body: { email, name: 'New', password: PASSWORD } });
    const { token } = await mailbox.nextLink(email);
    const verify = (password: string, from: string) => browser.call(contract.verifyEmail, { body: { token, password }, headers: { 'x-forwarded-for': from } });
    expect(await statuses(Array.from({ length: 7 }, (_, number) => verify('wrong horse', `203.0.113.${number}`)))).toEqual([400, 400, 400, 400, 400, 429, 429]);
    running.clock.advance(MILLISECONDS_PER_MINUTE);
    expect((await verify(PASSWORD, '203.0.113.9')).status).toBe(200);
  });
});

it('a successful sign-in does not count as an attempt', async () => {
  for (let times = 0; times < 25; times += 1) expect((await signIn(ANN, PASSWORD)).status).toBe(200);
});

it('strangers can send an address at most five messages of a kind per hour, and the last link stays valid', async () => {
  let requests = 0;
  const request = () => browser.call(contract.requestReset, { body: { email: ANN }, headers: { 'x-forwarded-for': `203.0.113.${requests += 1}` } });
  const tokens: string[] = [];
  for (let times = 0; times < 5; times += 1) {
    await request();
    tokens.push((await mailbox.nextLink(ANN)).token);
  }
  expect(await statuses([request(), request()])).toEqual([202, 202]);
  await eventually(() => running.gateway.runningRequests === 0);
  expect(await mailbox.subjects(ANN)).toHaveLength(5);
  expect((await browser.call(contract.resetPassword, { body: { token: tokens[4] ?? '', password: PASSWORD } })).status).toBe(200);
});

describe('with the delay of a real gateway', () => {
  let timed: TestGateway;
  let answers: AnswerClock;
  beforeAll(async () => {
    timed = await startTestGateway({ services: ({ clock }) => ({ mail: mailbox.route, clock: answers = new AnswerClock(clock) }), settings: { answerStepMilliseconds: ANSWER_STEP_MILLISECONDS } });
    await addPerson(timed.gateway, ANN);
  });
  afterAll(() => timed.close());

  const unknown = 'stranger@example.test';
  it.each([
    ['a refused sign-in of a known address', (page: TestBrowser) => page.call(contract.signIn, { body: { email: ANN, password: 'wrong horse' } }), 401],
    ['a refused sign-in of an unknown address', (page: TestBrowser) => page.call(contract.signIn, { body: { email: unknown, password: 'wrong horse' } }), 401],
    ['a sign-up with a known address', (page: TestBrowser) => page.call(contract.signUp, { body: { email: ANN, name: 'Ann', password: PASSWORD } }), 202],
    ['a sign-up with a new address', (page: TestBrowser) => page.call(contract.signUp, { body: { email: 'new@example.test', name: 'New', password: PASSWORD } }), 202],
    ['a reset request of a known address', (page: TestBrowser) => page.call(contract.requestReset, { body: { email: ANN } }), 202],
    ['a reset request of an unknown address', (page: TestBrowser) => page.call(contract.requestReset, { body: { email: unknown } }), 202],
    ['a new link of an unknown address', (page: TestBrowser) => page.call(contract.resendVerification, { body: { email: unknown } }), 202],
  ])('the reply to %s is sent after 100 ms', async (_name, call, status) => {
    const reply = call(new TestBrowser(timed.gateway));
    await eventually(() => answers.waitingAnswers === 1);
    timed.clock.advance(ANSWER_STEP_MILLISECONDS - 1);
    expect(answers.waitingAnswers).toBe(1);
    timed.clock.advance(1);
    expect((await reply).status).toBe(status);
  });

  it('a reply to a successful sign-in is sent without delay', async () => {
    const beganAt = timed.clock.now();
    expect((await new TestBrowser(timed.gateway).call(contract.signIn, { body: { email: ANN, password: PASSWORD } })).status).toBe(200);
    expect(timed.clock.now()).toBe(beganAt);
  });
});
