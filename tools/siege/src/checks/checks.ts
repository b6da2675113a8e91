import type { Check } from './check.js';
import { EQUAL_TIMES } from './equal-times.js';
import { FULL_MAIL } from './full-mail.js';
import { GUESSES } from './guesses.js';
import { SLOW_MAIL } from './slow-mail.js';

/** The checks, in the order in which they run after the attacks. */
export const CHECKS: readonly Check[] = [GUESSES, SLOW_MAIL, FULL_MAIL, EQUAL_TIMES];
