import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll } from '@jest/globals';
import type { CancelSignal } from '@tollgate/core';

setFlagsFromString('--expose-gc');
export const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

const WORDS_OF_REQUEST = 8_192;
const BYTES_PER_WORD = 8;
export const BYTES_OF_REQUEST = WORDS_OF_REQUEST * BYTES_PER_WORD;

/** Used bytes of V8's old generation. */
export function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
}

/** A signal that keeps a large request in memory as long as the signal is referenced. */
export function heavySignal(): CancelSignal & { readonly request: readonly number[] } {
  const { signal } = new AbortController();
  return Object.assign(signal, { request: Array.from({ length: WORDS_OF_REQUEST }, (_none, index) => index / 3) });
}

// V8's incremental marking, caused by other tests' modules, would promote young objects early. Once V8 has seen objects of one place in the code
// survive, it allocates all later ones in the old generation.
const DISTURBING = ['incremental-marking', 'allocation-site-pretenuring'];

/** Keeps V8 from moving young objects to its old generation early, during the tests of a file. */
export function keepObjectsYoung(): void {
  beforeAll(() => DISTURBING.forEach((flag) => setFlagsFromString(`--no-${flag}`)));
  afterAll(() => DISTURBING.forEach((flag) => setFlagsFromString(`--${flag}`)));
}
