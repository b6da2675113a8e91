import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { PASSWORD, type Resident } from '../world/open-world.js';
import type { Check, CheckContext, SignedIn } from './check.js';
import { heading, shown } from '../driver/page-states.js';
import { exactAmounts } from './amount-places.js';
import { type Format, newestTurn, openPlayground, sendButton, write } from './playground-replies.js';
import { Clicks, type Hand, mouse } from '../driver/hand.js';
import { noteGateway } from '../record/run-record.js';
import { mailedLink } from '../world/credentials.js';
import { StartedProgram } from '../world/started-program.js';

const runFile = promisify(execFile);
const PACKAGES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
const LIMIT_MILLISECONDS = 60_000;

class CodeFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tollgate-browser-code-'));

  constructor() {
    symlinkSync(PACKAGES, join(this.#folder, 'node_modules'));
  }

  /** Runs the code with the key in the environment variable `KEY`; resolves with what it prints. */
  async run(file: string, code: string, key: string): Promise<string> {
    writeFileSync(join(this.#folder, file), code);
    const program = file.endsWith('.py') ? 'python3' : process.execPath;
    const { stdout } = await runFile(program, [file], { cwd: this.#folder, env: { KEY: key, PATH: process.env['PATH'] ?? '' }, timeout: LIMIT_MILLISECONDS });
    return stdout;
  }

  async hasPython(name: string): Promise<boolean> {
    return runFile('python3', ['-c', `import ${name}`], { cwd: this.#folder }).then(() => true, () => false);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Shell code that replaces `curl` by a function that prints its arguments. */
const PRINT_ARGUMENTS = String.raw`curl() { printf '%s\0' "$@"; }`;

/** Lets a shell parse a copied curl command, then sends the request by `fetch`, because curl may not be installed. */
export async function runCurl(command: string): Promise<Response> {
  const { stdout } = await runFile('sh', ['-c', `${PRINT_ARGUMENTS}\n${command}`], { env: {} });
  const given = stdout.split('\0').slice(0, -1);
  const after = (option: string): string[] => given.flatMap((argument, index) => (argument === option ? [given[index + 1] ?? ''] : []));
  const url = given.find((argument) => argument.startsWith('http'));
  if (url === undefined) throw new Error(`the copied curl command has no URL: ${given.join(' ')}`);
  const headers = after('-H').map((header): [string, string] => [header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 1).trim()]);
  return fetch(url, { method: 'POST', headers, body: after('-d').join('') });
}

const MODEL = 'sandbox-small';
const SAID = 'It\'s "quoted" $HOME';
const CLIENTS: Readonly<Record<Format, readonly string[]>> = {
  'Chat': ['curl', 'OpenAI SDK, JavaScript', 'OpenAI SDK, Python', 'AI SDK', 'LangChain'],
  'Messages': ['curl', 'Anthropic SDK, JavaScript', 'Anthropic SDK, Python', 'AI SDK', 'LangChain'],
  'Responses': ['curl', 'OpenAI SDK, JavaScript', 'OpenAI SDK, Python', 'AI SDK', 'LangChain'],
};
/** Clients whose results lack the charge of a streamed reply. */
const WITHOUT_CHARGE: ReadonlySet<string> = new Set(['Anthropic SDK, JavaScript', 'Anthropic SDK, Python', 'LangChain']);
const PYTHON_PACKAGES: Readonly<Record<Format, string>> = { 'Chat': 'openai', 'Messages': 'anthropic', 'Responses': 'openai' };

async function copyCode(page: Page, client: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'This conversation as code' });
  await dialog.getByRole('tab', { name: client, exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy code' }).click();
  await shown(dialog.getByRole('button', { name: 'Copied' }));
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Runs the code of a client; resolves with what it prints. */
async function runCode(folder: CodeFolder, client: string, { code, secret }: { readonly code: string; readonly secret: string }): Promise<string> {
  if (client !== 'curl') return folder.run(client.endsWith('Python') ? 'request.py' : 'request.mjs', code, secret);
  const response = await runCurl(`KEY=${secret}\n${code}`);
  assert.equal(response.status, 200);
  return response.text();
}

interface Listed {
  readonly request_id: string;
  readonly end_reason: string;
  readonly svc_tokens_debited: string;
}

async function newest({ world }: CheckContext, { secret }: Resident): Promise<Listed> {
  const answer = await fetch(`${world.gateway.url}/v1/usage?limit=1`, { headers: { authorization: `Bearer ${secret}` } });
  const { data } = await answer.json() as { readonly data: readonly Listed[] };
  assert.ok(data[0] !== undefined, 'there is a request');
  return data[0];
}

/** Runs the code of all clients; resolves with the listed requests. Code whose client exposes the charge prints it. */
async function runAll(context: CheckContext, { owner, page }: SignedIn, { folder, clients }: { readonly folder: CodeFolder; readonly clients: readonly string[] }): Promise<readonly Listed[]> {
  const ran: Listed[] = [];
  for (const client of clients) {
    const printed = await runCode(folder, client, { code: await copyCode(page, client), secret: owner.secret });
    assert.ok(printed.includes('simulated'), `the code of ${client} prints no reply: ${printed}`);
    const record = await newest(context, owner);
    assert.ok(!ran.some(({ request_id: id }) => id === record.request_id), `the request of ${client} has no record`);
    assert.equal(record.end_reason, 'completed', client);
    if (!WITHOUT_CHARGE.has(client)) assert.ok(printed.includes(record.svc_tokens_debited), `the code of ${client} prints no charge: ${printed}`);
    ran.push(record);
  }
  return ran;
}

/** Checks that the code of each client sends the question of the conversation, and that Usage lists its charge. */
export async function runsAsCode(context: CheckContext, { owner, page }: SignedIn, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await page.getByLabel('System').fill('Be brief.');
  await write(page, SAID);
  await sendButton(page).click();
  await shown(newestTurn(page).getByRole('link', { name: 'View charge' }));
  await page.getByRole('button', { name: 'Copy as code' }).click();
  const tabs = page.getByRole('dialog', { name: 'This conversation as code' }).getByRole('tab');
  await shown(tabs);
  assert.deepEqual(await tabs.allInnerTexts(), CLIENTS[format]);
  const folder = new CodeFolder();
  try {
    const hasPython = await folder.hasPython(PYTHON_PACKAGES[format]);
    const clients = CLIENTS[format].filter((name) => hasPython || !name.endsWith('Python'));
    const ran = await runAll(context, { owner, page }, { folder, clients });
    await page.goto('/dashboard/usage');
    for (const { request_id: id, svc_tokens_debited: charged } of ran) {
      const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').filter({ has: page.getByTitle(id) });
      await shown(row);
      assert.equal(await row.locator(`[data-tokens="${charged}"]`).count(), 1, `Usage does not show the charge of ${id}`);
    }
  } finally {
    folder.close();
  }
}

const CLICKS_BY_LINK = 4;
const CLICKS_BY_SIGN_UP = 6;
const KEY = /\bsk-[\w-]{20,}/g;

type HandOf = (page: Page) => Hand;

/** Checks that the page lists the lines of the charge, and writes their amounts exactly. */
async function assertExplained(page: Page): Promise<void> {
  await page.waitForURL(/\/dashboard\/(usage|operator\/usage)\/req_/);
  const charge = page.getByRole('region', { name: 'Charge' });
  await shown(charge.getByText('Charged'));
  assert.ok((await exactAmounts(charge)).length > 2, 'the charge has no lines');
}

async function byLink(check: CheckContext, handOf: HandOf): Promise<number> {
  const program = await StartedProgram.start();
  try {
    const { page } = await check.pageAt(new URL(program.signInLink).origin);
    const clicks = new Clicks(handOf(page));
    await page.goto(program.signInLink);
    await clicks.on(page.getByRole('button', { name: 'Sign in', exact: true }));
    await clicks.on(page.getByRole('link', { name: 'Try a model' }).first());
    await shown(heading(page, 'Playground'));
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await clicks.on(send);
    await clicks.on(page.getByRole('link', { name: 'View charge' }));
    await assertExplained(page);
    await check.closePages();
    return clicks.made;
  } finally {
    for (const [key] of program.printed.matchAll(KEY)) check.record.addSecret('key', key);
    noteGateway(check.record, 'the started program', program);
    await program.stop();
  }
}

async function bySignUp(check: CheckContext, handOf: HandOf): Promise<number> {
  const email = check.newcomersAddress();
  const { page } = await check.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  const hand = handOf(page);
  const clicks = new Clicks(hand);
  await page.goto('/dashboard/sign-up');
  await hand.write(page.getByLabel('E-mail'), email);
  await hand.write(page.getByLabel('Name', { exact: true }), 'Newcomer');
  await hand.write(page.getByLabel('Password', { exact: true }), PASSWORD);
  await clicks.on(page.getByRole('button', { name: 'Create account' }));
  await shown(page.getByText(`We sent a link to ${email}`));
  await page.goto(await mailedLink(check.world, email, 'verify'));
  await hand.write(page.getByLabel('Password', { exact: true }), PASSWORD);
  await clicks.on(page.getByRole('button', { name: 'Confirm address' }));
  await shown(heading(page, 'Overview'));
  await clicks.on(page.getByRole('link', { name: 'Create key' }).first());
  const form = page.getByRole('dialog', { name: 'Create key' });
  await hand.followed(form);
  assert.equal(await form.getByLabel('Name', { exact: true }).inputValue(), 'first key');
  await clicks.on(form.getByRole('button', { name: 'Create', exact: true }));
  const issued = page.getByRole('dialog', { name: 'Key “first key” created' });
  await hand.followed(issued);
  await clicks.on(issued.getByRole('button', { name: 'Copy command' }));
  await shown(issued.getByRole('button', { name: 'Copied' }));
  const response = await runCurl(await page.evaluate(() => navigator.clipboard.readText()));
  assert.equal(response.status, 200, await response.clone().text());
  await clicks.on(issued.getByRole('link', { name: 'View charge' }));
  await assertExplained(page);
  return clicks.made;
}

export async function explainsFirstCharge(check: CheckContext, handOf: HandOf): Promise<void> {
  assert.equal(await byLink(check, handOf), CLICKS_BY_LINK);
  assert.equal(await bySignUp(check, handOf), CLICKS_BY_SIGN_UP);
}

export const firstRun: Check = { number: 1, title: 'The first charge is explained four clicks after the first start, and six after a sign-up begins', run: (check) => explainsFirstCharge(check, () => mouse) };
