import { parseArgs } from 'node:util';
import { followNpm } from './follow-npm.mjs';

/** Exits with the code that the work resolves with, or with 1 and a line about the failure. */
export async function endWith(work) {
  followNpm();
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

const HELP_OPTIONS = ['--help', '-h'];

export function asksForHelp(given = process.argv.slice(2)) {
  return given.some((argument) => HELP_OPTIONS.includes(argument));
}

/** Options and names as `parseArgs` of Node returns them; `null` after printing the help. Throws for invalid ones. */
export function readOptions(usage, { options = {}, allowPositionals = false } = {}) {
  if (asksForHelp()) {
    process.stdout.write(usage);
    return null;
  }
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    throw new Error(`${error.message}\n\n${usage.trimEnd()}`, { cause: error });
  }
}

/** The option's text, if it is a whole number of at most nine digits and at least `least`. Throws otherwise. */
export function wholeNumber(name, value, least) {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) throw new Error(`--${name} must be a whole number from ${least} on, not ${JSON.stringify(value)}.`);
  return value;
}
