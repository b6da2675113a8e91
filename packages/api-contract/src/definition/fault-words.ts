import type { z } from 'zod';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object', record: 'an object',
};

const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

function boundWords(origin: string, words: string, bound: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? `must be ${words} ${bound}` : `must have ${words} ${bound}${unit}`;
}

/** Message of a fault whose schema states none; `undefined` leaves the message to zod. */
export function faultWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': return issue.input === undefined ? 'is missing' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value': return issue.input === undefined ? 'is missing' : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small': return issue.origin in UNITS && Number(issue.minimum) === 1 ? 'must not be empty' : boundWords(issue.origin, 'at least', issue.minimum);
    case 'too_big': return boundWords(issue.origin, 'at most', issue.maximum);
    case 'invalid_format': return issue.format === 'datetime' ? 'must be a time by RFC 3339' : issue.format === 'date' ? 'must be a UTC day such as 2026-11-22' : undefined;
    case 'custom': case 'invalid_element': case 'invalid_key': case 'invalid_union': case 'not_multiple_of': case 'unrecognized_keys': return undefined;
  }
}
