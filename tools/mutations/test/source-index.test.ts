import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SourceIndex } from '../source-index.mjs';

const SOURCE = `
export const LIMIT = 3;

export function* first(): Script<void> {
  if (a
    < b) return;
}

export class Ledger {
  static async open(): Promise<Ledger> {
    return new Ledger();
  }

  private* settle(id: string): Script<void> {
    this.#left -= 1;
  }

  async #sweep(): Promise<void> {
    this.#left -= 1;
  }
}
`;
const SCRIPT = `local function fits(count)
  return count < 1
end
return fits(1)
`;

interface Found { readonly from: number; readonly to: number }

let root = '';
let sources: SourceIndex;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'source-index-'));
  for (const folder of ['packages/a/src', 'apps']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'packages/a/src/ledger.ts'), SOURCE);
  writeFileSync(join(root, 'packages/a/src/ledger.test.ts'), SOURCE);
  writeFileSync(join(root, 'packages/a/src/admit.lua'), SCRIPT);
  sources = new SourceIndex(root);
});

afterAll(() => rmSync(root, { recursive: true }));

function linesOf(name: string, statement: string): readonly (readonly number[])[] {
  return (sources.find(name, statement) as readonly Found[]).map(({ from, to }) => [from, to]);
}

describe('SourceIndex', () => {
  it('finds a statement whatever its layout, but not in tests', () => {
    expect(linesOf('first', 'if (a < b) return;')).toEqual([[4, 6]]);
  });

  it.each([['settle', 14], ['sweep', 18], ['Ledger.settle', 14]])('finds the same statement by the name of its method: %s', (name, line) => {
    expect(linesOf(name, 'this.#left -= 1;')).toEqual([[line, line + 1]]);
  });

  it('finds a statement twice if the given name covers both places', () => {
    expect(linesOf('Ledger', 'this.#left -= 1;')).toHaveLength(2);
  });

  it('finds a statement of a script by the name of its function and of its file', () => {
    expect([linesOf('fits', 'return count < 1'), linesOf('admit', 'return fits(1)')]).toEqual([[[1, 2]], [[3, 4]]]);
  });

  it.each([['first', 'return;'], ['open', 'this.#left -= 1;'], ['absent', 'return;']])('finds no place in %s for %s, which is not a whole statement there', (name, statement) => {
    expect(linesOf(name, statement)).toEqual([]);
  });

  it('knows the names of declarations', () => {
    expect([sources.has('Ledger'), sources.has('absent')]).toEqual([true, false]);
  });
});
