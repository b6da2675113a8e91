import { plainCode } from './plain-code.js';

/** What the core gets only through ports: time, randomness and the outside world. */
const FORBIDDEN: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'the clock', pattern: /\bDate\s*\.\s*now\b/u },
  { name: 'the clock', pattern: /\bnew\s+Date\b/u },
  { name: 'the clock', pattern: /\bperformance\s*\.\s*now\b/u },
  { name: 'timers', pattern: /\b(?:setTimeout|setInterval|setImmediate)\s*\(/u },
  { name: 'chance', pattern: /\bMath\s*\.\s*random\b/u },
  { name: 'chance', pattern: /\bcrypto\s*\./u },
  { name: 'the process', pattern: /\bprocess\s*\./u },
  { name: 'the network', pattern: /(?<![\w.#])fetch\s*\(/u },
];

/** Names of the findings, in the order of `FORBIDDEN`. Ignores comments and types. */
export function findForbidden(source: string): readonly string[] {
  const code = plainCode(source);
  return FORBIDDEN.filter(({ pattern }) => pattern.test(code)).map(({ name }) => name);
}
