import { strict as assert } from 'node:assert';
import { type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { Page } from 'playwright-core';
import { until } from '../driver/wait.js';
import { type Resident, sendRequest, type World } from '../world/open-world.js';
import type { Check, CheckContext, SignedIn } from './check.js';
import { shown } from '../driver/page-states.js';
import { exactTokens } from './amount-places.js';
import { callsTools, fails, type Format, FORMATS, newestTurn, openPlayground, sendButton, stops, streams, write } from './playground-replies.js';
import { waitsForCharge } from './pending-charge.js';
import { runsAsCode } from './first-run.js';

const MODEL = 'sandbox-small';
/** Part of the sign-up credit of 1,000 that is taken away. The rest pays for a short prompt and some output. */
const MAX_OF_CREDIT = '998';
const MESSAGE = 'Hello, gateway.';
/** The plan with the lowest limit of requests per minute. */
const SMALL_PLAN = { id: 'pay-as-you-go' as PlanId, requests: 60, together: 4 };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Checks that a request that costs more than the balance is refused with its maximum price, and served with a lower output limit. */
async function wantsLess(page: Page, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await page.getByLabel('System').fill('Long instructions. '.repeat(1_500));
  await page.getByRole('textbox', { name: 'Message' }).fill(MESSAGE);
  const warning = page.getByText(/^Not enough service tokens available: this request needs at least/);
  await shown(warning);
  const [needed = ''] = await exactTokens(warning);
  await sendButton(page).click();
  const refusal = page.getByRole('alert').filter({ hasText: /service tokens/ });
  await shown(refusal);
  const text = await refusal.innerText();
  assert.ok(text.replaceAll(',', '').includes(needed), `the refusal does not name ${needed}: ${text}`);
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), MESSAGE, 'what was refused is still to be sent');
  await page.getByLabel('System').fill('');
  await write(page, MESSAGE);
  await sendButton(page).click();
  await shown(newestTurn(page).getByRole('link', { name: 'View charge' }));
  assert.equal(await refusal.count(), 0);
}

async function wantsCredit(context: CheckContext): Promise<void> {
  const owner = await context.owner({ credit: '0' });
  await context.world.gateway.accountAdministration.book({
    kind: 'correction', direction: 'lower', accountId: owner.accountId, amount: ServiceTokens.parse(MAX_OF_CREDIT), reference: 'small balance', reason: 'for the check', actor: SYSTEM_ACTOR,
  });
  const { page } = await context.signedIn(owner);
  for (const format of FORMATS) await wantsLess(page, format);
}

/** Uses up the requests of a minute; resolves after the last of them. */
async function exhaust(world: World, owner: Resident): Promise<void> {
  world.clock.advance(2 * MINUTE - (world.clock.now() % MINUTE));
  for (let sent = 0; sent < SMALL_PLAN.requests; sent += SMALL_PLAN.together) {
    await Promise.all(Array.from({ length: SMALL_PLAN.together }, () => sendRequest(world, owner, { model: MODEL, tokens: 1, isMessages: false })));
  }
}

/** Checks that a request beyond the limit per minute is refused, and that Send counts down to the reset. */
async function waitsForLimit({ world }: CheckContext, { owner, page }: SignedIn, format: Format): Promise<void> {
  await openPlayground(page, MODEL, format);
  await write(page, MESSAGE);
  await exhaust(world, owner);
  await sendButton(page).click();
  const waiting = page.getByRole('button', { name: /^Send in \d+ s$/ });
  await shown(waiting);
  assert.ok(await waiting.isDisabled());
  const secondsOf = async (): Promise<number> => Number((/\d+/.exec(await waiting.innerText()) ?? [''])[0]);
  const before = await secondsOf();
  const refusal = page.getByRole('alert').filter({ hasText: /The limit resets in \d+ s\.$/ });
  await shown(refusal);
  await page.clock.fastForward(5 * SECOND);
  await until('the seconds to be counted down', async () => await secondsOf() <= before - 5);
  world.clock.advance(before * SECOND);
  await page.clock.fastForward(before * SECOND);
  await sendButton(page).click();
  await shown(newestTurn(page).getByRole('link', { name: 'View charge' }));
  assert.equal(await refusal.count(), 0);
}

async function waitsForLimits(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  await context.world.gateway.accountAdministration.change(owner.accountId, { planId: SMALL_PLAN.id }, SYSTEM_ACTOR);
  const { page } = await context.signedIn(owner);
  await page.clock.install();
  for (const format of FORMATS) await waitsForLimit(context, { owner, page }, format);
}

async function run(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.signedIn(owner, { permissions: ['clipboard-read', 'clipboard-write'] });
  for (const format of FORMATS) {
    for (const step of [streams, stops, callsTools, fails]) await step(page, format);
    await waitsForCharge(context.world, page, format);
    await runsAsCode(context, { owner, page }, format);
  }
  await wantsCredit(context);
  await waitsForLimits(context);
}

export const playground: Check = {
  number: 14, title: 'The playground streams, stops, calls tools and shows refusals and pending charges in each of its formats, with the charge of the record; its code samples run', run,
};
