const FILLER = [
  'This', ' is', ' simulated', ' text', ' from', ' the', ' sandbox.', ' No', ' model', ' wrote', ' it,', ' and', ' it', ' means', ' nothing.', ' ',
];
const REASONING_FILLER = ['This', ' is', ' simulated', ' reasoning.', ' Nobody', ' thought', ' about', ' it.', ' '];

/** The sandbox's token: at most 12 characters of a word, with the whitespace before them. */
const PIECE = /\s*\S{1,12}|\s+/gu;

export function piecesOf(text: string): readonly string[] {
  return text.match(PIECE) ?? [];
}

export function simulatedText(tokens: number): readonly string[] {
  return repeated(FILLER, tokens);
}

export function simulatedReasoning(tokens: number): readonly string[] {
  return repeated(REASONING_FILLER, tokens);
}

/** The beginning of a text, in quotation marks. */
export function quoted(text: string): string {
  const excerpt = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  // The cut may split a surrogate pair; encoding replaces the lone half.
  return `“${Buffer.from(excerpt, 'utf8').toString('utf8')}”`;
}

function repeated(pieces: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => pieces[position % pieces.length] ?? '');
}
