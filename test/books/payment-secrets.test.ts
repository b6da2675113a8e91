import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runTollgate } from '@tollgate/cli';
import { contract } from '@tollgate/api-contract';
import { ManualClock, StaticCatalogue } from '@tollgate/adapters-memory';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND, Statements, type TokenRate } from '@tollgate/core';
import { ScriptedProvider, until } from '@tollgate/testkit';
import { partsOfPdf, readPdf } from '@tollgate/testkit/pdf-reader';
import { signed, type SignedNotification, StripeServer } from '@tollgate/testkit/stripe-server';
import { AlertMailer } from '../../apps/gateway/src/background/alert-mailer.js';
import { PaymentReconciler } from '../../apps/gateway/src/background/payment-reconciler.js';
import { TopUpRunner } from '../../apps/gateway/src/background/top-up-runner.js';
import { createGateway } from '../../apps/gateway/src/composition/container.js';
import type { Gateway } from '../../apps/gateway/src/gateway/gateway.js';
import { createLog } from '../../apps/gateway/src/observability/create-log.js';
import { rebind, TEST_SETTINGS, WEAK_ARGON2 } from '../../apps/gateway/src/test-support/start-test-gateway.js';
import { addPerson, type CallParts, TestBrowser, textOf } from '../../apps/gateway/src/test-support/test-browser.js';
import { testCatalogue } from '../../apps/gateway/src/test-support/test-catalogue.js';

/** Occurs in every secret of the provider, and in all texts of the provider that must not be repeated. */
const CANARY = /canary/i;
const SIGNING_SECRET = 'whsec_CANARYsigning';
const FAILURES = [
  [401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_CANARY', code: 'CANARY code' }], [500, { type: 'api_error', message: 'CANARY at the provider' }],
  [429, { type: 'rate_limit_error', message: 'CANARY' }], [400, { type: 'invalid_request_error', code: 'parameter_invalid', param: 'CANARY', message: 'CANARY' }],
  [402, { type: 'card_error', code: 'card_declined', decline_code: 'CANARY', message: 'The card CANARY 4242 was declined.' }], [403, { type: 'CANARY', message: 'CANARY' }],
] as const;

let folder: string;
let stripe: StripeServer;
let gateway: Gateway;
let clock: ManualClock;
let environment: Readonly<Record<string, string>>;
/** Everything that the gateway sent to clients, and everything that it logged. */
const [said, logged]: [string[], string[]] = [[], []];
/** What the command line printed. */
const printed: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
  stripe = await StripeServer.start();
  stripe.planted = { client_secret: 'CANARY_client_secret', payment_method_details: { card: { number: 'CANARY card', fingerprint: 'CANARY print' } } };
  clock = new ManualClock(instant(Date.now()));
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  environment = {
    PORT: '0', SECRET: 'ab'.repeat(32), DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, MAIL_FOLDER: join(folder, 'mail'), PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_CANARYsecret', STRIPE_WEBHOOK_SECRET: SIGNING_SECRET,
    STRIPE_API_BASE: stripe.url,
  };
  const catalogue = new StaticCatalogue({ ...testCatalogue(), creditOffer: { packages: [], custom: { currency: 'USD', min: 100n, max: 100_000n, rate: '1000' as TokenRate } } });
  gateway = await createGateway(environment, (container) => rebind(container, {
    settings: TEST_SETTINGS, clock, leaseClock: 'caller', catalogue, provider: new ScriptedProvider(), log, passwordHasher: new Argon2Hasher(WEAK_ARGON2),
  }));
});
afterAll(async () => {
  await stripe.close();
  rmSync(folder, { recursive: true });
});

async function signedIn(email: string, role: 'owner' | 'operator'): Promise<TestBrowser> {
  const { person, password } = await addPerson(gateway, email, ...(role === 'operator' ? ['operator' as const] : []));
  const browser = new TestBrowser(gateway);
  await call(browser, contract.signIn, { body: { email: person.email, password } });
  return browser;
}

async function call<const Route extends Parameters<TestBrowser['call']>[0]>(browser: TestBrowser, route: Route, parts: CallParts<Route> = {}): Promise<Awaited<ReturnType<TestBrowser['call']>>> {
  const reply = await browser.call(route, parts);
  said.push(`${JSON.stringify(reply.headers)} ${reply.text}`);
  return reply;
}

async function notify({ body, signature }: SignedNotification): Promise<number> {
  const reply = await fetch(`${gateway.url}/payments/notifications/stripe`, { method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body });
  said.push(`${JSON.stringify([...reply.headers])} ${await reply.text()}`);
  return reply.status;
}

function signing() {
  return { secret: SIGNING_SECRET, at: Math.floor(Date.now() / 1_000) };
}

/** Mails that are complete: the gateway writes a mail to a file of another name first. */
function deliveredMails(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.eml')).map((file) => readFileSync(join(folder, file), 'latin1'));
}

/** Names and contents of all files that the gateway has written. Call it once the gateway is closed: until then, files are renamed. */
function stored(): readonly (readonly [file: string, content: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]);
}

/** The text of a PDF file, followed by its parts, decompressed. */
async function printedIn(file: string): Promise<readonly [text: string, ...parts: string[]]> {
  const bytes = readFileSync(file);
  return [(await readPdf(bytes)).pages.join(' '), ...partsOfPdf(bytes)];
}

/** Runs a command of the command line with the gateway's settings; returns what it prints. */
async function tollgate(...words: readonly string[]): Promise<string> {
  let text = '';
  const print = (piece: string): void => {
    text += piece;
  };
  await runTollgate(words, { environment, folder, userName: 'olga' }, { out: print, error: print });
  printed.push(text);
  return text;
}

/** The words of each command that has no subcommands, and the names of its arguments. */
async function commandsOf(path: readonly string[] = []): Promise<readonly (readonly [words: readonly string[], argumentNames: readonly string[]])[]> {
  const help = await tollgate(...path, '--help');
  const [, below = ''] = /^Commands:\n((?: .*\n)*)/m.exec(help) ?? [];
  const names = below.split('\n').map((line) => /^ {2}([\w-]+)/.exec(line)?.[1]).filter((name) => name !== undefined && name !== 'help') as readonly string[];
  if (names.length > 0) return (await Promise.all(names.map((name) => commandsOf([...path, name])))).flat();
  const [usage = ''] = help.split('\n');
  return [[path, [...usage.matchAll(/<([\w-]+)/g)].map(([, name = '']) => name)]];
}

/** Runs every command with `--json` and without confirmation; arguments about payments are ids that exist. Returns the number of commands. */
async function runEachCommand(known: Readonly<Record<string, string>>): Promise<number> {
  const commands = await commandsOf();
  for (const [words, names] of commands) await tollgate(...words, ...names.map((name) => known[name] ?? 'x'), '--json');
  return commands.length;
}

function notifyAbout(type: string, checkout: string): Promise<number> {
  return notify(stripe.notification(type, checkout, signing()));
}

/** Makes the bank decline an automatic charge, and waits for the mail that tells the owner. */
async function declineCharge(owner: TestBrowser): Promise<void> {
  stripe.bank = 'declined';
  expect((await call(owner, contract.enableAutomaticTopUp, { body: { threshold: '50000', amount: '10', max_per_day: 3, monthly_amount: '100' } })).status).toBe(200);
  await gateway.container.get(TopUpRunner).run();
  await gateway.container.get(AlertMailer).run();
  await until(async () => {
    await clock.advanceAsync(MILLISECONDS_PER_SECOND);
    return deliveredMails().some((mail) => mail.includes('declined'));
  });
}

/** Advances the clock into another month, and makes the statements of the month that has ended. */
async function makeStatements(): Promise<void> {
  clock.advance(33 * MILLISECONDS_PER_DAY);
  const statements = gateway.container.get(Statements);
  while ((await statements.makeSome()).outcome === 'more');
}

it('no secret of the payment provider is in a reply, the log, a file, a mail, a backup, or the output of a command', async () => {
  const [owner, operator] = [await signedIn('ann@example.test', 'owner'), await signedIn('olga@example.test', 'operator')];
  const buy = () => call(owner, contract.startPayment, { body: { amount: '10', save_method: true } });
  const id = textOf(await buy(), 'id');
  const checkout = stripe.lastCheckout;
  stripe.pay(checkout);
  expect(await notifyAbout('checkout.session.completed', checkout)).toBe(204);
  await declineCharge(owner);
  expect((await call(operator, contract.refundPayment, { params: { id }, body: { amount: '2', reason: 'a gift' } })).status).toBe(202);
  // One notification is forged; the other is signed, but is not JSON.
  expect(await notify({ body: '{"CANARY":', signature: 't=1,v1=CANARY' })).toBe(400);
  expect(await notify(signed('CANARY {', signing()))).toBe(503);
  for (const [status, error] of FAILURES) {
    stripe.failure = { status, body: { error: { ...error, ...(status === 402 ? { payment_intent: { id: 'pi_1', object: 'payment_intent' } } : {}) } } };
    await buy();
    await call(operator, contract.checkPayment, { params: { id } });
    await call(operator, contract.refundPayment, { params: { id }, body: { amount: '1', reason: 'a gift' } });
    await notifyAbout('refund.created', checkout);
    clock.advance(MILLISECONDS_PER_HOUR);
    await gateway.container.get(PaymentReconciler).run();
    await gateway.container.get(TopUpRunner).run();
    for (const words of [['doctor'], ['payments', 'check', id], ['payments', 'refund', id, '--amount', '1', '--reason', 'a gift', '--yes']]) await tollgate(...words, '--json');
    stripe.failure = null;
  }
  stripe.dispute(checkout, 'needs_response');
  expect(await notifyAbout('charge.dispute.created', checkout)).toBe(204);
  for (const route of [contract.listAllPayments, contract.readPaymentHealth] as const) await call(operator, route);
  expect((await call(operator, contract.readAnyPayment, { params: { id } })).body).toMatchObject({ state: 'disputed' });
  await makeStatements();
  await gateway.close();
  expect(await runEachCommand({ payment: id, account: 'ann@example.test', operator: 'olga@example.test', number: '1', statement: '1' })).toBeGreaterThan(70);
  for (const format of ['csv', 'json', 'pdf']) await tollgate('statements', 'export', '1', '--format', format, '--output', join(folder, `statement.${format}`));
  await tollgate('database', 'backup', join(folder, 'copy.db'));

  const files = stored();
  expect(files.map(([file]) => file)).toEqual(expect.arrayContaining(['tollgate.db', 'copy.db', 'statement.csv', 'statement.json', 'statement.pdf']));
  expect(files.some(([, content]) => content.includes(id))).toBe(true);
  expect(printed.filter((text) => text.includes(id)).length).toBeGreaterThan(5);
  expect(logged.join('').length).toBeGreaterThan(1_000);
  expect(logged.join('')).toContain('a request to the payment provider failed');
  expect(logged.join('')).not.toContain('because of the database');
  expect(logged.filter((line) => CANARY.test(line))).toEqual([]);
  expect(said.filter((text) => CANARY.test(text))).toEqual([]);
  expect(printed.filter((text) => CANARY.test(text))).toEqual([]);
  expect(files.flatMap(([file, content]) => (CANARY.test(content) ? [file] : []))).toEqual([]);
  const [text, ...parts] = await printedIn(join(folder, 'statement.pdf'));
  expect(text).toContain(`stripe:${id}`);
  expect(parts.filter((part) => part.includes('endcmap'))).not.toEqual([]);
  expect([text, ...parts].filter((part) => CANARY.test(part))).toEqual([]);
}, 60_000);
