import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE: ReadonlySet<string | null> = new Set(['serious', 'critical']);

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly impact: string | null; readonly help: string; readonly nodes: readonly { readonly html: string; readonly target: readonly unknown[] }[] }[];
}

/** What keeps people out, as axe-core sees it: serious and critical findings, each with an element. The page must have been opened without its policy. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { readonly axe: { run(): Promise<AxeResults> } }).axe.run());
  return violations.filter(({ impact }) => GRAVE.has(impact)).map(({ id, impact, help, nodes }) => `${id} (${impact ?? ''}): ${help}; ${nodes.length} × ${nodes[0]?.html.slice(0, 200) ?? ''}`);
}
