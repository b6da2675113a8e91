import { createHash } from 'node:crypto';
import { KIND_COUNT, KIND_OF_CODE } from '../character-kinds.js';
import { DIGIT_KIND, ROW_SHIFT, UNITS_PER_TOKEN, WEIGHT_DIGITS, WEIGHTS } from '../token-weights.js';
import { GENERATED_KINDS } from '../../test-support/generated-kinds.js';
import { SeededChoice } from '../../test-support/corpus.js';
import { TOOL_LISTS, TOOL_TEMPLATES, type ToolDescription } from './counted-texts.js';

/** A text and its target token count. */
export interface FittingSample {
  readonly text: string;
  readonly tokens: number;
}

/** Weights of pairs with a digit, as `WEIGHT_DIGITS` writes them. */
export interface DigitWeights {
  readonly afterDigit: string;
  readonly beforeDigit: string;
}

/** A text's weight without its pairs with a digit, and how often each of these pairs occurs. */
interface Equation {
  readonly fixedUnits: number;
  readonly pairs: ReadonlyMap<number, number>;
  readonly wantedUnits: number;
}

const ROUNDS = 300;
/** Strength of the regularisation towards the earlier weights, which rare pairs therefore almost keep. */
const FIRMNESS = 0.02 / UNITS_PER_TOKEN ** 2;
const MAX_UNITS = WEIGHT_DIGITS.length - 1;

/**
 * Index of a pair. Pairs that begin with a digit come first, in the order of their second kind, then pairs that only end with one. `null` for other
 * pairs.
 */
function pairOf(before: number, kind: number): number | null {
  if (before === DIGIT_KIND) return kind;
  return kind === DIGIT_KIND ? KIND_COUNT + before : null;
}

function equationOf({ text, tokens }: FittingSample): Equation {
  const pairs = new Map<number, number>();
  let fixedUnits = 0;
  let before = 0;
  for (let position = 0; position < text.length; position += 1) {
    const kind = KIND_OF_CODE[text.charCodeAt(position)] ?? 0;
    const pair = pairOf(before, kind);
    if (pair === null) fixedUnits += WEIGHTS[(before << ROW_SHIFT) | kind] ?? 0;
    else pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    before = kind;
  }
  return { fixedUnits, pairs, wantedUnits: tokens * UNITS_PER_TOKEN };
}

function weightsBefore(): Float64Array {
  return Float64Array.from({ length: 2 * KIND_COUNT }, (_none, pair) =>
    WEIGHTS[pair < KIND_COUNT ? (DIGIT_KIND << ROW_SHIFT) | pair : ((pair - KIND_COUNT) << ROW_SHIFT) | DIGIT_KIND] ?? 0);
}

/** The weight of a text without the occurrences of one pair. */
function unitsWithout(pair: number, { fixedUnits, pairs }: Equation, weights: Float64Array): number {
  let units = fixedUnits;
  for (const [other, count] of pairs) units += other === pair ? 0 : count * (weights[other] ?? 0);
  return units;
}

/** The weight that minimises the squared relative errors, regularised towards the earlier weight. */
function bestWeight(pair: number, equations: readonly Equation[], { weights, before }: { readonly weights: Float64Array; readonly before: number }): number {
  let [square, product] = [FIRMNESS, FIRMNESS * before];
  for (const equation of equations) {
    const share = (equation.pairs.get(pair) ?? 0) / equation.wantedUnits;
    square += share * share;
    if (share > 0) product += share * (1 - unitsWithout(pair, equation, weights) / equation.wantedUnits);
  }
  return Math.min(MAX_UNITS, Math.max(1, product / square));
}

/** Fits the weights of pairs with a digit; all other weights stay fixed. */
export function fitDigitWeights(samples: readonly FittingSample[]): DigitWeights {
  const equations = samples.map(equationOf).filter(({ pairs }) => pairs.size > 0);
  const prior = weightsBefore();
  const weights = prior.slice();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const pair of weights.keys()) weights[pair] = bestWeight(pair, equations, { weights, before: prior[pair] ?? 0 });
  }
  const written = Array.from(weights, (weight) => WEIGHT_DIGITS.charAt(Math.round(weight))).join('');
  const afterDigit = written.slice(0, KIND_COUNT);
  // The pair of two digits has its weight in `afterDigit`.
  const beforeDigit = `${written.slice(KIND_COUNT, KIND_COUNT + DIGIT_KIND)}${afterDigit.charAt(DIGIT_KIND)}${written.slice(KIND_COUNT + DIGIT_KIND + 1)}`;
  return { afterDigit, beforeDigit };
}

export const VOCABULARIES = ['qwen3', 'llama3_1', 'gemma3', 'deepseek_v3', 'o200k'] as const;
export type Vocabulary = (typeof VOCABULARIES)[number];

export interface CorpusText {
  readonly category: string;
  readonly text: string;
  /** True for texts that the weights are fitted to; the other texts only measure the error. */
  readonly isFitted: boolean;
}

export interface ToolPrompt {
  readonly template: string;
  readonly tools: readonly ToolDescription[];
  readonly text: string;
}

const SEED = 40_961;
const FITTED_OF_EACH = 4;
const JUDGING_OF_EACH = 4;

/** Generated texts, the same in every run. */
export function fittingTexts(): readonly CorpusText[] {
  const random = new SeededChoice(SEED);
  return Object.entries(GENERATED_KINDS).flatMap(([category, make]) =>
    random.times(FITTED_OF_EACH + JUDGING_OF_EACH, (position) => ({ category, text: make(random), isFitted: position < FITTED_OF_EACH })));
}

export function toolPrompts(): readonly ToolPrompt[] {
  return Object.entries(TOOL_TEMPLATES).flatMap(([template, print]) => TOOL_LISTS.map((tools) => ({ template, tools, text: print(tools) })));
}

/** All texts to count: `ReferenceCounts` has its counts in this order. */
export function countedTexts(): readonly string[] {
  return [...fittingTexts(), ...toolPrompts()].map(({ text }) => text);
}

export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex');
}

/** Token counts of `countedTexts()`, in their order. */
export interface ReferenceCounts {
  /** Hash of the counted texts. */
  readonly digest: string;
  readonly counts: Readonly<Record<Vocabulary, readonly number[]>>;
}
