import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { describe, expect, it } from '@jest/globals';
import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';
import { readSettings } from './settings.js';

const ENTRIES = Object.entries(VARIABLES) as readonly (readonly [string, Variable<z.ZodType, string | null>])[];

const EXAMPLE_HEAD = `# Tollgate reads these variables from its environment, and from a file named .env in its working folder.
# Variables of the environment take precedence. A line that begins with # is a comment; the values here are the defaults.
`;

function renderEnvironmentExample(): string {
  const blocks = ENTRIES.map(([name, { default: byDefault, meaning }]) => `# ${meaning}\n#${name}=${byDefault ?? ''}\n`);
  return [EXAMPLE_HEAD, ...blocks].join('\n');
}

function renderVariableTable(): string {
  const rows = ENTRIES.map(([name, { default: byDefault, unit, meaning }]) =>
    `| \`${name}\` | ${byDefault === null ? 'none' : `\`${byDefault}\``} | ${unit ?? ''} | ${meaning} |`);
  return ['| Variable | Default | Unit | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

const root = new URL('../../../../', import.meta.url);

function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

describe('the documentation of the settings', () => {
  it('.env.example names every variable with its default', () => {
    expect(textOf('.env.example')).toBe(renderEnvironmentExample());
  });

  it('.env.example with all lines active equals an empty environment', () => {
    const example = textOf('.env.example').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    expect(readSettings(parseEnv(example))).toEqual(readSettings({}));
  });

  it('docs/configuration.md contains the table of variables', () => {
    expect(textOf('docs/configuration.md')).toContain(`\n${renderVariableTable()}\n`);
  });
});
