import { storedText, storeText } from './stored-text';

const KEPT_AS = 'return-to';

/** Stores the address for this tab; `undefined` removes it. */
export function keepReturn(to: string | undefined): void {
  storeText('sessionStorage', KEPT_AS, to ?? null);
}

export function keptReturn(): string | undefined {
  return storedText('sessionStorage', KEPT_AS) ?? undefined;
}
