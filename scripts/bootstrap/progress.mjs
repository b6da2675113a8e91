const EVERY_MILLISECONDS = 3_000;

/** Prints on standard error, so that standard output contains only the command's result. */
export function sayOnStandardError(line) {
  process.stderr.write(`${line}\n`);
}

/** Prints on standard output, for `npm start`, whose output is for people. */
export function sayOnStandardOutput(line) {
  process.stdout.write(`${line}\n`);
}

/** Every three seconds, prints the text of `describe` and the elapsed time as a whole line, even without a terminal. */
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
