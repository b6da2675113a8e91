import { type Command, Option } from 'commander';
import { misuse } from './command-failure.js';
import type { CommandRuntime } from './command-runtime.js';

/** Former names of options, each with its present one, as in `{ start: 'from' }`. */
type FormerNames = Readonly<Record<string, string>>;

/** Accepts the former names of a command's options. If one is used, prints a hint to standard error. The help does not show these names. */
export function withFormerNames(command: Command, runtime: CommandRuntime, names: FormerNames): Command {
  for (const [former, present] of Object.entries(names)) command.addOption(formerOption(command, former, present));
  return command.hook('preAction', () => {
    for (const [former, present] of Object.entries(names)) {
      const value: unknown = command.getOptionValue(former);
      if (value === undefined) continue;
      if (command.getOptionValue(present) !== undefined) throw misuse(`--${former} is the former name of --${present}: give only one of them`);
      command.setOptionValue(present, value);
      runtime.hint(`--${former} is called --${present} now.`);
    }
  });
}

/** Uses the parser of the present option, which must have no default. */
function formerOption(command: Command, former: string, present: string): Option {
  const { flags, parseArg } = command.options.find((option) => option.attributeName() === present) ?? new Option(`--${present} <value>`);
  const option = new Option(flags.replace(`--${present}`, `--${former}`)).hideHelp();
  return parseArg === undefined ? option : option.argParser(parseArg);
}
