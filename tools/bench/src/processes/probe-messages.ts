/** What the bench asks of a process under test. */
export type ProbeQuestion =
  | { readonly ask: 'sample' | 'watch-loop' | 'loop' | 'start-profile' }
  | { readonly ask: 'write-profile'; readonly file: string };

/** What a process has used since its start, by the operating system's account. */
export interface ProcessSample {
  readonly kind: 'sample';
  /** In user and system mode, of all its threads. */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  /** The process's own clock, in milliseconds. */
  readonly at: number;
}

/** How late the event loop was, since it was last watched. */
export interface LoopDelay {
  readonly kind: 'loop';
  readonly p99Milliseconds: number;
  readonly longestMilliseconds: number;
}

export type ProbeAnswer = ProcessSample | LoopDelay | { readonly kind: 'done' };
