import { VARIABLES } from '@tollgate/adapters-config';

/** What is said to somebody who gave arguments, in place of a start. */
export interface ArgumentsReply {
  readonly text: string;
  readonly exitCode: number;
}

const WRONGLY_CALLED = 2;
const HELP_OPTIONS: ReadonlySet<string> = new Set(['--help', '-h']);

function helpText(): string {
  const variables = Object.entries(VARIABLES).map(([name, { default: byDefault, meaning }]) => `  ${name}=${byDefault ?? ''}\n      ${meaning}\n`);
  return `npm start

Starts the gateway, which runs until it is told to stop. It takes no options but --help.

Its settings are environment variables, as in PORT=9000 npm start, or lines of a file named .env beside package.json.
These are they, with what they are when they are left out:

${variables.join('')}
docs/configuration.md says more. Accounts and keys are made with: npm run -s tollgate -- --help
`;
}

/** The gateway takes its settings from the environment: options that say nothing to it must not look as if they did. `null` when there are none. */
export function replyToArguments(given: readonly string[]): ArgumentsReply | null {
  const [first] = given;
  if (first === undefined) return null;
  if (given.some((argument) => HELP_OPTIONS.has(argument))) return { text: helpText(), exitCode: 0 };
  return { text: `Unknown argument ${first}: settings are environment variables, which npm start -- --help lists.\n`, exitCode: WRONGLY_CALLED };
}
