import type { Check } from './check.js';
import type { CheckContext } from './check-context.js';
import { runsAsCode } from './copied-code.js';
import { waitsForLimits, wantsCredit } from './playground-refusals.js';
import { callsTools, fails, stops, streams } from './playground-replies.js';
import { FORMATS } from './playground-steps.js';

async function run(context: CheckContext): Promise<void> {
  const owner = await context.owner();
  const { page } = await context.signedIn(owner, { permissions: ['clipboard-read', 'clipboard-write'] });
  for (const format of FORMATS) {
    for (const step of [streams, stops, callsTools, fails]) await step(page, format);
    await runsAsCode(context, { owner, page }, format);
  }
  await wantsCredit(context);
  await waitsForLimits(context);
}

export const playground: Check = {
  number: 14, title: 'Playground streams, stops, calls tools and tells of refusals in both formats, at the charge of the record; its code runs', run,
};
