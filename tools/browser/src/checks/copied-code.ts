import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { CodeFolder } from '../driver/copied-code.js';
import { runCurl } from '../driver/copied-command.js';
import type { Resident } from '../world/open-world.js';
import { type CheckContext, shown } from './check-context.js';
import { exactAmounts } from './exact-amounts.js';
import { type Format, newestTurn, openPlayground, sendButton, write } from './playground-steps.js';
import type { SignedIn } from './session-steps.js';

const MODEL = 'sandbox-small';
const SAID = 'It\'s "quoted" $HOME';
/** The clients that each format is written for. */
const CLIENTS: Readonly<Record<Format, readonly string[]>> = {
  'Chat completions': ['curl', 'OpenAI SDK, JavaScript', 'OpenAI SDK, Python', 'AI SDK', 'LangChain'],
  'Messages': ['curl', 'Anthropic SDK, JavaScript', 'Anthropic SDK, Python', 'AI SDK', 'LangChain'],
};
/** Clients that keep what they know of a streamed reply's usage alone. */
const WITHOUT_CHARGE: ReadonlySet<string> = new Set(['Anthropic SDK, JavaScript', 'Anthropic SDK, Python', 'LangChain']);
const PYTHON_PACKAGES: Readonly<Record<Format, string>> = { 'Chat completions': 'openai', 'Messages': 'anthropic' };

/** Copies what a client is told to run. */
async function copyCode(page: Page, client: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'This conversation as code' });
  await dialog.getByRole('tab', { name: client, exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy code' }).click();
  await shown(dialog.getByRole('button', { name: 'Copied' }));
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Runs code of a client as its tab says, with the owner's key. Resolves with what is printed. */
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

/** Runs the code of each client. Resolves with what was charged, which the code prints where its client tells. */
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

/** The code of each client asks what the conversation asked, and Usage has what that cost. */
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
      assert.ok((await exactAmounts(row)).includes(charged), `Usage does not show the charge of ${id}`);
    }
  } finally {
    folder.close();
  }
}
