/** Divides the items into lists of at most `most`, in their order. */
export function portionsOf<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_none, index) => items.slice(index * most, (index + 1) * most));
}
