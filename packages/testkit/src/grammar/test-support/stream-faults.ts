import { GrammarBreach } from '../grammar-breach.js';

/** The number of the frame at which the check fails, or `null` if it succeeds. */
export function breachOf(check: (stream: string) => unknown, stream: string): number | null {
  try {
    check(stream);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof GrammarBreach)) throw thrown;
    return thrown.frame;
  }
}

export type Frames = readonly string[];
/** A description, a change that makes a valid stream invalid, and the number of the frame at which the check must fail. */
export type Fault = readonly [fault: string, change: (frames: Frames) => Frames, frame: number];

export const edit = (at: number, change: (frame: string) => string) => (frames: Frames): Frames =>
  frames.map((frame, index) => (index === at ? change(frame) : frame));
export const replace = (at: number, from: string, to: string) => edit(at, (frame) => frame.replaceAll(from, to));
export const without = (at: number) => (frames: Frames): Frames => frames.toSpliced(at, 1);
export const insert = (at: number, frame: string) => (frames: Frames): Frames => frames.toSpliced(at, 0, frame);
export const repeat = (at: number) => (frames: Frames): Frames => frames.flatMap((frame, index) => (index === at ? [frame, frame] : [frame]));
export const swap = (at: number) => (frames: Frames): Frames => [...frames.slice(0, at), ...frames.slice(at, at + 2).toReversed(), ...frames.slice(at + 2)];

export const RECEIPT = { svc_tokens_debited: '1.5', svc_cost_usd: '0', svc_balance_tokens: '10', svc_fallback_used: false };

export const event = (type: string, fields: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
