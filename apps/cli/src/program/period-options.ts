import { type Command, Option } from 'commander';
import { misuse } from './command-failure.js';
import type { CommandRuntime } from './command-runtime.js';
import { pastTimeValue, type TimeValue } from './option-values.js';

/** A period of the past; a limit that is not given is open. */
export interface PeriodOptions {
  /** Included. */
  readonly from?: TimeValue;
  /** Not included. */
  readonly to?: TimeValue;
}

const FORMER_NAMES = [['start', 'from'], ['end', 'to']] as const;

/** Adds `--from` and `--to`. `--start` and `--end`, their former names, still work, with a hint on standard error. */
export function withPeriod(command: Command, runtime: CommandRuntime, what: string): Command {
  command
    .option('--from <when>', `${what} at or after a day, a time, or a span back from now such as 7d`, pastTimeValue)
    .option('--to <when>', `${what} before it, in the same forms`, pastTimeValue);
  for (const [former] of FORMER_NAMES) command.addOption(new Option(`--${former} <when>`).argParser(pastTimeValue).hideHelp());
  return command.hook('preAction', () => {
    for (const [former, name] of FORMER_NAMES) {
      const value: unknown = command.getOptionValue(former);
      if (value === undefined) continue;
      if (command.getOptionValue(name) !== undefined) throw misuse(`--${former} is the former name of --${name}: give one of them`);
      command.setOptionValue(name, value);
      runtime.hint(`--${former} is called --${name} now.`);
    }
  });
}
