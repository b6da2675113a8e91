import type { Brand } from './brand.js';

export type TokenCount = Brand<number, 'TokenCount'>;

export function tokenCount(value: number): TokenCount {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a token count: ${value}`);
  return value as TokenCount;
}

export const NO_TOKENS = 0 as TokenCount;
