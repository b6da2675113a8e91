import type { Attack } from './attack.js';
import { MODEL_ATTACKS } from './model-attacks.js';
import { SIGN_IN_ATTACKS } from './sign-in-attacks.js';

/** The attacks, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [...MODEL_ATTACKS, ...SIGN_IN_ATTACKS];
