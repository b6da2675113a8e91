import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { describe, expect, it } from '@jest/globals';
import type { Variable } from './variable.js';
import { BRAND_VARIABLES } from './brand-variables.js';
import { MAIL_VARIABLES } from './mail-variables.js';
import { OPERATION_VARIABLES } from './operation-variables.js';
import { PAYMENT_VARIABLES } from './payment-variables.js';
import { PEOPLE_VARIABLES } from './people-variables.js';
import { STORAGE_VARIABLES } from './storage-variables.js';
import { TRAFFIC_VARIABLES } from './traffic-variables.js';
import { UPSTREAM_VARIABLES } from './upstream-variables.js';
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

/** Headings of docs/configuration.md. */
const SECTIONS = {
  'Address and sign-in': PEOPLE_VARIABLES,
  'Database and secret': STORAGE_VARIABLES,
  'Models and upstreams': UPSTREAM_VARIABLES,
  'Start, stop and traffic': TRAFFIC_VARIABLES,
  'Name, colours and legal pages': BRAND_VARIABLES,
  'Mail': MAIL_VARIABLES,
  'Payments': PAYMENT_VARIABLES,
  'Monitoring, retention and statements': OPERATION_VARIABLES,
} as const;

function renderSection([heading, variables]: readonly [string, Readonly<Record<string, Variable<z.ZodType, string | null>>>]): string {
  const rows = Object.entries(variables).map(([name, { default: byDefault, unit, meaning }]) =>
    `| \`${name}\` | ${byDefault === null ? 'none' : `\`${byDefault}\`${unit === null ? '' : ` ${unit}`}`} | ${meaning} |`);
  return [`### ${heading}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

const root = new URL('../../../../', import.meta.url);

function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

describe('the documentation of the settings', () => {
  it('in .env.example names every variable with its default', () => {
    expect(textOf('.env.example')).toBe(renderEnvironmentExample());
  });

  it('in .env.example gives the default settings if all its lines are active', () => {
    const example = textOf('.env.example').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    expect(readSettings(parseEnv(example))).toEqual(readSettings({}));
  });

  it.each(Object.entries(SECTIONS))('in docs/configuration.md has a table of the variables in the section %s', (heading, variables) => {
    expect(textOf('docs/configuration.md')).toContain(`\n${renderSection([heading, variables])}\n`);
  });

  it('in docs/configuration.md lists every variable', () => {
    expect(Object.values(SECTIONS).flatMap(Object.keys)).toEqual(ENTRIES.map(([name]) => name));
  });
});
