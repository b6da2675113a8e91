import type { JsonValue } from '@tollgate/core';

/** JSON as it is written: an object may repeat a key, and a leaf may be any text. */
export type JsonTree =
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'leaf'; readonly text: string };

export type Member = readonly [key: string, value: JsonTree];

export function leaf(text: string): JsonTree {
  return { kind: 'leaf', text };
}

export function treeOf(value: JsonValue | undefined): JsonTree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(treeOf) };
  if (typeof value !== 'object' || value === null) return leaf(JSON.stringify(value) ?? 'null');
  return { kind: 'object', members: Object.entries(value).map(([key, member]): Member => [key, treeOf(member)]) };
}

export function textOf(tree: JsonTree): string {
  switch (tree.kind) {
    case 'leaf': return tree.text;
    case 'list': return `[${tree.items.map(textOf).join(',')}]`;
    case 'object': return `{${tree.members.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`).join(',')}}`;
  }
}

/** Number of values in the tree, including the tree itself. */
export function sizeOf(tree: JsonTree): number {
  return childrenOf(tree).reduce((sum, child) => sum + sizeOf(child), 1);
}

/** All values of the tree in preorder. */
export function valuesIn(tree: JsonTree): readonly JsonTree[] {
  return [tree, ...childrenOf(tree).flatMap(valuesIn)];
}

/** The value at an index of the preorder. */
export function valueAt(tree: JsonTree, number: number): JsonTree {
  let left = number - 1;
  if (number === 0) return tree;
  for (const child of childrenOf(tree)) {
    const size = sizeOf(child);
    if (left < size) return valueAt(child, left);
    left -= size;
  }
  throw new Error('the tree has no value with this number');
}

/** Replaces a value by those that `change` returns; in an object, each gets the value's key. The root is replaced by only the first. */
export function withValueAt(tree: JsonTree, number: number, change: (value: JsonTree) => readonly JsonTree[]): JsonTree {
  if (number === 0) return change(tree)[0] ?? leaf('');
  let left = number - 1;
  const changed = (child: JsonTree): readonly JsonTree[] => {
    const size = sizeOf(child);
    const position = left;
    left -= size;
    if (position === 0) return change(child);
    return position > 0 && position < size ? [withValueAt(child, position, change)] : [child];
  };
  if (tree.kind === 'list') return { kind: 'list', items: tree.items.flatMap(changed) };
  if (tree.kind === 'leaf') throw new Error('the tree has no value with this number');
  return { kind: 'object', members: tree.members.flatMap(([key, value]) => changed(value).map((after): Member => [key, after])) };
}

function childrenOf(tree: JsonTree): readonly JsonTree[] {
  if (tree.kind === 'leaf') return [];
  return tree.kind === 'list' ? tree.items : tree.members.map(([, value]) => value);
}
