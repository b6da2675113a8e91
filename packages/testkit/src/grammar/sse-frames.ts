import { GrammarBreach } from './grammar-breach.js';

/** A frame of a stream. A comment has no data. */
export interface SseFrame {
  readonly number: number;
  readonly text: string;
  readonly event: string | null;
  readonly data: string | null;
}

const FRAME_END = '\n\n';
const FRAME = /^(?:: [^\r\n]*|(?:event: (?<event>[a-z_.]+)\n)?data: (?<data>[^\r\n]+))$/;

/** Splits a stream into frames. Each must be a comment, or one data line after at most one event line. */
export function sseFramesOf(stream: string): readonly SseFrame[] {
  const texts = stream.split(FRAME_END);
  const rest = texts.pop() ?? '';
  if (rest !== '') throw new GrammarBreach(texts.length, 'the stream ends within a frame', rest);
  return texts.map((text, number) => {
    const parts = FRAME.exec(text);
    if (parts === null) throw new GrammarBreach(number, 'not a frame', text);
    return { number, text, event: parts.groups?.['event'] ?? null, data: parts.groups?.['data'] ?? null };
  });
}
