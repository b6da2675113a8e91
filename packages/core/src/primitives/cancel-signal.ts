/** The part of an `AbortSignal` the core needs; a real one is one of these. */
export interface CancelSignal {
  /** The core reads it before it hands out output, which is charged from then on. */
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
