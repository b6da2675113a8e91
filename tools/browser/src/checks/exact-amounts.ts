import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';

/** An amount as a page writes it, as the API does: without grouping, currency and a typographic minus. */
function plain(text: string): string {
  return text.replaceAll(/[,$\s]/g, '').replace('−', '-');
}

/** Whether a text is an amount, digit for digit. A column may add zeros behind its last decimal place. */
function isExact(text: string, amount: string): boolean {
  const written = plain(text);
  return written.startsWith(amount) && /^\.?0*$/.test(written.slice(amount.length)) && !(amount.includes('.') && written.slice(amount.length).includes('.'));
}

/** The amounts that are shown below an element. Rejects where one is not written digit for digit. */
export async function exactAmounts(below: Locator): Promise<readonly string[]> {
  const found = await below.locator('[data-amount]').evaluateAll((elements) => elements.map((element) => [element.getAttribute('data-amount') ?? '', element.textContent] as const));
  for (const [amount, text] of found) assert.ok(isExact(text, amount), `${amount} is written as ${text}`);
  return found.map(([amount]) => amount);
}
