import { parseSync } from '@swc/core';

/** Attributes whose values people read or hear. */
const READ: ReadonlySet<string> = new Set([
  'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'alt', 'title', 'placeholder', 'label', 'description', 'help', 'error', 'text', 'nothingFoundMessage',
]);
/** Two letters in a row. Signs, units of layout and single initials are not texts. */
const WORD = /\p{L}{2}/u;

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}

function asNode(value: unknown): Node {
  return (value ?? { type: '' }) as Node;
}

/** The strings that an expression may evaluate to. */
function stringsOf(expression: unknown): readonly string[] {
  const node = asNode(expression);
  switch (node.type) {
    case 'StringLiteral': case 'JSXText': return [String(node['value'])];
    case 'TemplateLiteral': return (node['quasis'] as readonly Node[]).map((quasi) => String(quasi['cooked']));
    case 'ConditionalExpression': return [...stringsOf(node['consequent']), ...stringsOf(node['alternate'])];
    case 'BinaryExpression': return /^(?:\+|&&|\|\||\?\?)$/.test(String(node['operator'])) ? [...stringsOf(node['left']), ...stringsOf(node['right'])] : [];
    case 'JSXExpressionContainer': case 'ParenthesisExpression': return stringsOf(node['expression']);
    default: return [];
  }
}

function textsAt(node: Node): readonly string[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return (node['children'] as readonly unknown[]).flatMap(stringsOf);
  return node.type === 'JSXAttribute' && READ.has(String(asNode(node['name'])['value'])) ? stringsOf(node['value']) : [];
}

function textsBelow(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsBelow);
  return [...textsAt(value as Node), ...Object.values(value).flatMap(textsBelow)];
}

/** Words that are written in the source of a page, and so in one language only: children of elements, and attributes that people read. */
export function findLiteralTexts(source: string): readonly string[] {
  return textsBelow(parseSync(source, { syntax: 'typescript', tsx: true, target: 'es2023' })).map((text) => text.trim()).filter((text) => WORD.test(text));
}
