import { parseArgs } from 'node:util';

type BrowserOptions =
  | { readonly act: 'list' }
  | { readonly act: 'serve' }
  | { readonly act: 'check'; readonly numbers: readonly number[]; readonly isJson: boolean };

function selected(only: string | undefined, numbers: readonly number[]): readonly number[] {
  if (only === undefined) return numbers;
  const wanted = only.split(',').map((text) => Number(text.trim()));
  const unknown = wanted.find((number) => !numbers.includes(number));
  if (unknown !== undefined) throw new Error(`--only takes numbers of checks: ${numbers.toSorted((a, b) => a - b).join(', ')}.`);
  return wanted;
}

/** Reads the options; `numbers` are those of all existing checks. */
export function readOptions(args: readonly string[], numbers: readonly number[]): BrowserOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, json: { type: 'boolean', default: false }, list: { type: 'boolean', default: false }, serve: { type: 'boolean', default: false } },
  });
  if (values.list) return { act: 'list' };
  if (!values.serve) return { act: 'check', numbers: selected(values.only, numbers), isJson: values.json };
  if (values.json || values.only !== undefined) throw new Error('--serve runs no checks, so it takes neither --only nor --json.');
  return { act: 'serve' };
}
