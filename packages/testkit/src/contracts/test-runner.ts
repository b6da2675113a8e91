import { format } from 'node:util';

type Body = () => void | Promise<void>;

/** The jest matchers that the contracts use. vitest has them too; other runners can use those of the package `expect`. */
export interface Matchers {
  toBe(expected: unknown): unknown;
  toBeGreaterThan(expected: number | bigint): unknown;
  toBeGreaterThanOrEqual(expected: number | bigint): unknown;
  toBeLessThan(expected: number | bigint): unknown;
  toBeLessThanOrEqual(expected: number | bigint): unknown;
  toBeNull(): unknown;
  toBeUndefined(): unknown;
  toContain(expected: unknown): unknown;
  toContainEqual(expected: unknown): unknown;
  toEqual(expected: unknown): unknown;
  toHaveLength(expected: number): unknown;
  toMatch(expected: string | RegExp): unknown;
  toMatchObject(expected: object): unknown;
  toThrow(expected?: string | RegExp | Error | (new (...parameters: never[]) => Error)): unknown;
}

export interface Expectation extends Matchers {
  readonly not: Matchers;
  readonly rejects: Matchers;
  readonly resolves: Matchers;
}

export interface Expect {
  (actual: unknown): Expectation;
  any(type: unknown): unknown;
  objectContaining(expected: Record<string, unknown>): unknown;
  stringMatching(expected: string | RegExp): unknown;
}

/** The functions of a test runner that the contracts use. jest, vitest and `node:test` have them under these names. */
export interface TestRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, body: Body): unknown;
  beforeEach(body: Body): unknown;
  afterEach(body: Body): unknown;
  readonly expect: Expect;
}

let chosen: TestRunner | null = null;

/** Sets the runner for contracts that are called later. By default, these use the global functions of jest, or of vitest with `globals`. */
export function useTestRunner(given: TestRunner | null): void {
  chosen = given;
}

function runner(): TestRunner {
  const current = chosen ?? globalThis as unknown as Partial<TestRunner>;
  if (current.expect === undefined) throw new Error('describe, it and expect are not global. Pass those of your test runner to useTestRunner.');
  return current as TestRunner;
}

export function describe(title: string, body: () => void): void {
  runner().describe(title, body);
}

export function beforeEach(body: Body): void {
  runner().beforeEach(body);
}

export function afterEach(body: Body): void {
  runner().afterEach(body);
}

type RowParameters<Row extends readonly unknown[]> = { -readonly [Place in keyof Row]: Row[Place] };

interface TestFunction {
  (title: string, body: Body): void;
  /** Declares one test per row. The members of an array row become the parameters. */
  each: {
    <Row extends readonly [unknown, ...unknown[]]>(rows: readonly Row[]): (title: string, body: (...row: RowParameters<Row>) => void | Promise<void>) => void;
    <Row extends readonly unknown[]>(rows: readonly Row[]): (title: string, body: (...row: RowParameters<Row>) => void | Promise<void>) => void;
    <Row>(rows: readonly Row[]): (title: string, body: (row: Row) => void | Promise<void>) => void;
  };
}

const PLACEHOLDER = /%[sdifjoO]/gu;

/** Replaces placeholders by the first values of the row, and `$name` by the member `name` of an object row. */
function titleOf(title: string, values: readonly unknown[]): string {
  const placeholders = title.match(PLACEHOLDER)?.length ?? 0;
  const formatted = format(title, ...values.slice(0, placeholders));
  const [first] = values;
  if (typeof first !== 'object' || first === null) return formatted;
  return formatted.replaceAll(/\$(?<name>\w+)/gu, (_, name: string) => String((first as Record<string, unknown>)[name]));
}

export const it: TestFunction = Object.assign(
  (title: string, body: Body): void => {
    // The function has no parameter, because runners pass a `done` callback to one that has.
    runner().it(title, () => body());
  },
  {
    each: (rows: readonly unknown[]) => (title: string, body: (...row: never[]) => void | Promise<void>): void => {
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row];
        it(titleOf(title, values), () => body(...values as never[]));
      }
    },
  },
);

export const expect: Expect = Object.assign((actual: unknown) => runner().expect(actual), {
  any: (type: unknown) => runner().expect.any(type),
  objectContaining: (expected: Record<string, unknown>) => runner().expect.objectContaining(expected),
  stringMatching: (expected: string | RegExp) => runner().expect.stringMatching(expected),
});
