import { parseArgs } from 'node:util';
import { followNpm } from './follow-npm.mjs';

/** Ends the process with the exit code the work resolves to, or with 1 and one line when it cannot be done. */
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

/** Whether `--help` is among the arguments. */
export function asksForHelp(given = process.argv.slice(2)) {
  return given.some((argument) => HELP_OPTIONS.includes(argument));
}

/**
 * The options and names that a script was called with, as `parseArgs` of Node gives them. `null` when its reader wants to know how
 * it is called, which has been printed then. Throws when it was called in another way.
 */
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

/** A value of an option as it was written, when it is a whole number that is `least` or more, of nine digits at most. Throws otherwise. */
export function wholeNumber(name, value, least) {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least) throw new Error(`--${name} must be a whole number from ${least} on, not ${JSON.stringify(value)}.`);
  return value;
}
