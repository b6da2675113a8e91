import { JsonText, printObject } from '../json/json-text.js';

/** What a call without arguments passes: clients parse the text, and an empty text is no JSON. */
export const EMPTY_ARGUMENTS = '{}';

const SOMETHING_BESIDES_SPACE = /\S/;

export function isBlank(text: string): boolean {
  return !SOMETHING_BESIDES_SPACE.test(text);
}

/**
 * Arguments as the object they ought to be, in the text they were written in. A model may write anything: what is no JSON object
 * is kept as `{"_raw": text}`, so that whoever gets it can refuse it and the model can see what it wrote.
 */
export function argumentsObject(argumentsJson: string): JsonText {
  if (isBlank(argumentsJson)) return new JsonText(EMPTY_ARGUMENTS);
  return isJsonObject(argumentsJson) ? new JsonText(argumentsJson) : printObject({ _raw: argumentsJson });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return false;
  }
}
