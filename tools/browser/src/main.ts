import { CheckContext, type CheckResult, runCheck } from './checks/check.js';
import { CHECKS } from './checks/checks.js';
import { readOptions } from './read-options.js';
import { addResident, openWorld, PASSWORD, passDays } from './world/open-world.js';

function lineOf({ number, title, passed, seconds, failure }: CheckResult): string {
  return `${passed ? 'ok    ' : 'FAILED'} ${String(number).padStart(2)}  ${title} (${seconds} s)\n${failure === null ? '' : `${failure.replaceAll(/^/gm, '           ')}\n`}`;
}

/** Keeps a gateway open; resolves when a signal ends it. */
async function serve(): Promise<void> {
  const world = await openWorld({ PORT: process.env['PORT'] ?? '0' });
  try {
    const owner = await addResident(world, { email: 'ada@example.com', name: 'Ada' });
    await addResident(world, { email: 'op@example.com', name: 'Operator', role: 'operator' });
    await passDays(world, owner, { days: 30 });
    process.stdout.write(`${world.origin}/dashboard\nOwner ada@example.com, operator op@example.com, password "${PASSWORD}"; key of the owner ${owner.secret}\n`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
  } finally {
    await world.close();
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), CHECKS.map(({ number }) => number));
  if (options.act === 'list') {
    process.stdout.write(CHECKS.map(({ number, title }) => `${String(number).padStart(2)}  ${title}\n`).join(''));
    return 0;
  }
  if (options.act === 'serve') {
    await serve();
    return 0;
  }
  const { numbers, isJson } = options;
  const context = await CheckContext.open();
  const results: CheckResult[] = [];
  try {
    for (const check of CHECKS.filter(({ number }) => numbers.includes(number))) {
      const result = await runCheck(check, context);
      (isJson ? process.stderr : process.stdout).write(lineOf(result));
      results.push(result);
    }
  } finally {
    await context.close();
  }
  if (isJson) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else process.stdout.write(`${results.filter(({ passed }) => passed).length} of ${results.length} checks pass.\n`);
  return results.every(({ passed }) => passed) ? 0 : 1;
}

process.exitCode = await main().catch((thrown: unknown) => {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  return 1;
});
