import type { RateField } from './token-classes.js';
import type { TokenRate } from './token-rate.js';

/** Service tokens per model token. */
export type Price = Readonly<Record<RateField, TokenRate>>;
