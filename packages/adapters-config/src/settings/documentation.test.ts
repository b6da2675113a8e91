import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderEnvironmentExample, renderVariableTable } from '../test-support/render-variables.js';
import { readSettings } from './settings.js';
import { parseEnv } from 'node:util';

const root = new URL('../../../../', import.meta.url);

function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

describe('the documentation of the settings', () => {
  it('.env.example names every variable with its default', () => {
    expect(textOf('.env.example')).toBe(renderEnvironmentExample());
  });

  it('.env.example with every line taken in gives the settings of an empty environment', () => {
    const example = textOf('.env.example').replaceAll(/^#(?=[A-Z_]+=)/gm, '');
    expect(readSettings(parseEnv(example))).toEqual(readSettings({}));
  });

  it('docs/configuration.md has the table of variables', () => {
    expect(textOf('docs/configuration.md')).toContain(`\n${renderVariableTable()}\n`);
  });
});
