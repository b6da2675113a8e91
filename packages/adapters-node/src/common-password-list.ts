import { readFile } from 'node:fs/promises';
import type { CommonPasswords } from '@tollgate/identity';

const LIST = new URL('../data/common-passwords.txt', import.meta.url);

/** The list has 93 KB, and is loaded on first use. */
export class CommonPasswordList implements CommonPasswords {
  #list: Promise<ReadonlySet<string>> | null = null;

  async has(lowerCase: string): Promise<boolean> {
    this.#list ??= readFile(LIST, 'utf8').then((text) => new Set(text.split('\n')));
    return (await this.#list).has(lowerCase);
  }
}
