import type { ResponseHeaders } from '@tollgate/wire-kit';

/** Headers as names and values in turn, which is how Node writes them without looking anything up. */
export class HeaderList {
  readonly #namesAndValues: string[] = [];

  /** Of a header that is added twice the last value counts. */
  add(headers: ResponseHeaders): void {
    for (const name in headers) this.#set(name, headers[name] ?? '');
  }

  /** All of them, followed by these. */
  followedBy(...namesAndValues: readonly string[]): string[] {
    return this.#namesAndValues.concat(namesAndValues);
  }

  #set(name: string, value: string): void {
    const list = this.#namesAndValues;
    for (let at = 0; at < list.length; at += 2) {
      if (list[at] !== name) continue;
      list[at + 1] = value;
      return;
    }
    list.push(name, value);
  }
}
