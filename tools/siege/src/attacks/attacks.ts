import type { Attack } from './attack.js';
import { MODEL_ATTACKS } from './model-attacks.js';
import { SIGN_IN_ATTACKS } from './sign-in-attacks.js';

/** In order. */
export const ATTACKS: readonly Attack[] = [...MODEL_ATTACKS, ...SIGN_IN_ATTACKS];
