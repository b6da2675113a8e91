import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import type { World } from '../world/open-world.js';
import { exactTokens } from './amount-places.js';
import { shown } from '../driver/page-states.js';
import { available, type Format, newestTurn, openPlayground, recordBehind, sendButton, write } from './playground-replies.js';

/** A trigger that makes the database refuse every settlement, until it is dropped. */
const REFUSE = "CREATE TRIGGER away BEFORE INSERT ON usage_records BEGIN SELECT RAISE(ABORT, 'the database takes no settlement'); END";

async function withoutSettlements(world: World, work: (accept: () => void) => Promise<void>): Promise<void> {
  const beside = new Database(join(world.folder, 'tollgate.db'));
  const accept = (): void => void beside.exec('DROP TRIGGER IF EXISTS away');
  beside.exec(REFUSE);
  try {
    await work(accept);
  } finally {
    accept();
    beside.close();
  }
}

/** Checks that the page shows the maximum charge while the charge is pending, and then the charge of the usage record. */
export async function waitsForCharge(world: World, page: Page, format: Format): Promise<void> {
  await openPlayground(page, 'sandbox-small', format);
  const before = await available(page);
  await write(page, 'Hello. [[tokens:9]]');
  const table = page.getByRole('region', { name: 'Settings' }).getByRole('table');
  await withoutSettlements(world, async (accept) => {
    await sendButton(page).click();
    const reply = newestTurn(page);
    await shown(reply.getByText(/^You will be charged at most .* Charges cannot be booked at the moment\. This one will be booked as soon as possible\.$/));
    const [most = ''] = await exactTokens(reply);
    await shown(page.getByText(/^Done: 9 tokens, to be charged at most \$[\d,.]+$/));
    await shown(table.getByRole('rowheader', { name: 'To be charged, at most', exact: true }));
    assert.deepEqual(await exactTokens(table), [most]);
    accept();
    await shown(reply.getByRole('link', { name: 'View charge' }));
    const { svc_tokens_debited: charged } = await recordBehind(page, reply);
    assert.deepEqual([charged, await exactTokens(reply)], [most, [most]]);
    await shown(table.getByRole('rowheader', { name: 'Charged', exact: true }));
    assert.notEqual(await available(page), before);
  });
}
