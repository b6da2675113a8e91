/**
 * Batches the ids that are requested within one turn of the event loop into calls of `read` with at most `most` ids each. A promise resolves to
 * `null` if the reply lacks its id, and rejects if the call fails.
 */
export function batched<Value extends { readonly id: string }>(read: (ids: readonly string[]) => Promise<readonly Value[]>, most: number): (id: string) => Promise<Value | null> {
  let waiting = new Map<string, Promise<Value | null>>();
  let opened: { readonly ids: string[]; readonly values: Promise<ReadonlyMap<string, Value>> } | null = null;
  const open = () => {
    const ids: string[] = [];
    const values = new Promise<void>((resolve) => { setTimeout(resolve); }).then(async () => {
      opened = null;
      waiting = new Map();
      return new Map((await read(ids)).map((value) => [value.id, value]));
    });
    return { ids, values };
  };
  return (id) => {
    const asked = waiting.get(id);
    if (asked !== undefined) return asked;
    if (opened === null || opened.ids.length >= most) opened = open();
    opened.ids.push(id);
    const value = opened.values.then((values) => values.get(id) ?? null);
    waiting.set(id, value);
    return value;
  };
}
