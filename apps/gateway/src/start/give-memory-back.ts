import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The runtime's collector, as it shows itself when it is asked to. */
type Collector = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void;

/**
 * Gives back what loading a program has taken. The runtime makes its room for new values as large as loading needs it, and keeps it so
 * in a program that rests: a quarter of all its memory. Afterwards that room grows again as requests need it.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collector;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
