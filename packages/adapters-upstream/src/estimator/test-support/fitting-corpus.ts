import { createHash } from 'node:crypto';
import { GENERATED_KINDS } from '../../test-support/generated-kinds.js';
import { SeededChoice } from '../../test-support/corpus.js';
import { TOOL_LISTS, TOOL_TEMPLATES, type ToolDescription } from './tool-lists.js';

/** The vocabularies that estimates are held against. */
export const VOCABULARIES = ['qwen3', 'llama3_1', 'gemma3', 'deepseek_v3', 'o200k'] as const;
export type Vocabulary = (typeof VOCABULARIES)[number];

export interface CorpusText {
  readonly category: string;
  readonly text: string;
  /** Weights are fitted on these; the others only judge them. */
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

/** What machines write, generated: the same for every run. */
export function fittingTexts(): readonly CorpusText[] {
  const random = new SeededChoice(SEED);
  return Object.entries(GENERATED_KINDS).flatMap(([category, make]) =>
    random.times(FITTED_OF_EACH + JUDGING_OF_EACH, (position) => ({ category, text: make(random), isFitted: position < FITTED_OF_EACH })));
}

/** Every list of tools as every template prints it. */
export function toolPrompts(): readonly ToolPrompt[] {
  return Object.entries(TOOL_TEMPLATES).flatMap(([template, print]) => TOOL_LISTS.map((tools) => ({ template, tools, text: print(tools) })));
}

/** All texts that vocabularies are asked about, in order. */
export function countedTexts(): readonly string[] {
  return [...fittingTexts(), ...toolPrompts()].map(({ text }) => text);
}

export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex');
}

/** What the vocabularies made of the texts, in their order. */
export interface ReferenceCounts {
  /** Of the texts that were counted. */
  readonly digest: string;
  readonly counts: Readonly<Record<Vocabulary, readonly number[]>>;
}
