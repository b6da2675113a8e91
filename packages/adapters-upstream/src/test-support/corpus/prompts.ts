import { GENERATED_KINDS } from './generated-kinds.js';
import { PASSAGES } from './passages.js';
import { PROGRAMS } from './programs.js';
import type { SeededChoice } from './seeded-choice.js';

/** A prompt as somebody could send it, with what it is made of. */
export interface Prompt {
  readonly kind: string;
  readonly text: string;
}

const PASSAGE_TEXTS = Object.values(PASSAGES);
const ENGLISH = Object.entries(PASSAGES).flatMap(([language, text]) => (language.startsWith('english') ? [text] : []));
const PROGRAM_TEXTS = Object.values(PROGRAMS);
const GENERATORS = Object.values(GENERATED_KINDS);
const VARIANTS = 3;

/** One prompt of every passage and program, and some of every generated kind. */
export function purePrompts(random: SeededChoice): readonly Prompt[] {
  const written = [...Object.entries(PASSAGES), ...Object.entries(PROGRAMS)].map(([kind, text]) => ({ kind, text }));
  const generated = Object.entries(GENERATED_KINDS).flatMap(([kind, make]) => random.times(VARIANTS, () => ({ kind, text: make(random) })));
  return [...written, ...generated];
}

function fenced(text: string): string {
  return `\n\n\`\`\`\n${text}\n\`\`\`\n`;
}

/** What people and agents send: a question with what it is about, a conversation, files, what a tool returned. */
const MIXTURES: Readonly<Record<string, (random: SeededChoice) => string>> = {
  'a question about code': (random) => `${random.of(PASSAGE_TEXTS)}${fenced(random.of(PROGRAM_TEXTS))}`,
  'several files': (random) => random.times(3, () => `// ${random.between(1, 40)}\n${random.of(PROGRAM_TEXTS)}`).join('\n'),
  'a conversation': (random) => random.times(random.between(2, 5), () => random.of(PASSAGE_TEXTS)).join('\n\n'),
  'a translation': (random) => `Translate the following into English, and keep the tone.\n\n${random.of(PASSAGE_TEXTS)}`,
  'what a tool returned': (random) => `${random.of(ENGLISH)}\n${random.of(GENERATORS)(random)}\n${random.of(PROGRAM_TEXTS)}`,
  'a report with a machine\'s output': (random) => `${random.of(PASSAGE_TEXTS)}${fenced(random.of(GENERATORS)(random))}${random.of(PASSAGE_TEXTS)}`,
};

/** Mixtures of every sort, so many of each. */
export function mixedPrompts(random: SeededChoice, ofEach: number): readonly Prompt[] {
  return Object.entries(MIXTURES).flatMap(([kind, make]) => random.times(ofEach, () => ({ kind, text: make(random) })));
}
