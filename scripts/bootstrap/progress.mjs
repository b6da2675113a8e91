const EVERY_MILLISECONDS = 3_000;

/** Where the steps before a command report, so that the command's own output stays clean. */
export function sayOnStandardError(line) {
  process.stderr.write(`${line}\n`);
}

/** Where `npm start` reports: its own output is for people as well. */
export function sayOnStandardOutput(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Does the work, and says every three seconds for how long it has run, after what `describe` returns; whole lines, since many a start
 * has no terminal. Resolves to what the work resolves to.
 */
export async function withProgress({ say, describe }, work) {
  const startedAt = Date.now();
  const timer = setInterval(() => say(`  ${describe()}, ${secondsSince(startedAt)} s`), EVERY_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Whole seconds since an instant of `Date.now()`. */
export function secondsSince(startedAt) {
  return Math.round((Date.now() - startedAt) / 1_000);
}
