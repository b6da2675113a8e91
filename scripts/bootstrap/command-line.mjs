import { parseArgs } from 'node:util';
import { followNpm } from './follow-npm.mjs';

/** Does the work, then exits with the code that it resolves with; if it fails, prints a line and exits with 1. */
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

/** Options and names as Node's `parseArgs` returns them; `null` after printing the help. Throws if an argument is invalid. */
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

/** The text of an option. Throws unless it is a whole number of at most nine digits that is not below `least`. */
export function wholeNumber(name, value, least) {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) throw new Error(`--${name} must be a whole number from ${least} on, not ${JSON.stringify(value)}.`);
  return value;
}
