import { playgroundKey } from '#texts/key-names';
import { isolated } from '../../format/isolated';

export interface KeyLabel {
  readonly name: string | null;
  /** `null` for the key of the playground. */
  readonly hint: string | null;
}

const ENDING = 4;
/** The key's name and its last four characters, which tell keys of the same name apart. */
export function keyLabel({ name, hint }: KeyLabel): string {
  if (hint === null) return playgroundKey.name;
  return name === null ? hint : `${isolated(name)} …${hint.slice(-ENDING)}`;
}
