import type { Command } from 'commander';
import type { CommandRuntime } from './command-runtime.js';
import { withFormerNames } from './former-names.js';
import { pastTimeValue, type TimeValue } from './option-values.js';

/** A period of the past; a bound that is not given is open. */
export interface PeriodOptions {
  /** Inclusive start. */
  readonly from?: TimeValue;
  /** Exclusive end. */
  readonly to?: TimeValue;
}

/** Adds `--from` and `--to`. `--start` and `--end`, their former names, still work. */
export function withPeriod(command: Command, runtime: CommandRuntime, what: string): Command {
  command
    .option('--from <when>', `${what} at or after a day, a time, or a span back from now such as 7d`, pastTimeValue)
    .option('--to <when>', `${what} before it, in the same forms`, pastTimeValue);
  return withFormerNames(command, runtime, { start: 'from', end: 'to' });
}
