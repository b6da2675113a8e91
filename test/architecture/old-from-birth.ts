import { parseSync } from '@swc/core';
import { plainCode } from './plain-code.js';

interface SyntaxNode {
  readonly type?: string;
  readonly [part: string]: unknown;
}

const FUNCTIONS: ReadonlySet<unknown> = new Set(['ArrowFunctionExpression', 'FunctionExpression']);
/** Also the defaults of what a pattern assigns. */
const ASSIGNMENTS: ReadonlySet<unknown> = new Set(['AssignmentExpression', 'AssignmentPattern']);
const PROPERTIES: ReadonlySet<unknown> = new Set(['MemberExpression', 'SuperPropExpression']);

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null;
}

/** The property a function is assigned to as it is written, `null` where this is no such assignment. */
function propertyGivenAFunction({ type, left, right }: SyntaxNode): string | null {
  if (!ASSIGNMENTS.has(type) || !isNode(left) || !isNode(right)) return null;
  if (!PROPERTIES.has(left.type) || !FUNCTIONS.has(right.type)) return null;
  const { property } = left;
  const name = isNode(property) ? property['value'] : null;
  return typeof name === 'string' ? name : 'computed';
}

/**
 * The properties that a source assigns a function to right where it is written, in order. V8 takes such a function for one that stays,
 * makes it as an old value, and collects it together with all that it reaches only when it collects everything.
 */
export function functionsOldFromBirth(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (!isNode(value)) return;
    const property = propertyGivenAFunction(value);
    if (property !== null) found.push(property);
    for (const part of Object.values(value)) visit(part);
  };
  visit(parseSync(plainCode(source), { syntax: 'ecmascript', target: 'es2023' }));
  return found;
}
