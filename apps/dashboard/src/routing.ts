/** For example `?model=a&day=2026-11-22`. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Leaves out empty values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

type Search = Readonly<Record<string, unknown>>;

/** Keeps only the named parameters that are not empty. */
export function textSearch<const Name extends string>(...names: readonly Name[]): (search: Search) => { readonly [key in Name]?: string } {
  return (search) => {
    const found = names.filter((name) => typeof search[name] === 'string' && search[name] !== '').map((name) => [name, search[name]]);
    return Object.fromEntries(found) as { readonly [key in Name]?: string };
  };
}
