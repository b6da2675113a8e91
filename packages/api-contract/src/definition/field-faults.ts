import { type FieldFault, type FieldProblem, MAX_FIELD_FAULTS } from '@tollgate/core';
import type { z } from 'zod';
import { RULES } from './field-schemas.js';

type Issue = z.core.$ZodIssue;

/** Maximum length of a client's text in a fault. */
const MAX_ECHO = 100;
const CODES: ReadonlyMap<string, FieldProblem> = new Map(Object.entries(RULES).map(([code, message]) => [message, { code: code as keyof typeof RULES }]));
const INVALID: FieldProblem = { code: 'invalid' };

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = body;
  for (const part of path) value = (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[part];
  return value === undefined;
}

function lowerBound({ origin, minimum }: z.core.$ZodIssueTooSmall): FieldProblem {
  const bound = { minimum: Number(minimum) };
  if (origin === 'string') return bound.minimum === 1 ? { code: 'empty' } : { code: 'too_short', ...bound };
  return { code: origin === 'array' ? 'too_few' : 'too_small', ...bound };
}

function upperBound({ origin, maximum }: z.core.$ZodIssueTooBig): FieldProblem {
  const bound = { maximum: Number(maximum) };
  if (origin === 'string') return { code: 'too_long', ...bound };
  return { code: origin === 'array' ? 'too_many' : 'too_large', ...bound };
}

function typeProblem({ expected, path }: z.core.$ZodIssueInvalidType, body: unknown): FieldProblem {
  if (isMissing(body, path)) return { code: 'required' };
  return { code: expected === 'number' || expected === 'int' ? 'not_a_number' : 'wrong_type' };
}

function formatProblem({ format, message }: z.core.$ZodIssueInvalidStringFormat): FieldProblem {
  if (format === 'datetime') return { code: 'not_a_time' };
  return format === 'date' ? { code: 'not_a_day' } : CODES.get(message) ?? INVALID;
}

function problemOf(issue: Issue, body: unknown): FieldProblem {
  switch (issue.code) {
    case 'invalid_type': return typeProblem(issue, body);
    case 'too_small': return lowerBound(issue);
    case 'too_big': return upperBound(issue);
    case 'invalid_format': return formatProblem(issue);
    case 'invalid_value': return isMissing(body, issue.path) ? { code: 'required' } : { code: 'not_offered' };
    case 'custom': case 'invalid_element': case 'invalid_key': case 'invalid_union': case 'not_multiple_of': case 'unrecognized_keys': return CODES.get(issue.message) ?? INVALID;
  }
}

/** The faults of one issue; zod reports all unknown fields in a single issue. */
function faultsIn(issue: Issue, body: unknown): readonly FieldFault[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: pathText(issue.path), message: issue.message, problem: problemOf(issue, body) }];
  return issue.keys.slice(0, MAX_FIELD_FAULTS).map((key) => (
    { field: pathText([...issue.path, key.slice(0, MAX_ECHO)]), message: 'is not a field of this route', problem: { code: 'unknown_field' } }
  ));
}

/** The first fault of each field, in the order of the schema. `field` is empty for a fault of the whole request. */
export function faultsOf({ issues }: Pick<z.ZodError, 'issues'>, body: unknown): readonly FieldFault[] {
  const faults = issues.slice(0, MAX_FIELD_FAULTS).flatMap((issue) => faultsIn(issue, body));
  const isFirst = ({ field }: FieldFault, position: number): boolean => faults.findIndex((fault) => fault.field === field) === position;
  return faults.filter(isFirst).slice(0, MAX_FIELD_FAULTS);
}
