import { KIND_OF_CODE } from './character-kinds.js';
import { ROW_SHIFT, WEIGHT_DIGITS, WEIGHTS } from './token-weights.js';

/**
 * What each kind adds after a digit, and a digit after each kind, in prompts. Vocabularies differ: some give every digit a token, some join up to three.
 * Fitted by `npm run fit-estimator`, which prints these two lines, two thirds of the way from the lowest to the highest of five vocabularies.
 */
export const AFTER_DIGIT = 'MsfWYaadaZZYY|UYYaZZeadZZcZaWYfbS1QvLeU5|LNaTNOMSLQMWWWLWWMMMMMMMMMMM,RRRRNMNMMaEs/WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW';
export const BEFORE_DIGIT = 'TTbYVSURUVUVWTUTaVV|VRUTWPUUYdeWS)aRfbgSdYWePUTSRSgTTTTTTTTTTTTTTTTTTTTTTTTUUTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT';

export const DIGIT_KIND = KIND_OF_CODE['0'.charCodeAt(0)] as number;

function promptWeights(): Uint8Array {
  const weights = WEIGHTS.slice();
  for (const [kind, digit] of Array.from(BEFORE_DIGIT).entries()) weights[(kind << ROW_SHIFT) | DIGIT_KIND] = WEIGHT_DIGITS.indexOf(digit);
  for (const [kind, digit] of Array.from(AFTER_DIGIT).entries()) weights[(DIGIT_KIND << ROW_SHIFT) | kind] = WEIGHT_DIGITS.indexOf(digit);
  return weights;
}

/** `WEIGHTS` with other ones beside digits. */
export const PROMPT_WEIGHTS: Uint8Array = promptWeights();
