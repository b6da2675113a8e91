/** Returns the results. If the task fails for some items, throws the first failure after it has run for all. */
export function tryEach<Item, Result>(items: readonly Item[], task: (item: Item) => Result): readonly Result[] {
  const [results, failures]: [Result[], unknown[]] = [[], []];
  for (const item of items) {
    try {
      results.push(task(item));
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
  return results;
}
