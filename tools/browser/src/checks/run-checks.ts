import type { Check } from './check.js';
import type { CheckContext } from './check-context.js';

export interface CheckResult {
  readonly number: number;
  readonly title: string;
  readonly passed: boolean;
  readonly seconds: number;
  /** What was not so; `null` where it passed. */
  readonly failure: string | null;
}

/** Runs a check, and closes the pages that it opened. */
export async function runCheck(check: Check, context: CheckContext): Promise<CheckResult> {
  const { number, title } = check;
  const startedAt = Date.now();
  const failure = await check.run(context).then(() => null, (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
  await context.closePages();
  return { number, title, passed: failure === null, seconds: Math.round((Date.now() - startedAt) / 100) / 10, failure };
}
