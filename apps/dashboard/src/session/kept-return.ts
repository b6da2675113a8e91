const KEPT_AS = 'return-to';

/** Stores the address for this tab; `undefined` removes it. */
export function keepReturn(to: string | undefined): void {
  try {
    if (to === undefined) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, to);
  } catch { /* Storage is switched off: the sign-in leads to the first page. */ }
}

export function keptReturn(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT_AS) ?? undefined;
  } catch {
    return undefined;
  }
}
