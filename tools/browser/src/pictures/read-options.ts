import { parseArgs } from 'node:util';
import type { Choice } from './choose-pictures.js';
import { type Condition, CONDITIONS, CONDITIONS_OF_USUAL } from './conditions.js';
import { SCHEMES, WIDTHS } from './state.js';

export interface PictureOptions extends Choice {
  readonly conditions: readonly Condition[];
  /** Size and seed of a random selection of the pictures; `null` to take all. */
  readonly draw: { readonly count: number; readonly seed: string } | null;
  readonly isGerman: boolean;
  /** True to print the names of the pictures without taking them. */
  readonly isList: boolean;
  readonly folder: string;
}

const FOLDER = 'data/screenshots';

/** The values that a text names, separated by commas, or all values for the text `all`; `null` without a text. */
function chosen<Value extends string>(option: string, text: string | undefined, values: readonly Value[]): readonly Value[] | null {
  if (text === undefined) return null;
  if (text === 'all') return values;
  return text.split(',').map((one) => {
    const known = values.find((value) => value === one.trim());
    if (known === undefined) throw new Error(`--${option} takes all or some of ${values.join(', ')}.`);
    return known;
  });
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error('--draw takes a number of pictures from 1 to 99999.');
  return Number(text);
}

/**
 * Reads the options. If no states, schemes or widths are chosen, a draw is from all of them. Without a seed, it uses the commit that `commitOf`
 * reads.
 */
export function readOptions(args: readonly string[], commitOf: () => string): PictureOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { only: text, state: text, scheme: text, width: text, draw: text, seed: text, language: { ...text, default: 'en' }, list: { type: 'boolean', default: false }, out: { ...text, default: FOLDER } },
  });
  const isDrawn = values.draw !== undefined;
  const widths = chosen('width', values.width, WIDTHS.map(String));
  const [language = 'en'] = chosen('language', values.language, ['en', 'de']) ?? [];
  return {
    conditions: chosen('state', values.state, CONDITIONS) ?? (isDrawn ? CONDITIONS : CONDITIONS_OF_USUAL),
    only: values.only?.split(',') ?? [],
    schemes: chosen('scheme', values.scheme, SCHEMES) ?? (isDrawn ? SCHEMES : null),
    widths: widths === null ? (isDrawn ? WIDTHS : null) : WIDTHS.filter((width) => widths.includes(String(width))),
    draw: values.draw === undefined ? null : { count: countOf(values.draw), seed: values.seed ?? commitOf() },
    isGerman: language === 'de', isList: values.list, folder: values.out,
  };
}
