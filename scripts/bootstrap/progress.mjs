const EVERY_MILLISECONDS = 3_000;

/** Prints a line on standard error, so that standard output has only the command's result. */
export function sayOnStandardError(line) {
  process.stderr.write(`${line}\n`);
}

/** Prints a line on standard output, for `npm start`, whose output is for people. */
export function sayOnStandardOutput(line) {
  process.stdout.write(`${line}\n`);
}

/** While the work runs, prints the text of `describe` and the elapsed time every three seconds, each time as a new line. */
export async function withProgress({ say, describe }, work) {
  const startedAt = Date.now();
  const timer = setInterval(() => say(`  ${describe()}, ${secondsSince(startedAt)} s`), EVERY_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

export function secondsSince(startedAt) {
  return Math.round((Date.now() - startedAt) / 1_000);
}
