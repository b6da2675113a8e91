import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Messages in the folder, in the order of their file names. */
export function messagesIn(folder: string): readonly string[] {
  const mail = join(folder, 'mail');
  if (!existsSync(mail)) return [];
  const names = readdirSync(mail).filter((name) => name.endsWith('.eml')).toSorted();
  return names.map((name) => readFileSync(join(mail, name), 'utf8'));
}
