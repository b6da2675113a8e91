import { GrammarBreach } from './grammar-breach.js';

/** One frame of a stream as a gateway writes it. A comment has no data. */
export interface SseFrame {
  readonly number: number;
  readonly text: string;
  readonly event: string | null;
  readonly data: string | null;
}

const FRAME_END = '\n\n';
const FRAME = /^(?:: [^\r\n]*|(?:event: (?<event>[a-z_]+)\n)?data: (?<data>[^\r\n]+))$/;

/** Splits a whole stream into frames of the strict form: a comment, or one optional event line and one data line. */
export function sseFramesOf(stream: string): readonly SseFrame[] {
  const texts = stream.split(FRAME_END);
  const rest = texts.pop() ?? '';
  if (rest !== '') throw new GrammarBreach(texts.length, 'the stream is cut inside a frame', rest);
  return texts.map((text, number) => {
    const parts = FRAME.exec(text);
    if (parts === null) throw new GrammarBreach(number, 'not a frame', text);
    return { number, text, event: parts.groups?.['event'] ?? null, data: parts.groups?.['data'] ?? null };
  });
}
