import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CheckContext, checkNumbered, runCheck } from '@tollgate/browser';
import { buildDashboard } from './built-dashboard.js';

const BUILD_MILLISECONDS = 300_000;
const CHECK_MILLISECONDS = 180_000;

/** Makes a test of each check; all use the same gateway and Chromium. */
export function testChecks(...numbers: readonly number[]): void {
  let context: CheckContext | undefined;
  const opened = (): CheckContext => {
    if (context === undefined) throw new Error('the gateway and Chromium were not started before the tests');
    return context;
  };
  beforeAll(async () => {
    await buildDashboard();
    context = await CheckContext.open();
  }, BUILD_MILLISECONDS);
  afterAll(() => context?.close(), CHECK_MILLISECONDS);
  test.each(numbers.map((number) => [number, checkNumbered(number)] as const))('check %i holds', async (_, check) => {
    expect(await runCheck(check, opened())).toMatchObject({ title: check.title, failure: null });
  }, CHECK_MILLISECONDS);
}
