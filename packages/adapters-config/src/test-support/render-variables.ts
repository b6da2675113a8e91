import { VARIABLES, type Variable } from '../settings/variables.js';
import type { z } from 'zod';

const ENTRIES = Object.entries(VARIABLES) as readonly (readonly [string, Variable<z.ZodType, string | null>])[];

const EXAMPLE_HEAD = `# Tollgate reads these variables from its environment, and from a file named .env in its working folder.
# Variables of the environment win. A line that begins with # is left out; the values here are the defaults.
`;

/** `.env.example` as it must be. */
export function renderEnvironmentExample(): string {
  const blocks = ENTRIES.map(([name, { default: byDefault, meaning }]) => `# ${meaning}\n#${name}=${byDefault ?? ''}\n`);
  return [EXAMPLE_HEAD, ...blocks].join('\n');
}

/** The table of variables in `docs/configuration.md` as it must be. */
export function renderVariableTable(): string {
  const rows = ENTRIES.map(([name, { default: byDefault, unit, meaning }]) =>
    `| \`${name}\` | ${byDefault === null ? 'none' : `\`${byDefault}\``} | ${unit ?? ''} | ${meaning} |`);
  return ['| Variable | Default | Unit | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
