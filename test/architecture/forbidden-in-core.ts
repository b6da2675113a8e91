import { plainCode } from './plain-code.js';

/** What the core may not reach for, since it gets time, chance and the outside world through its ports. */
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

/** Names what a source reaches for and may not, in the order of the list above. Comments and types do not count. */
export function findForbidden(source: string): readonly string[] {
  const code = plainCode(source);
  return FORBIDDEN.filter(({ pattern }) => pattern.test(code)).map(({ name }) => name);
}
