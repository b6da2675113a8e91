import { JsonText } from './json-text.js';
import { printObject } from './print.js';

/**
 * Tool call arguments as an object, verbatim. Blank text becomes `{}`. Other text that is not a JSON object becomes `{"_raw": text}`, so that the
 * tool can refuse it and the model can see it.
 */
export function argumentsObject(argumentsJson: string): JsonText {
  if (argumentsJson.trim() === '') return new JsonText('{}');
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
