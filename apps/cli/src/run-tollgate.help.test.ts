import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from './test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeAll(() => { folder = new TollgateFolder(); });
afterAll(() => folder.remove());

const WIDTH = 1_000;

/** Entries of a section of the help, each with its description. */
function entriesOf(help: string, section: string): readonly (readonly [name: string, description: string])[] {
  const [, block = ''] = new RegExp(`^${section}:\\n((?: .*\\n)*)`, 'm').exec(help) ?? [];
  return block.split('\n').filter((line) => line !== '').map((line) => {
    const [name = '', ...description] = line.trim().split(/ {2,}/);
    return [name, description.join(' ')];
  });
}

async function helpsOf(path: readonly string[]): Promise<readonly (readonly [command: string, help: string])[]> {
  const { out } = await folder.runWithin(WIDTH, ...path, '--help');
  const names = entriesOf(out, 'Commands').map(([name]) => name.split(' ')[0] ?? '').filter((name) => name !== 'help');
  const below = await Promise.all(names.map((name) => helpsOf([...path, name])));
  return [[path.join(' '), out], ...below.flat()];
}

describe('the help', () => {
  it('of each command describes the command, its arguments, options and subcommands', async () => {
    const helps = await helpsOf([]);
    expect(helps.length).toBeGreaterThan(80);
    const incomplete = helps.flatMap(([command, help]) => [
      ...(/^Usage: .*\n\n[^\n]{4,}\n/.test(help) ? [] : [command]),
      ...['Arguments', 'Options', 'Commands', 'Global Options'].flatMap((section) => entriesOf(help, section).filter(([, description]) => description.length < 8).map(([name]) => `${command} ${name}`)),
    ]);
    expect(incomplete).toEqual([]);
  });

  it('is no wider than the terminal', async () => {
    const { out } = await folder.runWithin(80, 'accounts', 'list', '--help');
    expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });
});
